// Partitions of groups into smaller ones.
#pragma once

#include "thread_block_tile.h"

namespace cooperative_groups {

template <unsigned int Size>
__device__ inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}
template <unsigned int Size, unsigned int ParentSize, class Grandparent>
__device__ inline thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>
tiled_partition(const thread_block_tile<ParentSize, Grandparent>& parent) {
  static_assert(Size <= ParentSize, "a tile is no larger than the group that it is cut from");
  return {parent.thread_rank() / Size, ParentSize / Size};
}

// Tiles of a size known at run time, 1 to 32; the last may be smaller.
__device__ inline thread_group tiled_partition(const thread_group& group, unsigned int size) {
  unsigned int mask = 0;
  if (group.kind_ == thread_group::kind::lanes) {
    const unsigned int first = details::rank_in(group.mask_) / size * size;
    unsigned int rank = 0;
    for (unsigned int rest = group.mask_; rest != 0; rest &= rest - 1, ++rank) {
      if (rank >= first && rank < first + size) mask |= rest & (0u - rest);
    }
  } else {
    const unsigned int first = details::lane_id() / size * size;
    mask = (size == 32 ? 0xffffffffu : (1u << size) - 1) << first;
  }
  return coalesced_group(mask);
}
__device__ inline coalesced_group tiled_partition(const coalesced_group& group, unsigned int size) {
  unsigned int mask = 0, rank = 0;
  const unsigned int first = group.thread_rank() / size * size;
  for (unsigned int rest = group.lane_mask(); rest != 0; rest &= rest - 1, ++rank) {
    if (rank >= first && rank < first + size) mask |= rest & (0u - rest);
  }
  return coalesced_group(mask, first / size, (group.size() + size - 1) / size);
}

// The threads of a tile or coalesced group that agree in a label.
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned int all = group.lane_mask();
  const unsigned int mine = __match_any_sync(all, label);
  // A group's number is that of its first lane among the first lanes of all groups.
  const unsigned int leaders = __ballot_sync(all, details::rank_in(mine) == 0);
  const unsigned int rank = __popc(leaders & ((1u << (__ffs(mine) - 1)) - 1));
  return coalesced_group(mine, rank, __popc(leaders));
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int all = group.lane_mask();
  const unsigned int yes = __ballot_sync(all, predicate);
  const unsigned int parts = yes != 0 && yes != all ? 2 : 1;
  return coalesced_group(predicate ? yes : all & ~yes, predicate && parts == 2 ? 1 : 0, parts);
}

// Calls `function` in one thread of the group.
template <class Group, class Function>
__device__ inline void invoke_one(const Group& group, Function&& function) {
  if (group.thread_rank() == 0) function();
}

}  // namespace cooperative_groups
