// Lane loops: the form of all arithmetic semantics. Operands are 32 lanes in a row. Results are
// computed into a temporary and then stored under the active mask, so a destination may share
// registers with a source of another width. Written for the compiler's vectorizer.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "isa/warp_context.h"

namespace raddle::isa {

/// The representation of a value of type T in a register row: narrow values are in the low bits of
/// a uint32_t.
template <class T>
using Stored = std::conditional_t<(sizeof(T) <= 4), std::uint32_t, std::uint64_t>;

template <class T>
inline T unpack(Stored<T> bits) {
  if constexpr (sizeof(T) == sizeof(Stored<T>)) {
    return std::bit_cast<T>(bits);
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(static_cast<std::uint16_t>(bits));
  } else {
    return std::bit_cast<T>(static_cast<std::uint8_t>(bits));
  }
}

template <class T>
inline Stored<T> pack(T value) {
  if constexpr (sizeof(T) == sizeof(Stored<T>)) {
    return std::bit_cast<Stored<T>>(value);
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<std::uint16_t>(value);
  } else {
    return std::bit_cast<std::uint8_t>(value);
  }
}

inline bool lane_in(LaneMask mask, unsigned lane) { return (mask >> lane) & 1u; }

/// All ones if `lane` is in `mask`, else zero: for loops that blend without a branch.
template <class Bits>
inline Bits lane_bits(LaneMask mask, unsigned lane) {
  return Bits{0} - static_cast<Bits>((mask >> lane) & 1u);
}

/// Stores 32 results of type D under the active mask.
template <class D>
[[gnu::always_inline]] inline void store_lanes(WarpContext& w, Slot slot,
                                               const Stored<D>* results) {
  auto* d = w.destination<Stored<D>>(slot);
  if (w.active == kAllLanes) {
    std::memcpy(d, results, sizeof(Stored<D>) * kWarpSize);
    return;
  }
  const LaneMask active = w.active;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto chosen = lane_bits<Stored<D>>(active, l);
    d[l] = (results[l] & chosen) | (d[l] & ~chosen);
  }
}

/// d = f(a), f(a, b), ... lane by lane; S are the source types in order.
template <class D, class... S, class F>
[[gnu::always_inline]] inline void map_lanes(WarpContext& w, const Instruction& i, F f) {
  alignas(64) Stored<D> results[kWarpSize];
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    [&](const Stored<S>*... s) __attribute__((always_inline)) {
      for (unsigned l = 0; l < kWarpSize; ++l) results[l] = pack<D>(f(unpack<S>(s[l])...));
    }(w.source<Stored<S>>(i.s[n])...);
  }(std::index_sequence_for<S...>{});
  store_lanes<D>(w, i.d, results);
}

/// Sets predicate `p` of the active lanes.
inline void store_predicate(WarpContext& w, std::uint16_t p, LaneMask value) {
  w.predicates[p] = (w.predicates[p] & ~w.active) | (value & w.active);
}

/// The instruction's source predicate (all ones without one).
inline LaneMask source_predicate(const WarpContext& w, const Instruction& i) {
  return w.predicates[i.source_predicate] ^ i.source_flip;
}

/// A lane mask with the result of a test in each lane.
template <class... S, class F>
[[gnu::always_inline]] inline LaneMask test_lanes(const WarpContext& w, const Instruction& i, F f) {
  LaneMask mask = 0;
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    [&](const Stored<S>*... s) __attribute__((always_inline)) {
      for (unsigned l = 0; l < kWarpSize; ++l)
        mask |= static_cast<LaneMask>(static_cast<bool>(f(unpack<S>(s[l])...))) << l;
    }(w.source<Stored<S>>(i.s[n])...);
  }(std::index_sequence_for<S...>{});
  return mask;
}

}  // namespace raddle::isa
