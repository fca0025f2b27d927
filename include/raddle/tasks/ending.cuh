// How a task ends: its blocks, what it has spawned, and the word that tells the host.
#pragma once

#include <cstdint>

#include "block.cuh"

namespace raddle::tasks::detail {

/// Device memory: other multiprocessors; the host as well, when the table is in its memory.
__device__ inline void fence(const Table& table) {
  if (table.system != 0) {
    __threadfence_system();
  } else {
    __threadfence();
  }
}

/// The task in `entry` has ended, and so have those that it spawned: the host may know. `code` of
/// its failure. Called by one thread, after a fence behind the task's writes.
__device__ inline void tell_end(const Table& table, std::uint32_t entry, std::uint32_t code) {
  while (entry >= table.first_spawned()) {
    Entry& ended = table.entry(entry);
    const std::uint32_t parent = fresh(table.families[entry].parent);
    const std::uint32_t ticket = fresh(ended.sequence) - 1;
    Family& above = table.families[parent];
    if (code != 0) atomicMax(&above.code, code);
    __threadfence();
    put(ended.sequence, ticket + table.subtasks.capacity);  // free for the task a round later
    if (atomicSub(&above.children, 1u) != kEnded + 1) return;
    __threadfence();
    entry = parent;
    code = atomicExch(&above.code, 0u);
  }
  put(table.families[entry].children, 0u);
  fence(table);
  const std::uint32_t count = fresh(table.ended[entry]) >> 8;
  put(table.ended[entry], (count + 1) << 8 | code);
}

/// All warps of a task have ended. Its entry is free when what it spawned has ended, too.
__device__ inline void end_task(State& state, std::uint32_t active) {
  const Active& task = state.active[active];
  const std::uint32_t entry = task.entry;
  std::uint32_t code = fresh(task.code);
  const bool spawned = fresh(task.spawned) != 0;
  __threadfence_block();  // the place may be another task's as soon as its bit is set
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

/// One of the task's holders lets it go. Called by one thread, after a fence within the block.
__device__ inline void release(State& state, std::uint32_t active) {
  if (atomicSub(&state.active[active].holders, 1u) != 1) return;
  fence(state.table);  // what the task has written, all its warps
  end_task(state, active);
}

}  // namespace raddle::tasks::detail
