// narrow_streams.cu on the runtime for narrow tasks. Lines that differ end with "//*".
#include <cuda_runtime.h>

#include <cstdio>
#include <raddle/tasks.cuh>  //*
#include <vector>

namespace tasks = raddle::tasks;  //*

constexpr int kJobs = 200, kSamples = 2048;

__device__ void smooth(const float* in, float* out, int n) {        //*
  for (int i = tasks::thread(); i < n; i += tasks::block_size()) {  //*
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

  tasks::Runtime<smooth> runtime;  //*
  for (int job = 0; job < kJobs; ++job) {
    const int at = job * kSamples;
    if (!runtime.spawn<smooth>({128}, in + at, out + at, kSamples)) return 1;  //*
  }
  const cudaError_t result = runtime.shut_down();  //* waits for all

  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  std::printf("%d jobs: %s, out[1] = %g\n", kJobs, cudaGetErrorString(result), host[1]);
  return result == cudaSuccess && host[1] == 1 ? 0 : 1;
}
