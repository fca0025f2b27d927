// Counts of a resident block, kept while a mechanism or policy samples it.
#pragma once

#include <array>

#include "base/types.h"
#include "isa/instruction.h"
#include "machine/sm/slot.h"

namespace raddle::machine {

struct BlockCounts {
  /// Warp instructions, by isa::Class. All classes of mechanisms share the last entry.
  static constexpr auto kOwnClasses = static_cast<std::size_t>(isa::Class::count_);
  std::array<std::uint64_t, kOwnClasses + 1> issued{};
  /// Memory instructions that went to the load-store unit, and their transactions.
  std::uint64_t accesses = 0, transactions = 0;
  /// Sectors that its loads found or missed in the L1 data cache. Loads that bypass the cache (all
  /// of global memory without l1.cache_global) count as neither.
  std::uint64_t l1_hits = 0, l1_misses = 0;
  /// Scheduler cycles, by Slot, in which no warp issued, and the oldest warp with this stall reason
  /// belonged to this block.
  std::array<std::uint64_t, kSlots> stalls{};
  /// The cycles of unit_busy in which the load-store unit's queue was full.
  std::uint64_t load_store_full = 0;
  /// Warp instructions with effects that others may have seen; after one the block cannot begin
  /// anew. They are stores and atomics outside of shared and local memory, calls that the machine
  /// carries out, and instructions of mechanisms' units.
  std::uint64_t visible = 0;
};

}  // namespace raddle::machine
