// The MasterKernel (Pagoda, section 4.1): blocks of 32 warps that fill the GPU and stay, one warp
// of each scheduling, the others executing warps of tasks.
#pragma once

#include <cstdint>

#include "block.cuh"
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

/// Sixteen bytes, past the L1 cache.
__device__ inline uint4 fresh_quad(const void* at) {
  uint4 quad;
  asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "l"(at)
               : "memory");
  return quad;
}

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
__device__ __forceinline__ void run_kernel(const Entry& entry) {
  using Kind = Signature<decltype(F)>;
  if constexpr (Kind::kBytes == 0) {
    F();
  } else {
    constexpr unsigned kQuads = (Kind::kBytes + 15) / 16;
    uint4 quads[kQuads];
#pragma unroll
    for (unsigned i = 0; i < kQuads; ++i) quads[i] = fresh_quad(entry.arguments + 16 * i);
    typename Kind::Pack pack;
    std::memcpy(&pack, quads, sizeof pack);
    call<F>(pack);
  }
}

template <auto... Fs>
__device__ __forceinline__ void run_one_of(unsigned kernel, const Entry& entry) {
  unsigned index = 0;
  ((index++ == kernel ? run_kernel<Fs>(entry) : void()), ...);
}

/// Of one lane: what its warp is going to run.
__device__ inline void take_post(State& state, unsigned me, std::uint32_t running) {
  const Running& block = state.running[running];
  const Active& task = state.active[block.active];
  state.posts[me] = {state.warp_in_block[me] * kWarp,
                     task.threads,
                     block.block,
                     task.blocks,
                     running,
                     block.active,
                     block.barrier,
                     block.first_leaf * Buddy::kLeaf};
}

/// Waits until the scheduler has something for this executor: a running block + 1, or kLeave.
__device__ inline std::uint32_t wait_for_work(State& state) {
  const unsigned me = warp();
  const std::uint32_t bit = 1u << (me - 1);
  const Idle idle = state.table.idle;
  std::uint32_t yard = 0, order = 0;
  while (order == 0) {
    if (lane() == 0) yard = atomicOr(&state.yard, bit);
    if (idle == Idle::park) {
      yard = __shfl_sync(~0u, yard, 0);
      asm volatile("bar.sync %0, %1;" ::"r"(kYard + (yard >> 31)), "n"(kMasterThreads) : "memory");
      order = fresh(state.exec[me]);
    } else {
      unsigned rest = 50;  // ns, longer and longer: many may wait for long
      while ((order = fresh(state.exec[me])) == 0) {
        nap(idle, rest);
        rest = rest < 1600 ? 2 * rest : rest;
      }
    }
    __syncwarp();
  }
  __threadfence_block();
  if (lane() == 0) {
    put(state.exec[me], 0u);
    if (order != kLeave) take_post(state, me, order - 1);
  }
  __syncwarp();
  return order;
}

/// The last warp of a task has ended. Its entry is free when what it spawned has ended, too.
__device__ inline void end_task(State& state, std::uint32_t active) {
  const Active& task = state.active[active];
  const std::uint32_t entry = task.entry;
  std::uint32_t code = fresh(task.code);
  const bool spawned = fresh(task.spawned) != 0;
  if (active >= kRows) atomicOr(&state.ended_subtasks, 1u << (active - kRows));
  if (spawned) {
    Family& mine = state.table.families[entry];
    if (code != 0) atomicMax(&mine.code, code);
    __threadfence();
    if (atomicAdd(&mine.children, kEnded) != 0) return;
    __threadfence();
    code = atomicExch(&mine.code, 0u);
  }
  tell_end(state.table, entry, code);
}

/// The calling warp, of a running block, has ended.
__device__ inline void end_warp(State& state) {
  __syncwarp();
  if (lane() == 0) {
    const std::uint32_t running = my_post().running;
    Running& block = state.running[running];
    const std::uint32_t active = block.active;
    __threadfence_block();
    if (atomicSub(&block.warps_left, 1u) == 1) {
      fence(state.table);  // what the task has written, all its warps
      if (atomicSub(&state.active[active].blocks_left, 1u) == 1) end_task(state, active);
      __threadfence_block();
      atomicOr(&state.ended, 1u << running);
    }
  }
  __syncwarp();
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
    const Active& task = my_task();
    if (mine.table.busy != nullptr && lane() == 0) mine.began[warp()] = clock64();
    if (thread() < block_size()) {
      run_one_of<Fs...>(task.kernel, mine.table.entry(task.entry));
    }
    if (mine.table.busy != nullptr) count_busy(mine);
    end_warp(mine);
  }
}

}  // namespace raddle::tasks::detail
