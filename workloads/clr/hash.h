#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr unsigned uncoloured = 0xffffffff;

/// A vertex's rank in a round. Each round has another permutation, so that no vertex loses for
/// ever. The finaliser of MurmurHash3 (A. Appleby), a bijection on 32 bits.
__host__ __device__ inline unsigned rank_of(unsigned vertex, unsigned round) {
  unsigned hash = vertex + 0x9e3779b9u * (round + 1);
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35u;
  return hash ^ (hash >> 16);
}

/// Different vertices have different ranks.
__host__ __device__ inline bool ranks_above(unsigned a, unsigned b, unsigned round) {
  return rank_of(a, round) > rank_of(b, round);
}

}  // namespace raddle::workloads
