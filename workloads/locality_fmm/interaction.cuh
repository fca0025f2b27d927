// The interactions of the fast multipole method as a recursive function of two cells of one level: cells
// that are no neighbours act on each other by their expansions, neighbours by their children, leaves by
// their charges. What is found is added up in fixed point, so that sums do not depend on the order.
#pragma once

#include <raddle/locality/types.h>
#include <cstdint>

#include "locality_fmm/cells.h"
#include "locality_fmm/shift.h"

namespace raddle::workloads::fmm {

/// Sums are multiples of 2^-36 and less than 2^27. Those of charges that are no neighbours are less than
/// 2^10 by far; those of neighbours are asked for first (find_strongest() in cells.h).
constexpr float kUnit = 0x1p36f;
constexpr double kMostField = 0x1p26;

struct Sum {
  unsigned long long re, im;  // two's complement
};

RADDLE_HOST_DEVICE inline unsigned long long in_units(float value) {
  return static_cast<unsigned long long>(static_cast<long long>(value * kUnit));
}
RADDLE_HOST_DEVICE inline float from_units(unsigned long long value) {
  return static_cast<float>(static_cast<long long>(value)) / kUnit;
}

/// On the GPU with others; on the host a target's sums are added to by one thread at a time.
RADDLE_HOST_DEVICE inline void add(Sum* to, const Complex& value) {
#ifdef __CUDA_ARCH__
  atomicAdd(&to->re, in_units(value.re));
  atomicAdd(&to->im, in_units(value.im));
#else
  to->re += in_units(value.re);
  to->im += in_units(value.im);
#endif
}

/// Two cells of a level, or, before the source's levels have come to the target's, one above it.
struct Pair {
  std::uint16_t target_level, source_level;
  std::uint32_t target, source;  // codes, within their levels
};

struct Interaction {
  using Argument = Pair;
  static constexpr unsigned kStack = 15 * kMostLevels;

  const Charge* charges;
  const std::uint32_t* starts;
  const Expansion* multipoles;
  Sum* locals;  // of all cells, kTerms each
  Sum* fields;  // of all charges
  unsigned levels;
  unsigned roots_level;    // targets of this level are the loop
  bool scattered = false;  // domains are drawn at random: what no order costs
  bool by_target = false;  // domains are the target's subtrees, whose sums are added to

  template <class At>
  __host__ __device__ void operator()(std::uint32_t, const Pair& pair, At& at) const {
    if (pair.source_level < pair.target_level) {
      for (std::uint32_t child = 0; child < 4; ++child) {
        spawn(at, pair.target_level, pair.target, pair.source_level + 1u, 4 * pair.source + child);
      }
      return;
    }
    const int x = across(pair), y = along(pair);
    if (x < -1 || x > 1 || y < -1 || y > 1) return far(pair, x, y, at);
    if (pair.target_level == levels) return near(pair, at);
    for (std::uint32_t child = 0; child < 16; ++child) {
      spawn(at, pair.target_level + 1u, 4 * pair.target + child / 4, pair.source_level + 1u,
            4 * pair.source + child % 4);
    }
  }

  /// The interaction of `cell` with the one of its level at `row` and `column`, alone.
  template <class At>
  __host__ __device__ void one(At& at, unsigned level, std::uint32_t cell, int row,
                               int column) const {
    const std::uint32_t source = spread_bits(static_cast<std::uint32_t>(column)) |
                                 spread_bits(static_cast<std::uint32_t>(row)) << 1;
    const auto of = static_cast<std::uint16_t>(level);
    (*this)(0, Pair{of, of, cell, source}, at);
  }

  Pair root(std::uint32_t target) const {
    return {static_cast<std::uint16_t>(roots_level), 0, target, 0};
  }
  /// The subtree of the source, whose memory is read again and again, or of the target.
  raddle::locality::Domain domain(std::uint32_t, const Pair& pair) const {
    if (scattered) {
      return (pair.source * 0x9e3779b97f4a7c15u ^ pair.target * 0xbf58476d1ce4e5b9u) >> 20;
    }
    if (by_target) return std::uint64_t{pair.target} << 2 * (levels - pair.target_level);
    return std::uint64_t{pair.source} << 2 * (levels - pair.source_level);
  }
  /// Expansions, a cell with itself, with a neighbour at a side, at a corner: work of different amounts.
  unsigned kind(std::uint32_t, const Pair& pair) const {
    const int x = across(pair), y = along(pair);
    if (pair.source_level < pair.target_level) return 0;
    if (x < -1 || x > 1 || y < -1 || y > 1) return 1;
    return 2 + static_cast<unsigned>(x != 0) + static_cast<unsigned>(y != 0);
  }
  std::uint64_t footprint(std::uint32_t, const Pair& pair) const {
    const unsigned below = 2 * (levels - pair.source_level);
    const std::uint32_t first = pair.source << below, last = (pair.source + 1) << below;
    const std::uint64_t all =
        (starts[last] - starts[first]) * sizeof(Charge) + (last - first) * sizeof(Expansion);
    return kind(0, pair) == 1 ? sizeof(Expansion) : all;
  }

  __host__ __device__ static int across(const Pair& pair) {
    return static_cast<int>(even_bits(pair.target)) - static_cast<int>(even_bits(pair.source));
  }
  __host__ __device__ static int along(const Pair& pair) {
    return static_cast<int>(even_bits(pair.target >> 1)) -
           static_cast<int>(even_bits(pair.source >> 1));
  }

 private:
  template <class At>
  __host__ __device__ bool is_empty(At& at, unsigned level, std::uint32_t code) const {
    const unsigned below = 2 * (levels - level);
    return at.read(starts, code << below) == at.read(starts, (code + 1) << below);
  }
  template <class At>
  __host__ __device__ void spawn(At& at, unsigned target_level, std::uint32_t target,
                                 unsigned source_level, std::uint32_t source) const {
    if (is_empty(at, target_level, target) || is_empty(at, source_level, source)) return;
    at.spawn({static_cast<std::uint16_t>(target_level), static_cast<std::uint16_t>(source_level),
              target, source});
  }
  template <class At>
  __host__ __device__ void far(const Pair& pair, int x, int y, At& at) const {
    Complex local[kTerms];
    const std::uint32_t first = first_of_level(pair.target_level);
    shift_to_local(at.read(multipoles, first + pair.source), x, y, local);
    Sum* const to = locals + (first + pair.target) * kTerms;
    for (unsigned l = 0; l < kTerms; ++l) add(to + l, local[l]);
  }
  template <class At>
  __host__ __device__ void near(const Pair& pair, At& at) const {
    const std::uint32_t first = at.read(starts, pair.source),
                        last = at.read(starts, pair.source + 1);
    const std::uint32_t end = at.read(starts, pair.target + 1);
    for (std::uint32_t i = at.read(starts, pair.target); i < end; ++i) {
      const Charge here = at.read(charges, i);
      Complex field = {0, 0};
      for (std::uint32_t k = first; k < last; ++k) {
        const Charge other = at.read(charges, k);
        const Complex term = reciprocal({here.x - other.x, here.y - other.y});
        field += Complex{other.q * term.re, other.q * term.im};
      }
      add(fields + i, field);
    }
  }
};

}  // namespace raddle::workloads::fmm
