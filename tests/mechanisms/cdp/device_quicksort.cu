// Quicksort by recursion of kernels, each half in a stream of its own. Short pieces are sorted in
// place.
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include <algorithm>

#include "../../programs/check.h"

constexpr int kDeepest = 16, kShort = 24;

__device__ void insertion_sort(int* data, int left, int right) {
  for (int i = left + 1; i <= right; ++i) {
    const int value = data[i];
    int j = i;
    for (; j > left && data[j - 1] > value; --j) data[j] = data[j - 1];
    data[j] = value;
  }
}

__global__ void quicksort(int* data, int left, int right, int depth) {
  if (depth >= kDeepest || right - left <= kShort) {
    insertion_sort(data, left, right);
    return;
  }
  const int pivot = data[(left + right) / 2];
  int low = left, high = right;
  while (low <= high) {
    while (data[low] < pivot) ++low;
    while (data[high] > pivot) --high;
    if (low > high) break;
    const int swapped = data[low];
    data[low++] = data[high];
    data[high--] = swapped;
  }
  if (left < high) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, left, high, depth + 1);
    cudaStreamDestroy(stream);
  }
  if (low < right) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, low, right, depth + 1);
    cudaStreamDestroy(stream);
  }
}

int main() {
  std::vector<int> values(2000);
  unsigned state = 1;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 16);
  }
  int* data = to_device(values);
  quicksort<<<1, 1>>>(data, 0, static_cast<int>(values.size()) - 1, 0);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> found = to_host(data, values.size());
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ_AT(static_cast<long>(i), found[i], values[i]);
  }
  return finish();
}
