// The computation of a thread in each part of a nest of two branches, for host and device.
#pragma once

#include <cstdint>

#include "common/host_device.h"

namespace raddle::workloads {

/// How many of 65536 lanes take the first side of the outer branch, and of the inner one.
struct Odds {
  std::uint32_t outer, inner;

  RADDLE_HOST_DEVICE bool takes_outer(std::uint32_t drawn) const {
    return (drawn & 0xffff) < outer;
  }
  RADDLE_HOST_DEVICE bool takes_inner(std::uint32_t drawn) const { return (drawn >> 16) < inner; }
};

/// 32 random bits. They decide which sides a thread takes in a round. Mixed as by C. Wellons,
/// "Prospecting for Hash Functions", 2018 (lowbias32).
RADDLE_HOST_DEVICE inline std::uint32_t draw(std::uint32_t seed, std::uint32_t thread,
                                             std::uint32_t round) {
  std::uint32_t x = seed + thread * 0x9e3779b9u + round * 0x85ebca6bu;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// A sequence of steps. Opcodes are the same for every `Way`; constants differ.
template <unsigned Way, unsigned Steps>
RADDLE_HOST_DEVICE inline std::uint32_t mix(std::uint32_t x) {
  if constexpr (Steps == 0) {
    return x;
  } else {
    constexpr std::uint32_t factor = (0x9e3779b1u ^ (Way * 0x2545f491u)) + 2 * Steps;
    x = x * (factor | 1) + (0x7f4a7c15u + Way * 0x1000193u + Steps);
    x ^= x >> (5 + Way + Steps % 4);
    return mix<Way, Steps - 1>(x);
  }
}

/// A step with opcodes that `mix` does not use.
template <unsigned Way>
RADDLE_HOST_DEVICE inline std::uint32_t fold(std::uint32_t x) {
  const std::uint32_t other = ~x, least = x < other ? x : other;
  return least - (0x1234567u + Way * 0x3141592u);
}

/// A step with opcodes that neither `mix` nor `fold` uses.
template <unsigned Way>
RADDLE_HOST_DEVICE inline std::uint32_t turn(std::uint32_t x) {
  return ((x << (7 + Way)) | (x >> (25 - Way))) & (0xfffffff7u << Way);
}

/// A nest: `before`, then `first` or `second`, then `after`; or else `other`. In this nest the
/// inner sides share eight steps, and the outer sides one.
struct InnerNest {
  RADDLE_HOST_DEVICE static std::uint32_t before(std::uint32_t x) { return fold<0>(x); }
  RADDLE_HOST_DEVICE static std::uint32_t first(std::uint32_t x) { return mix<1, 8>(x); }
  RADDLE_HOST_DEVICE static std::uint32_t second(std::uint32_t x) { return mix<2, 8>(x); }
  RADDLE_HOST_DEVICE static std::uint32_t after(std::uint32_t x) { return turn<3>(x); }
  RADDLE_HOST_DEVICE static std::uint32_t other(std::uint32_t x) {
    return turn<2>(fold<5>(turn<4>(x)));
  }
};

/// In this nest the inner sides share one step. `before` and `after` together share eight steps
/// with `other`, the outer branch's second side.
struct OuterNest {
  RADDLE_HOST_DEVICE static std::uint32_t before(std::uint32_t x) { return mix<0, 4>(x); }
  RADDLE_HOST_DEVICE static std::uint32_t first(std::uint32_t x) {
    return fold<4>(fold<3>(mix<1, 1>(fold<2>(fold<1>(x)))));
  }
  RADDLE_HOST_DEVICE static std::uint32_t second(std::uint32_t x) {
    return turn<4>(turn<3>(mix<2, 1>(turn<2>(turn<1>(x)))));
  }
  RADDLE_HOST_DEVICE static std::uint32_t after(std::uint32_t x) { return mix<3, 4>(x); }
  RADDLE_HOST_DEVICE static std::uint32_t other(std::uint32_t x) { return mix<4, 8>(turn<5>(x)); }
};

/// The result of a thread after `rounds` rounds.
template <class Nest>
std::uint32_t nest_reference(std::uint32_t seed, std::uint32_t thread, std::uint32_t rounds,
                             Odds odds) {
  std::uint32_t x = thread;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint32_t drawn = draw(seed, thread, round);
    if (!odds.takes_outer(drawn)) {
      x = Nest::other(x);
      continue;
    }
    x = Nest::before(x);
    x = odds.takes_inner(drawn) ? Nest::first(x) : Nest::second(x);
    x = Nest::after(x);
  }
  return x;
}

}  // namespace raddle::workloads
