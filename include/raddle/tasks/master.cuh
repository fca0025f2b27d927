// The MasterKernel (Pagoda, section 4.1): blocks of 32 warps that fill the GPU and stay, one warp
// of each scheduling, the others executing warps of tasks.
#pragma once

#include <cstdint>

#include "executor.cuh"
#include "scheduler.cuh"

namespace raddle::tasks::detail {

// Two blocks of 1024 threads on a multiprocessor, where it has room for 2048: at most 32 registers
// a thread, those of the task kernels included.
#if defined(__CUDA_ARCH__) &&                                                \
    (__CUDA_ARCH__ == 750 || (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || \
     __CUDA_ARCH__ >= 1100)
#define RADDLE_TASKS_MASTERS 1
#else
#define RADDLE_TASKS_MASTERS 2
#endif

// All that the MasterKernel runs is inlined in it: the compiler bounds the registers of a kernel, not
// of what it calls. So the task's function is a parameter of the template, too, and no pointer.
template <auto F, class... A>
__device__ __forceinline__ void call(const Arguments<>&, const A&... values) {
  F(values...);
}
template <auto F, class Last, class... A>
__device__ __forceinline__ void call(const Arguments<Last>& from, const A&... values) {
  F(values..., from.first);
}
template <auto F, class First, class Second, class... Rest, class... A>
__device__ __forceinline__ void call(const Arguments<First, Second, Rest...>& from,
                                     const A&... values) {
  call<F>(from.rest, values..., from.first);
}

template <auto F>
__device__ __forceinline__ void run_kernel(const unsigned char* arguments) {
  using Kind = Signature<decltype(F)>;
  if constexpr (Kind::kCount == 0) {
    F();
  } else {
    constexpr unsigned kQuads = (Kind::kBytes + 15) / 16;
    uint4 quads[kQuads];
#pragma unroll
    for (unsigned i = 0; i < kQuads; ++i) quads[i] = fresh_quad(arguments + 16 * i);
    typename Kind::Pack pack;
    std::memcpy(&pack, quads, sizeof pack);
    call<F>(pack);
  }
}

template <auto... Fs>
__device__ __forceinline__ void run_one_of(unsigned kernel, const unsigned char* arguments) {
  unsigned index = 0;
  ((index++ == kernel ? run_kernel<Fs>(arguments) : void()), ...);
}

/// A warp's task has ended (Options::occupancy).
__device__ inline void count_busy(State& state) {
  __syncwarp();
  if (lane() == 0) {
    atomicAdd(&state.busy, static_cast<unsigned long long>(clock64() - state.began[warp()]));
  }
}
/// Of warps that leave: all of them have counted before the scheduler lets them.
__device__ inline void tell_busy(State& state) {
  if (warp() == 1 && lane() == 0) atomicAdd(state.table.busy, state.busy);
}

template <auto... Fs>
__global__ void __launch_bounds__(kMasterThreads, RADDLE_TASKS_MASTERS) master(Table table) {
  State& mine = state();
  if (threadIdx.x == 0) {
    mine.table = table;
    constexpr std::uint32_t kList = number_of_list(Kernels<Fs...>{});
    mine.list = kList;
    mine.yard = mine.ended = mine.ended_subtasks = 0;
    mine.busy = 0;
  }
  if (threadIdx.x <= kExecutors) mine.exec[threadIdx.x] = 0;
  __syncthreads();
  if (warp() == 0) {
    Scheduler(mine).run();
    return;
  }
  while (true) {
    const std::uint32_t order = wait_for_work(mine);
    if (order == kLeave) {
      if (mine.table.busy != nullptr) tell_busy(mine);
      return;
    }
    for (bool more = begin_work(mine, order); more; more = go_on(mine)) {
      if (mine.table.busy != nullptr && lane() == 0) mine.began[warp()] = clock64();
      if (thread() < block_size()) {
        run_one_of<Fs...>(my_task().kernel, my_task().arguments);
      }
      if (const unsigned threads = block_size() - my_post().first_thread; threads < kWarp) {
        rejoin(threads);
      }
      if (mine.table.busy != nullptr) count_busy(mine);
    }
    end_work(mine);
  }
}

}  // namespace raddle::tasks::detail
