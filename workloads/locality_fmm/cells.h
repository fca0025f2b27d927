// A quad-tree of the unit square, all of whose leaves are on one level, and expansions of the field of
// charges in the plane: the field at z is the sum of q / (z - z_i), in complex numbers. L. Greengard, V.
// Rokhlin, "A Fast Algorithm for Particle Simulations", J. Comput. Phys. 73, 1987.
#pragma once

#include <cstdint>
#include <vector>

#include "common/host_device.h"
#include "locality/points.h"

namespace raddle::workloads::fmm {

/// Terms of an expansion. Neighbours apart, their error falls by 0.55 with each.
constexpr unsigned kTerms = 6;
constexpr unsigned kMostLevels = 10;

struct alignas(16) Charge {
  float x, y, q, unused;
};

struct Complex {
  float re, im;
};

RADDLE_HOST_DEVICE inline Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
RADDLE_HOST_DEVICE inline Complex& operator+=(Complex& a, const Complex& b) {
  a.re += b.re;
  a.im += b.im;
  return a;
}
/// 1 / z, or 0 where z is 0: a charge does not act on itself, nor on those at the same place.
RADDLE_HOST_DEVICE inline Complex reciprocal(const Complex& z) {
  const float square = z.re * z.re + z.im * z.im;
  const float scale = square > 0 ? 1 / square : 0;
  return {z.re * scale, -z.im * scale};
}

/// An expansion about the centre of a cell of side h: a multipole's term k is that of
/// ((z_i - c) / h)^k, a local one's that of ((z - c) / h)^k / h.
struct alignas(16) Expansion {
  Complex terms[kTerms];
};

/// Cells are numbered level by level, the root first, on a level along a Z-order curve; the children of
/// a cell are neighbours.
RADDLE_HOST_DEVICE inline std::uint32_t first_of_level(unsigned level) {
  return ((std::uint32_t{1} << 2 * level) - 1) / 3;
}
RADDLE_HOST_DEVICE inline unsigned even_bits(std::uint32_t code) {
  code &= 0x55555555u;
  code = (code | code >> 1) & 0x33333333u;
  code = (code | code >> 2) & 0x0f0f0f0fu;
  code = (code | code >> 4) & 0x00ff00ffu;
  return (code | code >> 8) & 0xffffu;
}
RADDLE_HOST_DEVICE inline std::uint32_t spread_bits(std::uint32_t value) {
  value = (value | value << 8) & 0x00ff00ffu;
  value = (value | value << 4) & 0x0f0f0f0fu;
  value = (value | value << 2) & 0x33333333u;
  return (value | value << 1) & 0x55555555u;
}

struct Tree {
  unsigned levels = 0;                 // of the leaves; the root's is 0
  std::vector<Charge> charges;         // in the order of leaves
  std::vector<std::uint32_t> origins;  // of each, its index before
  std::vector<std::uint32_t> starts;   // of each leaf, its first charge; and the number of all
  std::vector<Expansion> multipoles;   // of all cells

  std::uint32_t cells() const { return first_of_level(levels + 1); }
};

/// Charges of 1 / n each, at `points` of the plane moved and scaled into the unit square. `levels` 0: so
/// many that a leaf has 4 charges on average.
Tree build_tree(const locality::PointSet& points, unsigned levels);

/// The strongest field that charges of a leaf and its neighbours cause at one of them: at most the sum of
/// its terms' magnitudes, which are infinite where floats cannot say how near two charges are.
struct Strongest {
  double field = 0;
  std::uint32_t charge = 0, nearest = 0;  // where, and the charge that causes most of it
};
Strongest find_strongest(const Tree& tree);

/// The field at charge `index`, by adding up all others in double precision, and the sum of the terms'
/// magnitudes.
struct DirectField {
  double re, im, magnitude;
};
DirectField direct_field(const std::vector<Charge>& charges, std::size_t index);

}  // namespace raddle::workloads::fmm
