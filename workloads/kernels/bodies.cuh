// Gravity between all pairs of bodies by tiles in shared memory (Nyland, Harris & Prins, GPU Gems
// 3, chapter 31; as the CUDA sample nbody). The compared value is the number of pairs a second of a
// full GPU. The measured runs have a million bodies and more. These runs have as many bodies as
// fill the GPU, and few sources.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kBodiesTile = 256;
constexpr float kSoftening = 0.01f;

extern "C" __global__ void body_forces(float4* forces, const float4* bodies, const float4* sources,
                                       int tiles) {
  __shared__ float4 tile[kBodiesTile];
  const int i = blockIdx.x * kBodiesTile + threadIdx.x;
  const float4 body = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int n = 0; n < tiles; ++n) {
    tile[threadIdx.x] = sources[n * kBodiesTile + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (int k = 0; k < kBodiesTile; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening);
      const float weight = other.w * (inverse * inverse * inverse);
      x += dx * weight, y += dy * weight, z += dz * weight;
    }
    __syncthreads();
  }
  forces[i] = make_float4(x, y, z, 0);
}

inline bool run_bodies(Bench& bench) {
  constexpr int kTiles = 2, kSources = kTiles * kBodiesTile;
  int multiprocessors = 0, threads = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  const int count = multiprocessors * threads;
  const std::vector<float> places = numbers(4 * static_cast<std::size_t>(count), -1, 1);
  std::vector<float4> bodies(count);
  for (int i = 0; i < count; ++i) {
    const float* place = &places[4 * static_cast<std::size_t>(i)];
    bodies[i] = make_float4(place[0], place[1], place[2], 1 + place[3]);
  }
  DeviceBuffer<float4> all(bodies), forces(count);
  bench.launch_at_once("body_forces", body_forces, count / kBodiesTile, kBodiesTile, 0,
                       forces.data(), all.data(), all.data(), kTiles);
  const std::vector<float4> found = forces.download();
  std::vector<float> expected, simulated;
  for (int i = 0; i < count; i += 997) {
    double x = 0;
    for (int k = 0; k < kSources; ++k) {
      const double dx = double{bodies[k].x} - bodies[i].x, dy = double{bodies[k].y} - bodies[i].y,
                   dz = double{bodies[k].z} - bodies[i].z;
      x += dx * bodies[k].w / std::pow(dx * dx + dy * dy + dz * dz + double{kSoftening}, 1.5);
    }
    expected.push_back(static_cast<float>(x));
    simulated.push_back(found[i].x);
  }
  return check_near("body_forces", expected, simulated, 1e-4);
}

}  // namespace raddle::workloads::kernels
