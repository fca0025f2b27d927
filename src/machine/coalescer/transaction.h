// A transaction from the load-store unit to the L1 cache: one line, and the operation on it.
#pragma once

#include <bit>

#include "base/types.h"
#include "isa/warp_context.h"

namespace raddle::machine {

inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kSectors = kLineBytes / kSectorBytes;

/// One bit for each sector: bit i is bytes 32 i ... 32 i + 31 of a line.
using SectorMask = std::uint8_t;
inline constexpr SectorMask kWholeLine = (1u << kSectors) - 1;

inline unsigned count(SectorMask sectors) { return static_cast<unsigned>(std::popcount(sectors)); }

using AccessType = isa::MemoryAccess::Type;

/// Whether the requester gets values, not only an acknowledgement.
inline bool returns_data(AccessType type) {
  return type == AccessType::load || type == AccessType::atomic || type == AccessType::prefetch;
}
inline bool is_atomic(AccessType type) {
  return type == AccessType::atomic || type == AccessType::reduction;
}

struct Transaction {
  Address line = 0;    // its first byte: a multiple of kLineBytes
  LaneMask lanes = 0;  // the lanes whose accesses it makes; of constants: unknown
  SectorMask sectors = 0;
  SectorMask whole = 0;  // stores: sectors in which every byte is written
  AccessType type = AccessType::load;
  bool local = false;      // local memory: private to the thread
  bool read_only = false;  // ld.global.nc: the program promises that no thread writes it
  bool requested = false;  // ld.global.ca: the program asks for caching
  bool bypass_l1 = false;
  std::uint8_t operations = 0;   // atomics and reductions: lanes that operate on this line
  std::uint8_t contention = 0;   // the largest number of lanes that share one address
  std::uint8_t passes = 0;       // that number in each sector, summed; a pass has an address once
  std::uint8_t wide_passes = 0;  // the number of passes with several addresses
};

/// The low bits of a token are the number of the access. If arrivals are tracked
/// (load_store/arrivals.h), the bits above are the number of the transaction in the access.
inline constexpr unsigned kAccessBits = 24;
inline std::uint32_t access_of(std::uint32_t token) {
  return token & ((std::uint32_t{1} << kAccessBits) - 1);
}
inline std::uint32_t transaction_of(std::uint32_t token) { return token >> kAccessBits; }

/// The largest number of transactions of one warp instruction: four words of 32 threads of local
/// memory.
inline constexpr unsigned kMostTransactions = 4 * kWarpSize;

}  // namespace raddle::machine
