// Many small jobs, each a kernel of its own, over 32 streams. narrow_tasks.cu is derived from this
// program. Each job smooths one signal of 2048 samples.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kJobs = 200, kSamples = 2048, kStreams = 32;

__global__ void smooth(const float* in, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float left = in[i > 0 ? i - 1 : 0], right = in[i < n - 1 ? i + 1 : n - 1];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
  }
}

int main() {
  float *in, *out, *host;
  const size_t bytes = kJobs * kSamples * sizeof(float);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMallocHost(&host, bytes);
  for (int i = 0; i < kJobs * kSamples; ++i) host[i] = static_cast<float>(i % 100);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);

  std::vector<cudaStream_t> streams(kStreams);
  for (cudaStream_t& one : streams) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (int job = 0; job < kJobs; ++job) {
    const int at = job * kSamples;
    smooth<<<1, 128, 0, streams[job % kStreams]>>>(in + at, out + at, kSamples);
  }
  const cudaError_t result = cudaDeviceSynchronize();

  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  std::printf("%d jobs: %s, out[1] = %g\n", kJobs, cudaGetErrorString(result), host[1]);
  return result == cudaSuccess && host[1] == 1 ? 0 : 1;
}
