// Chunks of pinned memory travel through four streams: copy in, square, copy out.
#include "check.h"

__global__ void square(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * in[i];
}

int main() {
  const int chunks = 4, chunk = 5000, count = chunks * chunk;
  float *in, *out;
  CHECK(cudaMallocHost(&in, count * sizeof(float)));
  CHECK(cudaHostAlloc(&out, count * sizeof(float), cudaHostAllocDefault));
  for (int i = 0; i < count; ++i) in[i] = static_cast<float>(i % 1000);
  float* const device_in = device_array<float>(count);
  float* const device_out = device_array<float>(count);
  cudaStream_t streams[chunks];
  for (int c = 0; c < chunks; ++c) {
    CHECK(cudaStreamCreate(&streams[c]));
    const int at = c * chunk;
    CHECK(cudaMemcpyAsync(device_in + at, in + at, chunk * sizeof(float), cudaMemcpyHostToDevice,
                          streams[c]));
    square<<<(chunk + 127) / 128, 128, 0, streams[c]>>>(device_in + at, device_out + at, chunk);
    CHECK(cudaMemcpyAsync(out + at, device_out + at, chunk * sizeof(float), cudaMemcpyDeviceToHost,
                          streams[c]));
  }
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, out[i], in[i] * in[i]);
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  return finish();
}
