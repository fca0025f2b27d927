// What a resident block has done, counted while somebody samples it.
#pragma once

#include <array>

#include "base/types.h"
#include "isa/instruction.h"
#include "machine/sm/slot.h"

namespace raddle::machine {

struct BlockCounts {
  /// Warp instructions, by isa::Class; those of mechanisms' own classes together, last.
  static constexpr auto kOwnClasses = static_cast<std::size_t>(isa::Class::count_);
  std::array<std::uint64_t, kOwnClasses + 1> issued{};
  /// Memory instructions that went to the load-store unit, and their transactions.
  std::uint64_t accesses = 0, transactions = 0;
  /// Sectors that its loads found in the L1 data cache, and did not find; loads that pass the cache
  /// by (without l1.cache_global all of global memory) count as neither.
  std::uint64_t l1_hits = 0, l1_misses = 0;
  /// Scheduler cycles, by Slot, in which nothing was issued and the oldest of the warps for which
  /// the reason held was this block's.
  std::array<std::uint64_t, kSlots> stalls{};
  /// Of unit_busy: those in which the load-store unit took no more.
  std::uint64_t load_store_full = 0;
  /// Warp instructions after which the block cannot begin anew, since others may have seen what they
  /// did: stores and atomics outside of shared and local memory, calls that the machine carries out,
  /// instructions of mechanisms' units.
  std::uint64_t visible = 0;
};

}  // namespace raddle::machine
