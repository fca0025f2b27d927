// Data parallelism alone: one thread executes a whole traversal, from the root. M. Goldfarb, Y. Jo,
// M. Kulkarni, "General Transformations for GPU Execution of Tree Traversals", SC 2013, and J. Liu,
// N. Hegde, M. Kulkarni, "Hybrid CPU-GPU Scheduling and Execution of Tree Traversals", ICS 2016,
// describe these ways, and sort the points. Functions are those of raddle/locality.cuh. Their
// argument must be a node of a binary tree in depth-first order. A call must spawn both children or
// none.
#pragma once

#include <cstdint>
#include <raddle/locality.cuh>

namespace raddle::workloads::locality {

namespace library = raddle::locality;

template <class F>
using Reducer = typename library::detail::ReducerOf<F>::Type;
template <class F>
using Value = typename Reducer<F>::Value;

/// Each thread has a stack of its own, in local memory.
template <class F>
__global__ void traverse_by_stack(const F function, std::uint32_t count,
                                  Value<F>* __restrict__ values) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  library::detail::Walk<F> walk(Reducer<F>::identity());
  if (!walk.run(function, i, 0)) __trap();
  values[i] = walk.value();
}

/// The object that the next two kernels pass to functions. It stores the arguments that they spawn.
template <class F>
class Visit {
 public:
  __device__ explicit Visit(const Value<F>& begin) : value_(begin) {}
  __device__ void spawn(std::uint32_t node) {
    if (spawned_++ == 0) first_ = node;
    last_ = node;
  }
  __device__ void reduce(const Value<F>& value) { value_ = Reducer<F>::combine(value_, value); }
  __device__ const Value<F>& partial() const { return value_; }
  template <class T>
  __device__ T read(const T* from) const {
    return library::detail::load(from);
  }
  template <class T, class Index>
  __device__ T read(const T* array, Index index) const {
    return library::detail::load(array + index);
  }

  /// Calls the function once. Returns true if it has spawned first() and last().
  __device__ bool visit(F& function, std::uint32_t i, std::uint32_t node) {
    spawned_ = 0;
    function(i, node, *this);
    return spawned_ != 0;
  }
  __device__ std::uint32_t first() const { return first_; }
  __device__ std::uint32_t last() const { return last_; }

 private:
  Value<F> value_;
  unsigned spawned_ = 0;
  std::uint32_t first_ = 0, last_ = 0;
};

/// Without a stack: if nothing is spawned, the next node is the one after the subtree ("rope"). The
/// order is that of memory, not the one in which the function spawns.
template <class F>
__global__ void traverse_by_ropes(F function, std::uint32_t count, std::uint32_t nodes,
                                  Value<F>* __restrict__ values) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Visit<F> at(Reducer<F>::identity());
  library::detail::begin(function, i, at);
  for (std::uint32_t node = 0; node < nodes;) {
    node = at.visit(function, i, node) ? node + 1 : at.read(function.skip, node);
  }
  values[i] = at.partial();
}

/// The threads of a warp walk together over all nodes that any of them needs, with one stack in
/// shared memory. Threads that do not need a node wait. A vote decides which child is first.
template <class F>
__global__ void traverse_in_lock_step(F function, std::uint32_t count,
                                      Value<F>* __restrict__ values) {
  constexpr unsigned kWarps = 4;
  __shared__ std::uint32_t nodes[kWarps][F::kStack], masks[kWarps][F::kStack];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  Visit<F> at(Reducer<F>::identity());
  std::uint32_t node = 0, mask = __ballot_sync(0xffffffffu, i < count);
  if (i < count) library::detail::begin(function, i, at);
  for (unsigned size = 0;;) {
    bool spawned = false;
    if ((mask >> lane & 1) != 0) spawned = at.visit(function, i, node);
    const std::uint32_t below = __ballot_sync(0xffffffffu, spawned);
    if (below != 0) {
      const std::uint32_t left = node + 1;
      const std::uint32_t for_left = __ballot_sync(0xffffffffu, spawned && at.first() == left);
      const int speaker = __ffs(static_cast<int>(below)) - 1;
      const std::uint32_t sum = __shfl_sync(0xffffffffu, at.first() + at.last(), speaker);
      const bool left_first = 2 * __popc(for_left) >= __popc(below);
      node = left_first ? left : sum - left;
      mask = below;
      if (lane == 0) {
        nodes[warp][size] = sum - node;
        masks[warp][size] = below;
      }
      ++size;
      __syncwarp();
    } else if (size != 0) {
      --size;
      node = nodes[warp][size];
      mask = masks[warp][size];
      __syncwarp();
    } else {
      break;
    }
  }
  if (i < count) values[i] = at.partial();
}

}  // namespace raddle::workloads::locality
