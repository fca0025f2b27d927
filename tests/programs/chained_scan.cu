// gpu: v100
// Prefix sums in one pass. Blocks take tickets, and read what earlier blocks have published: state
// and sum in one 64-bit word, so that both are visible at once.
#include "check.h"

__device__ unsigned next_ticket;

constexpr unsigned long long kOwn = 1ull << 32, kAll = 2ull << 32;  // of the block, up to its end

__global__ void scan(const int* in, int* out, int n, unsigned long long* published) {
  __shared__ int values[256];
  __shared__ unsigned ticket;
  __shared__ int before;
  if (threadIdx.x == 0) ticket = atomicAdd(&next_ticket, 1);
  __syncthreads();
  const int i = ticket * 256 + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int other = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
    __syncthreads();
    values[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const unsigned own = static_cast<unsigned>(values[255]);
    atomicExch(&published[ticket], (ticket == 0 ? kAll : kOwn) | own);
    unsigned sum = 0;
    for (int look = static_cast<int>(ticket) - 1; look >= 0; --look) {
      unsigned long long word;
      do {
        word = *(volatile unsigned long long*)&published[look];
      } while (word == 0);
      sum += static_cast<unsigned>(word);
      if (word >= kAll) break;
    }
    atomicExch(&published[ticket], kAll | (sum + own));
    before = static_cast<int>(sum);
  }
  __syncthreads();
  if (i < n) out[i] = before + values[threadIdx.x];
}

int main() {
  const int n = 20000, blocks = (n + 255) / 256;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 23 - 5;
  int* out = device_array<int>(n);
  auto* published = device_array<unsigned long long>(blocks);
  CHECK(cudaMemset(published, 0, blocks * sizeof(*published)));
  scan<<<blocks, 256>>>(to_device(in), out, n, published);
  const std::vector<int> sums = to_host(out, n);
  int sum = 0;
  for (int i = 0; i < n; ++i) EXPECT_EQ_AT(i, sums[i], sum += in[i]);
  return finish();
}
