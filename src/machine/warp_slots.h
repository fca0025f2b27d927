// Numbers by which units of a multiprocessor know its warps, and sets of them.
#pragma once

#include <cstdint>

namespace raddle::machine {

/// A bit for each warp slot of a multiprocessor.
using WarpMask = std::uint64_t;
inline constexpr unsigned kMaxWarps = 64;
inline WarpMask warp_bit(unsigned warp) { return WarpMask{1} << warp; }

/// When each resident warp was placed: the smaller, the older.
using WarpAges = std::uint64_t[kMaxWarps];

/// A path of a warp (warp/lane_control.h): what is fetched, tracked and waited for on its own. Of
/// path 0 it is the number of the warp's slot.
using PathId = std::uint8_t;
/// Of one warp.
inline constexpr unsigned kMostPaths = 4;
inline PathId path_id(unsigned warp, unsigned path) {
  return static_cast<PathId>(warp + kMaxWarps * path);
}
inline unsigned warp_of(PathId id) { return id % kMaxWarps; }
inline unsigned path_of(PathId id) { return id / kMaxWarps; }

}  // namespace raddle::machine
