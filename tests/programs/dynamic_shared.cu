// Shared memory with a size given by the launch, divided into arrays of several types.
#include "check.h"

extern __shared__ unsigned char raw[];

__global__ void reverse(const double* in, double* out, int* ranks, int count) {
  double* const values = reinterpret_cast<double*>(raw);
  int* const places = reinterpret_cast<int*>(values + count);
  const int i = threadIdx.x;
  values[i] = in[i];
  places[i] = count - 1 - i;
  __syncthreads();
  out[i] = values[places[i]];
  ranks[i] = places[(i + 1) % count];
}

int main() {
  const int count = 200;
  std::vector<double> in(count);
  for (int i = 0; i < count; ++i) in[i] = i * 0.25;
  double* const out = device_array<double>(count);
  int* const ranks = device_array<int>(count);
  const size_t bytes = count * (sizeof(double) + sizeof(int));
  reverse<<<1, count, bytes>>>(to_device(in), out, ranks, count);
  const auto values = to_host(out, count);
  const auto places = to_host(ranks, count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ_AT(i, values[i], (count - 1 - i) * 0.25);
    EXPECT_EQ_AT(i, places[i], count - 1 - (i + 1) % count);
  }
  // More than any multiprocessor has: the launch must fail, and the error must not stick.
  reverse<<<1, count, 4 << 20>>>(nullptr, nullptr, nullptr, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
