// Numbers by which the units of a multiprocessor identify its warps, and sets of these numbers.
#pragma once

#include <cstdint>

namespace raddle::machine {

/// A bit for each warp slot of a multiprocessor.
using WarpMask = std::uint64_t;
inline constexpr unsigned kMaxWarps = 64;
inline WarpMask warp_bit(unsigned warp) { return WarpMask{1} << warp; }

/// [warp]: when the resident warp was placed; a smaller number is older.
using WarpAges = std::uint64_t[kMaxWarps];

/// A path of a warp (warp/lane_control.h), which is fetched, tracked and scheduled on its own. The
/// number of path 0 is the number of the warp's slot.
using PathId = std::uint8_t;
/// Most paths of one warp.
inline constexpr unsigned kMostPaths = 4;
inline PathId path_id(unsigned warp, unsigned path) {
  return static_cast<PathId>(warp + kMaxWarps * path);
}
inline unsigned warp_of(PathId id) { return id % kMaxWarps; }
inline unsigned path_of(PathId id) { return id / kMaxWarps; }

}  // namespace raddle::machine
