// Functions that call themselves, to depths that differ from lane to lane.
#include "check.h"

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ void quicksort(int* values, int low, int high) {
  if (low >= high) return;
  const int pivot = values[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i > j) break;
    const int swap = values[i];
    values[i++] = values[j];
    values[j--] = swap;
  }
  quicksort(values, low, j);
  quicksort(values, i, high);
}
__global__ void compute(int* fib, int* ack) {
  fib[threadIdx.x] = fibonacci(threadIdx.x % 12);
  ack[threadIdx.x] = ackermann(2, threadIdx.x % 6);
}
__global__ void sort_rows(int* values, int length) {
  quicksort(values + threadIdx.x * length, 0, length - 1);
}

int main() {
  int* const fib = device_array<int>(64);
  int* const ack = device_array<int>(64);
  compute<<<1, 64>>>(fib, ack);
  const auto f = to_host(fib, 64), a = to_host(ack, 64);
  const int numbers[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ_AT(i, f[i], numbers[i % 12]);
    EXPECT_EQ_AT(i, a[i], 2 * (i % 6) + 3);
  }
  const int rows = 40, length = 23;
  std::vector<int> values(rows * length);
  for (int i = 0; i < rows * length; ++i) values[i] = (i * 7919) % 1009;
  int* const device = to_device(values);
  sort_rows<<<1, rows>>>(device, length);
  const auto sorted = to_host(device, rows * length);
  for (int i = 0; i < rows * length; ++i) {
    EXPECT(i % length == 0 || sorted[i - 1] <= sorted[i]);
  }
  return finish();
}
