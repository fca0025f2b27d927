// The order of lanes of a warp that store to one address. PTX does not define it (PTX ISA 8.9.1:
// one of the stores, unspecified which). An NVIDIA H200 does the following, in every space, for
// vectors and scalars alike: lanes go in passes of 128 bytes, later passes overwrite earlier ones,
// and within a pass the value of the lowest lane stays.
#pragma once

#include <bit>
#include <cstring>

#include "isa/global_port.h"

namespace raddle::isa {

/// Number of lanes in a pass. Stores of 32 bytes a lane were not measured.
constexpr unsigned lanes_per_pass(unsigned bytes) {
  return bytes <= 4 ? kWarpSize : bytes <= 8 ? 16 : bytes <= 16 ? 8 : 4;
}

/// Calls f(lane) for each lane in the mask, ordered so that the value that is written last is the
/// one that stays. `pass`: number of lanes in a pass.
template <unsigned pass, class F>
[[gnu::always_inline]] inline void for_storing_lanes(LaneMask lanes, F f) {
  for (unsigned first = 0; first < kWarpSize; first += pass) {
    if (lanes == kAllLanes) {
      for (unsigned l = first + pass; l-- > first;) f(l);
      continue;
    }
    LaneMask rest = lanes & (kAllLanes >> (kWarpSize - pass) << first);
    while (rest != 0) {
      const auto l = static_cast<unsigned>(std::bit_width(rest)) - 1;
      f(l);
      rest ^= LaneMask{1} << l;
    }
  }
}

/// Stores `bytes` bytes of each lane: those of low[l], then those of high[l].
template <unsigned bytes, unsigned pass = lanes_per_pass(bytes)>
void write_lanes(LaneMask lanes, std::byte* const* at, const std::uint64_t* low,
                 const std::uint64_t* high) {
  for_storing_lanes<pass>(lanes, [&](unsigned l) {
    std::memcpy(at[l], &low[l], bytes < 8 ? bytes : 8);
    if constexpr (bytes > 8) std::memcpy(at[l] + 8, &high[l], bytes - 8);
  });
}

/// The same for an update, whose operands are a, then b.
template <unsigned bytes, unsigned pass = lanes_per_pass(bytes)>
void carry_out_store(const GlobalUpdate& update, Services&) {
  write_lanes<bytes, pass>(update.lanes, update.at, update.a, update.b);
}

}  // namespace raddle::isa
