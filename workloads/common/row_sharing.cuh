#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

/// The arcs that one thread has to visit.
struct ArcRange {
  unsigned first;
  unsigned end;

  __device__ unsigned size() const { return end - first; }
  /// Returns the range of another lane of the warp. All lanes call it.
  __device__ ArcRange of_lane(int lane) const {
    constexpr unsigned all = 0xffffffff;
    return {__shfl_sync(all, first, lane), __shfl_sync(all, end, lane)};
  }
};

/// The whole block gathers rows that have an arc or more for each of its threads, one row after the
/// other, by visit(arc, row). All threads of the block call it. `Row` is an ArcRange or derived
/// from it.
template <class Row, class Visit>
__device__ void expand_with_block(Row& own, Visit visit) {
  __shared__ unsigned leader;
  __shared__ Row shared;
  while (__syncthreads_or(own.size() >= blockDim.x)) {
    if (own.size() >= blockDim.x) leader = threadIdx.x;  // the last writer wins, whichever it is
    __syncthreads();
    if (leader == threadIdx.x) {
      shared = own;
      own.first = own.end;
    }
    __syncthreads();
    for (unsigned arc = shared.first + threadIdx.x; arc < shared.end; arc += blockDim.x) {
      visit(arc, shared);
    }
    __syncthreads();
  }
}

/// The whole warp gathers rows that have an arc or more for each of its lanes.
template <class Row, class Visit>
__device__ void expand_with_warp(Row& own, Visit visit) {
  constexpr unsigned all = 0xffffffff;
  const unsigned lane = threadIdx.x % warpSize;
  for (unsigned large; (large = __ballot_sync(all, own.size() >= warpSize)) != 0;) {
    const int leader = __ffs(static_cast<int>(large)) - 1;
    const Row row = own.of_lane(leader);
    if (lane == static_cast<unsigned>(leader)) own.first = own.end;
    for (unsigned arc = row.first + lane; arc < row.end; arc += warpSize) visit(arc, row);
    __syncwarp();
  }
}

/// As bfs_flat (bfs/expansion.cuh), but for any type of row and any `visit`. Distributes long rows
/// over the block and the warp (D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU Graph
/// Traversal", PPoPP 2012, section 4.2). Blocks are whole warps.
template <class Row, class Visit>
__device__ void expand_shared(Row own, Visit visit) {
  expand_with_block(own, visit);
  expand_with_warp(own, visit);
  for (; own.first < own.end; ++own.first) visit(own.first, own);
}

}  // namespace raddle::workloads
