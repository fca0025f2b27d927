// What the load-store unit hands to the L1 cache: one line, and what is done to it.
#pragma once

#include <bit>

#include "base/types.h"
#include "isa/warp_context.h"

namespace raddle::machine {

inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kSectors = kLineBytes / kSectorBytes;

/// One bit per sector: bit i is bytes 32 i ... 32 i + 31 of a line.
using SectorMask = std::uint8_t;
inline constexpr SectorMask kWholeLine = (1u << kSectors) - 1;

inline unsigned count(SectorMask sectors) { return static_cast<unsigned>(std::popcount(sectors)); }

using AccessType = isa::MemoryAccess::Type;

/// Whether the requester gets values back, rather than an acknowledgement.
inline bool returns_data(AccessType type) {
  return type == AccessType::load || type == AccessType::atomic || type == AccessType::prefetch;
}
inline bool is_atomic(AccessType type) {
  return type == AccessType::atomic || type == AccessType::reduction;
}

struct Transaction {
  Address line = 0;    // its first byte: a multiple of kLineBytes
  LaneMask lanes = 0;  // whose accesses it makes; of constants: unknown
  SectorMask sectors = 0;
  SectorMask whole = 0;  // stores: the sectors of which every byte is written
  AccessType type = AccessType::load;
  bool local = false;      // local memory: private to the thread
  bool read_only = false;  // ld.global.nc: the program promises that nobody writes it
  bool requested = false;  // ld.global.ca: to be cached, says the program
  bool bypass_l1 = false;
  std::uint8_t operations = 0;   // atomics and reductions: lanes that operate on this line,
  std::uint8_t contention = 0;   // the most of them that share one address,
  std::uint8_t passes = 0;       // the sum of that over sectors: each pass has an address once,
  std::uint8_t wide_passes = 0;  // and how many passes have several addresses
};

/// The token of a transaction is the number of its access, and where somebody asks which transaction was
/// answered (load_store/arrivals.h) above it that of the transaction within.
inline constexpr unsigned kAccessBits = 24;
inline std::uint32_t access_of(std::uint32_t token) {
  return token & ((std::uint32_t{1} << kAccessBits) - 1);
}
inline std::uint32_t transaction_of(std::uint32_t token) { return token >> kAccessBits; }

/// The most transactions of one warp instruction: four words of 32 threads of local memory.
inline constexpr unsigned kMostTransactions = 4 * kWarpSize;

}  // namespace raddle::machine
