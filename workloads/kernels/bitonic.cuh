// Batcher's bitonic sort (1968) of keys with values. A block sorts an array that fits into shared
// memory. Longer arrays take steps in global memory, and the last steps of each merge in shared
// memory. Sizes and launches are those of the CUDA sample sortingNetworks.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr unsigned kSortShared = 1024, kSortThreads = kSortShared / 2;

__device__ inline void compare(unsigned& low_key, unsigned& low_value, unsigned& high_key,
                               unsigned& high_value, unsigned ascending) {
  if ((low_key > high_key) != ascending) return;
  const unsigned key = low_key, value = low_value;
  low_key = high_key, low_value = high_value;
  high_key = key, high_value = value;
}

/// A block's part of the keys and values, in shared memory.
struct SortTile {
  unsigned *keys, *values;

  __device__ void step(unsigned stride, unsigned ascending) const {
    __syncthreads();
    const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare(keys[at], values[at], keys[at + stride], values[at + stride], ascending);
  }
  __device__ void load(const unsigned* from_keys, const unsigned* from_values) const {
    const unsigned first = blockIdx.x * kSortShared + threadIdx.x;
    keys[threadIdx.x] = from_keys[first];
    values[threadIdx.x] = from_values[first];
    keys[threadIdx.x + kSortThreads] = from_keys[first + kSortThreads];
    values[threadIdx.x + kSortThreads] = from_values[first + kSortThreads];
  }
  __device__ void store(unsigned* to_keys, unsigned* to_values) const {
    const unsigned first = blockIdx.x * kSortShared + threadIdx.x;
    __syncthreads();
    to_keys[first] = keys[threadIdx.x];
    to_values[first] = values[threadIdx.x];
    to_keys[first + kSortThreads] = keys[threadIdx.x + kSortThreads];
    to_values[first + kSortThreads] = values[threadIdx.x + kSortThreads];
  }
};

/// Sorts arrays of `length` elements. If they are parts of longer ones (`alternate`), every second
/// block sorts in the opposite direction, as the merge of two parts needs.
extern "C" __global__ void bitonic_sort(unsigned* keys, unsigned* values, unsigned length,
                                        unsigned alternate) {
  __shared__ unsigned all_keys[kSortShared], all_values[kSortShared];
  const SortTile tile{all_keys, all_values};
  tile.load(keys, values);
  const unsigned direction = alternate != 0 ? blockIdx.x & 1 : 1;
  const unsigned flip = alternate != 0 ? 0 : 1;
  for (unsigned size = 2; size < length; size <<= 1) {
    const unsigned ascending = flip ^ ((threadIdx.x & (size / 2)) != 0);
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) tile.step(stride, ascending);
  }
  for (unsigned stride = length / 2; stride > 0; stride >>= 1) tile.step(stride, direction);
  tile.store(keys, values);
}

/// One step of a merge in global memory.
extern "C" __global__ void bitonic_step(unsigned* keys, unsigned* values, unsigned length,
                                        unsigned size, unsigned stride) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned ascending = 1 ^ ((thread & (length / 2 - 1) & (size / 2)) != 0);
  const unsigned at = 2 * thread - (thread & (stride - 1));
  unsigned low_key = keys[at], low_value = values[at];
  unsigned high_key = keys[at + stride], high_value = values[at + stride];
  compare(low_key, low_value, high_key, high_value, ascending);
  keys[at] = low_key;
  values[at] = low_value;
  keys[at + stride] = high_key;
  values[at + stride] = high_value;
}

/// The last steps of a merge, in shared memory.
extern "C" __global__ void bitonic_merge(unsigned* keys, unsigned* values, unsigned length,
                                         unsigned size) {
  __shared__ unsigned all_keys[kSortShared], all_values[kSortShared];
  const SortTile tile{all_keys, all_values};
  tile.load(keys, values);
  const unsigned thread = (blockIdx.x * blockDim.x + threadIdx.x) & (length / 2 - 1);
  const unsigned ascending = 1 ^ ((thread & (size / 2)) != 0);
  for (unsigned stride = kSortShared / 2; stride > 0; stride >>= 1) tile.step(stride, ascending);
  tile.store(keys, values);
}

/// Sorts 2^20 elements in arrays of `length`.
inline bool sort_arrays(Bench& bench, unsigned length) {
  constexpr unsigned kSize = 1 << 20, kBlocks = kSize / kSortShared, kStepThreads = 256;
  std::vector<unsigned> keys(kSize), values(kSize);
  for (unsigned i = 0; i < kSize; ++i) {
    keys[i] = static_cast<unsigned>(number(i) * 65536);
    values[i] = i;
  }
  DeviceBuffer<unsigned> key_buffer(keys), value_buffer(values);
  unsigned* const k = key_buffer.data();
  unsigned* const v = value_buffer.data();
  const unsigned first = std::min(length, kSortShared);
  bench.launch_at_once("bitonic_sort", bitonic_sort, kBlocks, kSortThreads, 0, k, v, first,
                       length > kSortShared ? 1u : 0u);
  for (unsigned size = 2 * kSortShared; size <= length; size *= 2) {
    for (unsigned stride = size / 2; stride >= kSortShared; stride /= 2) {
      bench.launch_at_once("bitonic_step", bitonic_step, kSize / (2 * kStepThreads), kStepThreads,
                           0, k, v, length, size, stride);
    }
    bench.launch_at_once("bitonic_merge", bitonic_merge, kBlocks, kSortThreads, 0, k, v, length,
                         size);
  }
  const std::vector<unsigned> found = key_buffer.download(), of = value_buffer.download();
  for (unsigned i = 0; i < kSize; ++i) {
    if (keys[of[i]] != found[i]) return check_equal("bitonic values", keys, found);
  }
  for (unsigned i = 0; i < kSize; i += length) std::sort(&keys[i], &keys[i] + length);
  return check_equal("bitonic", keys, found);
}

inline bool run_bitonic_64(Bench& bench) { return sort_arrays(bench, 64); }
inline bool run_bitonic_1k(Bench& bench) { return sort_arrays(bench, 1024); }
inline bool run_bitonic_16k(Bench& bench) { return sort_arrays(bench, 16384); }

}  // namespace raddle::workloads::kernels
