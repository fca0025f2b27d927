// The group whose kind is known only at run time, and the thread block.
#pragma once

#include "lanes.h"

extern "C" __device__ void __raddle_grid_sync();  // the simulator's barrier of the whole grid

namespace cooperative_groups {

// A block, a grid, or some lanes of a warp.
class thread_group {
 public:
  __device__ unsigned long long size() const { return size_; }
  __device__ unsigned long long num_threads() const { return size_; }
  __device__ unsigned long long thread_rank() const {
    if (kind_ == kind::lanes) return details::rank_in(mask_);
    if (kind_ == kind::block) return details::thread_rank_in_block();
    unsigned long long block =
        (blockIdx.z * (unsigned long long)gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * details::threads_in_block() + details::thread_rank_in_block();
  }
  __device__ void sync() const {
    if (kind_ == kind::lanes) {
      __syncwarp(mask_);
    } else if (kind_ == kind::block) {
      __syncthreads();
    } else {
      __raddle_grid_sync();
    }
  }

 protected:
  enum class kind { lanes, block, grid };
  __device__ thread_group(kind k, unsigned int mask, unsigned long long size)
      : kind_(k), mask_(mask), size_(size) {}
  __device__ unsigned int mask() const { return mask_; }

 private:
  friend __device__ thread_group tiled_partition(const thread_group&, unsigned int);
  kind kind_;
  unsigned int mask_;  // of lanes; unused by the others
  unsigned long long size_;
};

class thread_block : public thread_group {
 public:
  __device__ thread_block() : thread_group(kind::block, 0, details::threads_in_block()) {}

  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return details::thread_rank_in_block(); }
  __device__ static unsigned int size() { return details::threads_in_block(); }
  __device__ static unsigned int num_threads() { return size(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return group_dim(); }

  // Split barrier: all have arrived once the wait returns.
  struct arrival_token {};
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait(arrival_token&&) { __syncthreads(); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__device__ inline unsigned long long group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
