#include "machine/warp/barrier.h"

#include <algorithm>
#include <bit>

#include "machine/warp/warp.h"

namespace raddle::machine {

void BlockBarriers::start(std::uint32_t threads, bool whole_warps) {
  threads_ = threads;
  warp_count_ = (threads + kWarpSize - 1) / kWarpSize;
  whole_warps_ = whole_warps;
  released_ = 0;
  used_ = 0;
  barriers_.fill({});
  warps_.fill(nullptr);
}

void BlockBarriers::join(Warp& warp, std::uint32_t warp_in_block) { warps_[warp_in_block] = &warp; }

/// Threads that a warp's arrivals count as. A warp whose live lanes have all arrived counts in
/// full.
std::uint32_t BlockBarriers::threads_counted(const Barrier& barrier, unsigned warp) const {
  const LaneMask live = warps_[warp]->context().live;
  const bool whole = whole_warps_ || (live & ~barrier.lanes[warp]) == 0;
  const auto came = static_cast<std::uint32_t>(std::popcount(barrier.lanes[warp]));
  return barrier.count[warp] + (barrier.lanes[warp] == 0 ? 0 : whole ? kWarpSize : came);
}

bool BlockBarriers::complete(const Barrier& barrier) const {
  if (barrier.expected != 0) {
    std::uint32_t total = 0;
    for (std::uint32_t rest = barrier.warps; rest != 0; rest &= rest - 1) {
      total += threads_counted(barrier, static_cast<unsigned>(std::countr_zero(rest)));
    }
    return total >= barrier.expected;
  }
  for (unsigned w = 0; w < warp_count_; ++w) {
    if (warps_[w] == nullptr) return false;
    const LaneMask live = warps_[w]->context().live;
    const bool came =
        whole_warps_ ? live == 0 || barrier.lanes[w] != 0 : (live & ~barrier.lanes[w]) == 0;
    if (!came) return false;
  }
  return true;
}

bool BlockBarriers::arrive(std::uint32_t warp, const Arrival& arrival) {
  Barrier& barrier = barriers_[arrival.barrier];
  used_ |= 1u << arrival.barrier;
  barrier.expected = std::max(barrier.expected, arrival.threads);
  // Lanes that arrive without waiting can arrive again: their earlier arrivals are counted
  // separately.
  if (const LaneMask again = barrier.lanes[warp] & arrival.lanes; again != 0) {
    barrier.count[warp] += threads_counted(barrier, warp) - barrier.count[warp];
    barrier.lanes[warp] = 0;
  }
  barrier.lanes[warp] |= arrival.lanes;
  barrier.warps |= 1u << warp;
  barrier.true_threads += static_cast<std::uint32_t>(std::popcount(arrival.true_lanes));
  barrier.arrived_threads += static_cast<std::uint32_t>(std::popcount(arrival.lanes));
  if (arrival.waits) barrier.waiting |= 1u << warp;
  if (!complete(barrier)) return false;
  release(arrival.barrier);
  return true;
}

void BlockBarriers::lanes_ended(std::uint32_t warp) {
  for (std::uint32_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(rest));
    if (barriers_[index].warps != 0 && complete(barriers_[index])) release(index);
  }
  // Its other lanes may have been waiting, but the warp is running.
  released_ &= ~(1u << warp);
}

void BlockBarriers::release(unsigned index) {
  const Barrier done = barriers_[index];
  barriers_[index] = {};
  used_ &= ~(1u << index);
  true_threads_ = done.true_threads;
  arrived_threads_ = done.arrived_threads;
  for (std::uint32_t rest = done.waiting; rest != 0; rest &= rest - 1) {
    const auto w = static_cast<unsigned>(std::countr_zero(rest));
    if (warps_[w]->release_barrier(index, *this)) released_ |= 1u << w;
  }
}

std::uint32_t BlockBarriers::arrived(unsigned index) const {
  const Barrier& barrier = barriers_[index];
  std::uint32_t total = 0;
  for (std::uint32_t rest = barrier.warps; rest != 0; rest &= rest - 1) {
    total += static_cast<std::uint32_t>(
        std::popcount(barrier.lanes[static_cast<unsigned>(std::countr_zero(rest))]));
  }
  return total;
}

std::uint32_t BlockBarriers::expected(unsigned index) const {
  if (barriers_[index].expected != 0) return barriers_[index].expected;
  std::uint32_t live = 0;
  for (unsigned w = 0; w < warp_count_; ++w) {
    if (warps_[w] != nullptr) {
      live += static_cast<std::uint32_t>(std::popcount(warps_[w]->context().live));
    }
  }
  return live;
}

}  // namespace raddle::machine
