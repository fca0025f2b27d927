// The grid of a cooperative launch.
#pragma once

#include "thread_group.h"

namespace cooperative_groups {

class grid_group : public thread_group {
 public:
  __device__ grid_group() : thread_group(kind::grid, 0, size()) {}

  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { __raddle_grid_sync(); }
  __device__ static unsigned long long size() { return num_blocks() * details::threads_in_block(); }
  __device__ static unsigned long long num_threads() { return size(); }
  __device__ static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long block_rank() {
    return (blockIdx.z * (unsigned long long)gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * details::threads_in_block() + details::thread_rank_in_block();
  }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 group_dim() { return dim_blocks(); }
};

__device__ inline grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
