// Small vocabulary shared by every folder.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle {

/// A point on, or a length of, a clock; which clock is said where it is used (the SM clock unless
/// said otherwise).
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// One bit per lane: bit i is lane i of a warp.
using LaneMask = std::uint32_t;
inline constexpr unsigned kWarpSize = 32;
inline constexpr LaneMask kAllLanes = 0xffffffffu;

/// A simulated (device or generic) address.
using Address = std::uint64_t;

/// Sizes and indices of grids and blocks.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

}  // namespace raddle
