// What all groups inside a warp share: lane numbers, masks, and values of any type sent between
// lanes.
#pragma once

#include "../../cuda_runtime.h"

namespace cooperative_groups {
namespace details {

__device__ inline unsigned int lane_id() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// How many lanes of the mask lie below this one.
__device__ inline unsigned int rank_in(unsigned int mask) {
  return __popc(mask & ((1u << lane_id()) - 1));
}

// The lane of the given rank in the mask; 32 if there is none.
__device__ inline unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
  for (; rank != 0; --rank) mask &= mask - 1;
  return mask == 0 ? 32 : __ffs(mask) - 1;
}

__device__ inline unsigned int thread_rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned int threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }

// Sends a value word by word; `exchange` maps a 32-bit word to that of the source lane.
template <class T, class Exchange>
__device__ inline T exchange_words(const T& value, Exchange exchange) {
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int& word : words) word = exchange(word);
  T result = value;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

}  // namespace details
}  // namespace cooperative_groups
