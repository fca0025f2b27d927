// Tiles of a size known at compile time, up to a warp, and groups of coalesced threads.
#pragma once

#include "thread_group.h"

namespace cooperative_groups {

class coalesced_group;

namespace details {

// What tiles and coalesced groups can do alike, knowing their mask of lanes: votes and matches give
// bits by rank in the group, not by lane.
template <class Group>
class lane_collectives {
 public:
  __device__ int any(int predicate) const { return __any_sync(lanes(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(lanes(), predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return by_rank(__ballot_sync(lanes(), predicate));
  }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return by_rank(__match_any_sync(lanes(), value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& all_equal) const {
    return by_rank(__match_all_sync(lanes(), value, &all_equal));
  }

 private:
  __device__ unsigned int lanes() const { return static_cast<const Group*>(this)->lane_mask(); }
  __device__ unsigned int by_rank(unsigned int mask) const {
    return static_cast<const Group*>(this)->pack(mask);
  }
};

}  // namespace details

template <unsigned int Size, class Parent = void>
class thread_block_tile : public thread_group,
                          public details::lane_collectives<thread_block_tile<Size, Parent>> {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles of 1, 2, 4, 8, 16 and 32 threads are supported");

 public:
  __device__ thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(kind::lanes, lane_mask(), Size),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}
  template <class OtherParent>
  __device__ thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

  __device__ static void sync() { __syncwarp(lane_mask()); }
  __host__ __device__ static constexpr unsigned int size() { return Size; }
  __host__ __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static unsigned int thread_rank() { return details::lane_id() & (Size - 1); }
  __device__ unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    return details::exchange_words(
        value, [=](unsigned int word) { return __shfl_sync(lane_mask(), word, rank, Size); });
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    return details::exchange_words(
        value, [=](unsigned int word) { return __shfl_up_sync(lane_mask(), word, delta, Size); });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    return details::exchange_words(
        value, [=](unsigned int word) { return __shfl_down_sync(lane_mask(), word, delta, Size); });
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned int mask) const {
    return details::exchange_words(
        value, [=](unsigned int word) { return __shfl_xor_sync(lane_mask(), word, mask, Size); });
  }

  // The lanes of this tile, and lanes moved down to ranks.
  __device__ static unsigned int lane_mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1) << first_lane();
  }
  __device__ static unsigned int pack(unsigned int lanes) { return lanes >> first_lane(); }

 private:
  __device__ static unsigned int first_lane() { return details::lane_id() & ~(Size - 1); }
  unsigned int meta_rank_, meta_size_;
};

// Some lanes of one warp, in the order of their lane numbers.
class coalesced_group : public thread_group, public details::lane_collectives<coalesced_group> {
 public:
  __device__ explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                      unsigned int meta_size = 1)
      : thread_group(kind::lanes, mask, __popc(mask)),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}
  template <unsigned int Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : coalesced_group(tile.lane_mask(), tile.meta_group_rank(), tile.meta_group_size()) {}

  __device__ unsigned int size() const { return __popc(mask()); }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const { return details::rank_in(mask()); }
  __device__ unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  __device__ T shfl(T value, unsigned int rank) const {
    const unsigned int lane = details::lane_of_rank(mask(), rank % size());
    return from_lane(value, lane);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return from_lane(value, details::lane_of_rank(mask(), rank < delta ? rank : rank - delta));
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    const bool outside = delta >= size() - rank;
    return from_lane(value, details::lane_of_rank(mask(), outside ? rank : rank + delta));
  }

  __device__ unsigned int lane_mask() const { return mask(); }
  __device__ unsigned int pack(unsigned int lanes) const {
    unsigned int ranks = 0, rank = 0;
    for (unsigned int rest = mask(); rest != 0; rest &= rest - 1, ++rank) {
      if (lanes & rest & (0u - rest)) ranks |= 1u << rank;
    }
    return ranks;
  }

 private:
  template <class T>
  __device__ T from_lane(const T& value, unsigned int lane) const {
    return details::exchange_words(
        value, [this, lane](unsigned int word) { return __shfl_sync(mask(), word, lane); });
  }
  unsigned int meta_rank_, meta_size_;
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

}  // namespace cooperative_groups
