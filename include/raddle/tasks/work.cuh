// A task's kernel written once, for the runtime of tasks.cuh and for its alternatives: a struct of
// parameters with
//
//   template <class At>
//   __device__ void operator()(const At& at) const;
//
// where `at` says where a thread is: at.thread(), at.block_size(), at.block(), at.blocks(),
// at.sync(), at.shared<T>(), at.lanes() (the mask of its warp's threads). At::kBounded: it runs within
// the registers of the MasterKernel (32 where a multiprocessor holds 2048 threads), so that a loop may
// want to be unrolled less.
#pragma once

#include <cstdint>

#include "block.cuh"
#include "master.cuh"

namespace raddle::tasks {

/// In a task of a Runtime. Loops count by the thread and the size of the block.
struct TaskBlock {
  static constexpr bool kBounded = true;
  const unsigned my_thread = tasks::thread(), my_block_size = tasks::block_size();

  __device__ unsigned thread() const { return my_thread; }
  __device__ unsigned block_size() const { return my_block_size; }
  __device__ unsigned block() const { return tasks::block(); }
  __device__ unsigned blocks() const { return tasks::blocks(); }
  __device__ void sync() const { sync_block(); }
  __device__ unsigned lanes() const { return tasks::lanes(); }
  template <class T>
  __device__ T* shared() const {
    return tasks::shared<T>();
  }
};

/// In a kernel of its own.
struct KernelBlock {
  static constexpr bool kBounded = false;
  __device__ unsigned thread() const { return threadIdx.x; }
  __device__ unsigned block_size() const { return blockDim.x; }
  __device__ unsigned block() const { return blockIdx.x; }
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned lanes() const {
    return detail::lanes_of(blockDim.x - threadIdx.x / detail::kWarp * detail::kWarp);
  }
  template <class T>
  __device__ T* shared() const {
    extern __shared__ uint4 raddle_tasks_pool[];
    return reinterpret_cast<T*>(raddle_tasks_pool);
  }
};

/// In a task of a Batch, whose kernel has twice as many registers: the block's memory is at an address that the
/// compiler knows, as tasks::shared() is not.
struct BatchBlock : TaskBlock {
  static constexpr bool kBounded = false;
  template <class T>
  __device__ T* shared() const {
    return KernelBlock().shared<T>();
  }
};

/// The same as KernelBlock, with the registers that it would have as a task.
struct BoundedKernelBlock : KernelBlock {
  static constexpr bool kBounded = true;
};

/// In a kernel that does the work of many tasks, in blocks of the largest task's size.
struct SharedBlock {
  static constexpr bool kBounded = false;
  unsigned index, count, threads;

  __device__ unsigned thread() const { return threadIdx.x; }
  __device__ unsigned block_size() const { return threads; }
  __device__ unsigned block() const { return index; }
  __device__ unsigned blocks() const { return count; }
  __device__ void sync() const {
    asm volatile("bar.sync 1, %0;" ::"r"((threads + 31) / 32 * 32) : "memory");
  }
  __device__ unsigned lanes() const {
    return detail::lanes_of(threads - threadIdx.x / detail::kWarp * detail::kWarp);
  }
  template <class T>
  __device__ T* shared() const {
    return KernelBlock().shared<T>();
  }
};

template <class Work>
__device__ __forceinline__ void as_task(Work work) {
  work(TaskBlock{});
}
template <class Work>
__device__ __forceinline__ void as_batched(Work work) {
  work(BatchBlock{});
}
template <class Work>
__global__ void as_kernel(Work work) {
  work(KernelBlock{});
}
template <class Work>
__global__ void __launch_bounds__(detail::kMasterThreads, RADDLE_TASKS_MASTERS)
    as_bounded_kernel(Work work) {
  work(BoundedKernelBlock{});
}

namespace detail {

/// Some task, in the memory of kernels that do the work of many.
template <class... Works>
struct Packed {
  static constexpr unsigned most() {
    unsigned bytes = 0;
    ((bytes = sizeof(Works) > bytes ? sizeof(Works) : bytes), ...);
    return bytes;
  }
  std::uint32_t kind, threads, blocks;
  alignas(8) unsigned char bytes[most()];
};

template <class Work, class At>
__device__ __forceinline__ void run_packed(const unsigned char* bytes, const At& at) {
  static_assert(alignof(Work) <= 8, "parameters lie at multiples of 8 bytes");
  Work work;
  // Unaligned memory would be read byte by byte.
  std::memcpy(&work, __builtin_assume_aligned(bytes, 8), sizeof work);
  work(at);
}

template <class... Works>
__device__ __forceinline__ void run_shared(const Packed<Works...>& task, unsigned block) {
  if (threadIdx.x >= task.threads) return;
  const SharedBlock at{block, task.blocks, task.threads};
  unsigned kind = 0;
  ((kind++ == task.kind ? run_packed<Works>(task.bytes, at) : void()), ...);
}

}  // namespace detail

/// Static fusion: block b of one kernel does block map[b].y of task map[b].x.
template <class... Works>
__global__ void fused(const detail::Packed<Works...>* tasks, const uint2* map) {
  const uint2 mine = map[blockIdx.x];
  detail::run_shared(tasks[mine.x], mine.y);
}

/// A SuperKernel (GeMTC: S. Krieder et al., HPDC 2014): its blocks take tasks of a batch from one
/// queue until it is empty.
template <class... Works>
__global__ void super_kernel(const detail::Packed<Works...>* tasks, const uint2* map,
                             unsigned count, unsigned* next) {
  __shared__ unsigned taken;
  while (true) {
    if (threadIdx.x == 0) taken = atomicAdd(next, 1u);
    __syncthreads();
    const unsigned index = taken;
    if (index >= count) return;
    const uint2 mine = map[index];
    detail::run_shared(tasks[mine.x], mine.y);
    __syncthreads();
  }
}

}  // namespace raddle::tasks
