// The sum of a million integers. Each thread adds some, a tree in shared memory adds the threads'
// sums of a block, and further launches add the blocks' sums.
#include "check.h"

constexpr int kThreads = 256, kOfThread = 4, kOfBlock = kThreads * kOfThread;

__global__ void sum(const int* in, int* out, int n) {
  __shared__ int partial[kThreads];
  const unsigned t = threadIdx.x;
  const int first = blockIdx.x * kOfBlock, end = first + kOfBlock < n ? first + kOfBlock : n;
  int mine = 0;
  for (int i = first + t; i < end; i += kThreads) mine += in[i];
  partial[t] = mine;
  __syncthreads();
  for (unsigned stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

int main() {
  const int n = 1 << 20;
  std::vector<int> values(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) expected += values[i] = i % 17 - 5;
  int* in = device_copy(values);
  int* out = device_copy(std::vector<int>(n / kOfBlock));
  for (int left = n; left > 1; left = (left + kOfBlock - 1) / kOfBlock) {
    sum<<<(left + kOfBlock - 1) / kOfBlock, kThreads>>>(in, out, left);
    check(cudaGetLastError());
    int* swapped = in;
    in = out;
    out = swapped;
  }
  return report("reduction", host_copy(in, 1)[0] == expected);
}
