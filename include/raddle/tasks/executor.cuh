// How an executor warp comes by warps of tasks: by an order of the scheduler, and after that, of the
// same task, on its own.
#pragma once

#include <cstdint>

#include "ending.cuh"

namespace raddle::tasks::detail {

/// Waits until the scheduler has something for this executor: its order.
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
    order = __shfl_sync(~0u, order, 0);  // lanes that have looked at different times agree
  }
  __threadfence_block();
  if (lane() == 0) put(state.exec[me], 0u);
  return order;
}

/// Takes the next warp of a task for the calling one; false when all are taken.
__device__ inline bool take_warp(State& state, unsigned me) {
  Post& post = desk().posts[me];
  bool taken = false;
  if (lane() == 0) {
    Active& task = state.active[post.active];
    const std::uint32_t warps = (task.threads + kWarp - 1) / kWarp;
    const std::uint32_t next = atomicAdd(&task.next, 1u);
    const std::uint32_t block = task.blocks == 1 ? 0 : next / warps;
    taken = next < task.blocks * warps;
    post.block = block;
    post.first_thread = (next - block * warps) * kWarp;
  }
  __syncwarp();
  return __shfl_sync(~0u, taken, 0);
}

/// The team's executors meet.
__device__ inline void meet(const Team& team, std::uint32_t threads) {
  __syncwarp();
  if (team.barrier != 0) {
    const unsigned all = (threads + kWarp - 1) / kWarp * kWarp, barrier = team.barrier;
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(all) : "memory");
  }
}

/// The calling warp's team, all of which come here, goes on with the task's next block, in the same
/// shared memory; false when all blocks are taken. Traps if another warp meets this one at a
/// sync_block() of the task's, to which this one should have come.
__device__ inline bool take_block(State& state, unsigned me) {
  Post& post = desk().posts[me];
  Team& team = state.teams[post.team];
  const std::uint32_t warps = (post.threads + kWarp - 1) / kWarp;
  if (team.sync != 0 && lane() == 0) atomicAdd(&team.come, 1u);
  meet(team, post.threads);
  if (team.sync != 0 && fresh(team.come) % warps != 0) __trap();
  if (post.first_thread == 0 && lane() == 0) {
    put(team.block, atomicAdd(&state.active[post.active].next, 1u));
  }
  meet(team, post.threads);
  const std::uint32_t block = fresh(team.block);
  if (lane() == 0) post.block = block;
  __syncwarp();
  return block < post.blocks;
}

/// Whether there is a warp to run by `order`. If so, the post says which.
__device__ inline bool begin_work(State& state, std::uint32_t order) {
  const unsigned me = warp();
  const bool alone = order >= kFirstActive;
  bool any = true;
  if (lane() == 0) {
    const Team& team = state.teams[alone ? 0 : order - 1];
    const std::uint32_t active = alone ? order - kFirstActive : team.active;
    const Active& task = state.active[active];
    Post post{0, task.threads, 0, task.blocks, kAlone, active, 0, kNoShared};
    if (!alone) {
      post.first_thread = state.warp_in_block[me] * kWarp;
      post.block = team.block;
      post.team = order - 1;
      if (team.sync != 0) post.barrier = team.barrier;
      if (team.has_shared != 0)
        post.shared = shared_address(state.pool + team.first_leaf * Buddy::kLeaf);
    }
    desk().posts[me] = post;
    desk().codes[me] = &state.active[active].code;
    any = post.block < post.blocks;  // other teams may have taken the last one meanwhile
  }
  __syncwarp();
  return alone ? take_warp(state, me) : __shfl_sync(~0u, any, 0);
}

inline constexpr unsigned kRejoin = 0x72616464;  // no value that a task is likely to exchange

/// The lanes of a warp that the block does not fill meet again. Those beyond the block come here at
/// once, and wait: if the task's threads name them in a mask (see lanes()), hardware may take what they
/// wait at for what they are to meet at there, so that they would be out of step from here on. That
/// shows in what the first lane says.
__device__ inline void rejoin(unsigned threads) {
  const bool beyond = lane() >= threads;
  if (!beyond) __syncwarp(lanes_of(threads));
  for (unsigned word = kRejoin; word < kRejoin + 2; ++word) {
    if (__shfl_sync(~0u, beyond ? 0u : word, 0) != word) __trap();
  }
}

/// The calling warp has run one of a task. Whether there is another for it, without the scheduler.
__device__ inline bool go_on(State& state) {
  __syncwarp();
  const unsigned me = warp();
  const Post& post = desk().posts[me];
  if (post.blocks == 1) return false;
  return post.team == kAlone ? take_warp(state, me) : take_block(state, me);
}

/// The calling warp has nothing more to do for its task.
__device__ inline void end_work(State& state) {
  __syncwarp();
  if (lane() == 0) {
    const Post& post = my_post();
    __threadfence_block();
    if (post.team == kAlone) {
      release(state, post.active);
    } else if (atomicSub(&state.teams[post.team].warps_left, 1u) == 1) {
      release(state, post.active);
      __threadfence_block();
      atomicOr(&state.ended, 1u << post.team);
    }
  }
  __syncwarp();
}

}  // namespace raddle::tasks::detail
