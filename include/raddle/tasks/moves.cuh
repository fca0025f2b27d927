// Inputs and results that a task's own warps move: no call of CUDA is made for the task. The inputs come from
// pinned host memory before the task's work, the results go there after it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "block.cuh"
#include "ending.cuh"

namespace raddle::tasks {

namespace detail {

// What a warp moves at once: four loads of 16 bytes a lane, which are on their way together.
inline constexpr unsigned kChunk = 4 * kWarp * sizeof(uint4);
// Results of so many chunks are taken away by the task's last warp, by itself: the others need not wait for it.
inline constexpr unsigned kChunksAlone = 2;

/// Sixteen bytes a thread, in turn with `step - 1` others; both places are aligned to 16 bytes.
__device__ inline void move_quads(unsigned char* to, const unsigned char* from, std::size_t quads,
                                  unsigned first, unsigned step) {
  constexpr unsigned kTogether = 4;
  std::size_t at = first;
  for (; at + (kTogether - 1) * std::size_t{step} < quads; at += kTogether * std::size_t{step}) {
    uint4 some[kTogether];
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i) some[i] = fresh_quad(from + 16 * (at + i * step));
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i) {
      *reinterpret_cast<uint4*>(to + 16 * (at + i * step)) = some[i];
    }
  }
#pragma unroll 1
  for (; at < quads; at += step) {
    *reinterpret_cast<uint4*>(to + 16 * at) = fresh_quad(from + 16 * at);
  }
}

/// `bytes` bytes by `step` threads, of which the calling one is the `first`-th.
__device__ inline void move_bytes(void* to, const void* from, std::size_t bytes, unsigned first,
                                  unsigned step) {
  auto* const bytes_to = static_cast<unsigned char*>(to);
  const auto* const bytes_from = static_cast<const unsigned char*>(from);
  const std::uintptr_t both =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  std::size_t done = 0;
  if (both % sizeof(uint4) == 0) {
    done = bytes / sizeof(uint4) * sizeof(uint4);
    move_quads(bytes_to, bytes_from, bytes / sizeof(uint4), first, step);
  } else if (both % sizeof(std::uint32_t) == 0) {
    done = bytes / sizeof(std::uint32_t) * sizeof(std::uint32_t);
#pragma unroll 1
    for (std::size_t at = first; at < bytes / sizeof(std::uint32_t); at += step) {
      reinterpret_cast<std::uint32_t*>(bytes_to)[at] =
          fresh(reinterpret_cast<const std::uint32_t*>(bytes_from)[at]);
    }
  }
#pragma unroll 1
  for (std::size_t at = done + first; at < bytes; at += step) bytes_to[at] = fresh(bytes_from[at]);
}

/// The i-th transfer of the calling warp's task.
__device__ inline Transfer transfer(const Active& task, unsigned i) {
  const unsigned char* const at = task.arguments + kMaxArgumentBytes - (i + 1) * sizeof(Transfer);
  static_assert(sizeof(Transfer) == 24 && kMaxArgumentBytes % alignof(Transfer) == 0);
  const auto* const words = reinterpret_cast<const unsigned long long*>(at);
  return {reinterpret_cast<void*>(fresh(words[0])), reinterpret_cast<const void*>(fresh(words[1])),
          static_cast<std::size_t>(fresh(words[2]))};
}
__device__ inline std::uint32_t chunks_of(const Transfer& one) {
  return static_cast<std::uint32_t>((one.bytes + kChunk - 1) / kChunk);
}
/// Of the task's transfers from `first` to `last`.
__device__ inline std::uint32_t count_chunks(const Active& task, unsigned first, unsigned last) {
  std::uint32_t chunks = 0;
  for (unsigned i = first; i < last; ++i) chunks += chunks_of(transfer(task, i));
  return chunks;
}

/// The calling warp moves chunks of these transfers, as long as there is one that no warp has taken. Returns
/// how many it has moved. Whoever has taken one is at work on it: so who waits for all of them waits for warps
/// that run, whatever blocks of the task have not begun.
__device__ inline std::uint32_t move_share(const Active& task, unsigned first, unsigned last,
                                           std::uint32_t& taken) {
  const auto take = [&taken] {
    std::uint32_t mine = 0;
    if (lane() == 0) mine = atomicAdd(&taken, 1u);
    return __shfl_sync(~0u, mine, 0);
  };
  std::uint32_t moved = 0, before = 0, mine = take();
  for (unsigned i = first; i < last; ++i) {
    const Transfer one = transfer(task, i);
    const std::uint32_t until = before + chunks_of(one);
    for (; mine < until; mine = take(), ++moved) {
      const std::size_t at = std::size_t{mine - before} * kChunk;
      const std::size_t left = one.bytes - at;
      move_bytes(static_cast<unsigned char*>(one.to) + at,
                 static_cast<const unsigned char*>(one.from) + at, left < kChunk ? left : kChunk,
                 lane(), kWarp);
    }
    before = until;
  }
  __syncwarp();
  return moved;
}

/// The calling warp, which has got work of its task: until all of the task's inputs have come.
__device__ inline void bring_inputs(State& state) {
  Active& task = my_task();
  const unsigned ins = task.ins;
  if (ins == 0) return;
  const std::uint32_t all = count_chunks(task, 0, ins);
  if (fresh(task.brought) != all) {
    const std::uint32_t moved = move_share(task, 0, ins, task.bringing);
    if (lane() == 0) {
      __threadfence_block();
      if (moved != 0) atomicAdd(&task.brought, moved);
    }
    __syncwarp();
    while (__any_sync(~0u, fresh(task.brought) != all)) nap(state.table.idle, 100);
  }
  __threadfence_block();
  __syncwarp();
}

/// The calling warp has run one of its task.
__device__ inline void count_worked() {
  Active& task = my_task();
  if (task.outs == 0) return;
  __syncwarp();
  if (lane() == 0) {
    __threadfence_block();
    atomicAdd(&task.worked, 1u);
  }
  __syncwarp();
}

/// The calling warp will run no more of its task: it takes away results, when all of the task's warps have
/// run. They are there before the host hears of the task's end.
__device__ inline void take_results(State& state) {
  Active& task = my_task();
  const unsigned ins = task.ins, outs = task.outs;
  if (outs == 0) return;
  const std::uint32_t warps = task.blocks * ((task.threads + kWarp - 1) / kWarp);
  if (__any_sync(~0u, fresh(task.worked) != warps)) {
    // The last warp to have run comes here, too, and moves whatever the others leave.
    if (count_chunks(task, ins, ins + outs) <= kChunksAlone) return;
    while (__any_sync(~0u, fresh(task.worked) != warps)) nap(state.table.idle, 100);
  }
  __threadfence_block();
  __syncwarp();
  move_share(task, ins, ins + outs, task.taking);
  // With `mapped` who tells the end has such a fence behind what all the task's warps have stored.
  if (state.table.system == 0) __threadfence_system();
  __syncwarp();
}

}  // namespace detail

/// All threads of the block copy `bytes` bytes, 16 at a time where both places are aligned to that: between
/// memory of any kind that the GPU reaches, shared and pinned memory among it. What is read from pinned memory
/// is as the host has left it before the task was spawned. Others of the block see it after sync_block().
__device__ inline void copy(void* to, const void* from, std::size_t bytes) {
  detail::move_bytes(to, from, bytes, thread(), block_size());
}

}  // namespace raddle::tasks
