#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr unsigned nbody_block_size = 128;

/// Adds to `acceleration` the pull of a body at `other` (mass in w) on a body at `place`: m * d /
/// (|d|^2 + softening^2)^(3/2), in units with G = 1. The pull of a body on itself is zero.
__device__ inline void add_pull(float3& acceleration, float4 place, float4 other,
                                float softening_squared) {
  const float dx = other.x - place.x;
  const float dy = other.y - place.y;
  const float dz = other.z - place.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening_squared);
  const float pull = other.w * inverse * inverse * inverse;
  acceleration.x += pull * dx;
  acceleration.y += pull * dy;
  acceleration.z += pull * dz;
}

/// Computes the accelerations of all `count` bodies (x, y, z, mass) by direct summation. A block
/// loads the bodies into shared memory, a tile at a time, and each thread uses the whole tile. So
/// one load from global memory serves nbody_block_size interactions.
__global__ void compute_accelerations(const float4* bodies, unsigned count, float softening_squared,
                                      float4* accelerations) {
  __shared__ float4 tile[nbody_block_size];
  const unsigned body = blockIdx.x * nbody_block_size + threadIdx.x;
  // Threads beyond the last body also load tiles and take part in the barriers.
  const float4 place = body < count ? bodies[body] : make_float4(0, 0, 0, 0);
  float3 acceleration = make_float3(0, 0, 0);
  for (unsigned start = 0; start < count; start += nbody_block_size) {
    const unsigned other = start + threadIdx.x;
    tile[threadIdx.x] = other < count ? bodies[other] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (unsigned i = 0; i < nbody_block_size; ++i) {
      add_pull(acceleration, place, tile[i], softening_squared);  // without mass, no pull
    }
    __syncthreads();
  }
  if (body < count) {
    accelerations[body] = make_float4(acceleration.x, acceleration.y, acceleration.z, 0);
  }
}

/// One step of the kick-drift scheme (symplectic Euler): v += a dt, x += v dt.
__global__ void advance(float4* bodies, float4* velocities, const float4* accelerations,
                        unsigned count, float time_step) {
  const unsigned body = blockIdx.x * blockDim.x + threadIdx.x;
  if (body >= count) return;
  const float4 a = accelerations[body];
  float4 v = velocities[body];
  float4 p = bodies[body];
  v.x += a.x * time_step;
  v.y += a.y * time_step;
  v.z += a.z * time_step;
  p.x += v.x * time_step;
  p.y += v.y * time_step;
  p.z += v.z * time_step;
  velocities[body] = v;
  bodies[body] = p;
}

}  // namespace raddle::workloads
