// The MasterKernel (Pagoda, section 4.1): blocks of 32 warps that fill the GPU and stay, one warp
// of each scheduling, the others executing warps of tasks.
#pragma once

#include <cstdint>

#include "executor.cuh"
#include "moves.cuh"
#include "run_kernel.cuh"
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
    desk().list = kList;
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
    bool more = begin_work(mine, order);
    const bool any = more;
    if (any) bring_inputs(mine);
    for (; more; more = go_on(mine)) {
      if (mine.table.busy != nullptr && lane() == 0) mine.began[warp()] = clock64();
      if (thread() < block_size()) {
        run_one_of<Fs...>(my_task().kernel, my_task().arguments);
      }
      if (const unsigned threads = block_size() - my_post().first_thread; threads < kWarp) {
        rejoin(threads);
      }
      if (mine.table.busy != nullptr) count_busy(mine);
      count_worked();
    }
    if (any) take_results(mine);
    end_work(mine);
  }
}

}  // namespace raddle::tasks::detail
