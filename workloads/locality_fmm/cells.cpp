#include "locality_fmm/cells.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace raddle::workloads::fmm {
namespace {

using Big = std::complex<double>;

struct Sorted {
  std::uint32_t leaf;
  Charge charge;
  std::uint32_t origin;
};

std::vector<Sorted> sort_into_leaves(const locality::PointSet& points, unsigned levels) {
  float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (unsigned axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], points.at(i)[axis]);
      high[axis] = std::max(high[axis], points.at(i)[axis]);
    }
  }
  const double side = std::max(double{high[0]} - low[0], double{high[1]} - low[1]);
  const auto scaled = [&](const float* point, unsigned axis) {
    const double value = side > 0 ? (double{point[axis]} - low[axis]) / side : 0.5;
    return static_cast<float>(std::min(value, 1 - 0x1p-24));
  };
  const auto width = static_cast<float>(1u << levels);
  std::vector<Sorted> sorted;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float x = scaled(points.at(i), 0), y = scaled(points.at(i), 1);
    const std::uint32_t leaf = spread_bits(static_cast<std::uint32_t>(x * width)) |
                               spread_bits(static_cast<std::uint32_t>(y * width)) << 1;
    sorted.push_back(
        {leaf, {x, y, 1 / static_cast<float>(points.size()), 0}, static_cast<std::uint32_t>(i)});
  }
  std::sort(sorted.begin(), sorted.end(), [](const Sorted& a, const Sorted& b) {
    return a.leaf != b.leaf ? a.leaf < b.leaf : a.origin < b.origin;
  });
  return sorted;
}

Big centre(std::uint32_t code, double side) {
  return {(even_bits(code) + 0.5) * side, (even_bits(code >> 1) + 0.5) * side};
}

Expansion rounded(const Big* terms) {
  Expansion expansion;
  for (unsigned k = 0; k < kTerms; ++k) {
    expansion.terms[k] = {static_cast<float>(terms[k].real()), static_cast<float>(terms[k].imag())};
  }
  return expansion;
}

/// From charges to leaves, and from each level to the one above it.
void add_multipoles(Tree& tree) {
  std::vector<Big> terms(std::size_t{tree.cells()} * kTerms);
  const std::uint32_t first = first_of_level(tree.levels);
  const double leaf_side = std::ldexp(1.0, -static_cast<int>(tree.levels));
  for (std::uint32_t leaf = 0; leaf + 1 < tree.starts.size(); ++leaf) {
    for (std::uint32_t i = tree.starts[leaf]; i < tree.starts[leaf + 1]; ++i) {
      const Charge& charge = tree.charges[i];
      const Big at = (Big(charge.x, charge.y) - centre(leaf, leaf_side)) / leaf_side;
      Big power = charge.q;
      for (unsigned k = 0; k < kTerms; ++k, power *= at) {
        terms[std::size_t{first + leaf} * kTerms + k] += power;
      }
    }
  }
  for (unsigned level = tree.levels; level-- > 0;) {
    const std::uint32_t cells = std::uint32_t{1} << 2 * level;
    for (std::uint32_t child = 0; child < 4 * cells; ++child) {
      // ((z - c) / h)^k of the parent, where z - c = (z - c') + (c' - c) and h = 2 h'.
      const Big shift((child & 1) != 0 ? 0.25 : -0.25, (child & 2) != 0 ? 0.25 : -0.25);
      const Big* const from = &terms[std::size_t{first_of_level(level + 1) + child} * kTerms];
      Big* const to = &terms[std::size_t{first_of_level(level) + child / 4} * kTerms];
      for (unsigned k = 0; k < kTerms; ++k) {
        double binomial = 1;
        for (unsigned j = 0; j <= k; ++j) {
          to[k] += binomial * from[j] * std::ldexp(1.0, -static_cast<int>(j)) *
                   (j == k ? Big(1) : std::pow(shift, static_cast<int>(k - j)));
          binomial = binomial * (k - j) / (j + 1);
        }
      }
    }
  }
  for (std::uint32_t cell = 0; cell < tree.cells(); ++cell) {
    tree.multipoles.push_back(rounded(&terms[std::size_t{cell} * kTerms]));
  }
}

}  // namespace

namespace {

/// Adds what the charges of `leaf` do to the one at `place`.
void add_field(const Tree& tree, std::uint32_t place, std::uint32_t leaf, double& most,
               Strongest& found) {
  const Charge& here = tree.charges[place];
  for (std::uint32_t i = tree.starts[leaf]; i < tree.starts[leaf + 1]; ++i) {
    const double distance =
        std::hypot(double{tree.charges[i].x} - here.x, double{tree.charges[i].y} - here.y);
    if (distance == 0) continue;
    // The square, of floats, must not underflow: its reciprocal is what is multiplied with.
    const double field = distance < 0x1p-60 ? INFINITY : double{here.q} / distance;
    found.field += field;
    if (field <= most) continue;
    most = field;
    found.nearest = i;
  }
}

}  // namespace

Strongest find_strongest(const Tree& tree) {
  Strongest strongest;
  const int width = 1 << tree.levels;
  for (std::uint32_t leaf = 0; leaf + 1 < tree.starts.size(); ++leaf) {
    const auto column = static_cast<int>(even_bits(leaf));
    const auto row = static_cast<int>(even_bits(leaf >> 1));
    for (std::uint32_t place = tree.starts[leaf]; place < tree.starts[leaf + 1]; ++place) {
      Strongest here;
      here.charge = place;
      double most = 0;
      for (int y = std::max(0, row - 1); y <= std::min(width - 1, row + 1); ++y) {
        for (int x = std::max(0, column - 1); x <= std::min(width - 1, column + 1); ++x) {
          const std::uint32_t code = spread_bits(static_cast<std::uint32_t>(x)) |
                                     spread_bits(static_cast<std::uint32_t>(y)) << 1;
          add_field(tree, place, code, most, here);
        }
      }
      if (here.field > strongest.field) strongest = here;
    }
  }
  return strongest;
}

Tree build_tree(const locality::PointSet& points, unsigned levels) {
  Tree tree;
  tree.levels = levels;
  if (levels == 0) {
    const double leaves = std::max(1.0, static_cast<double>(points.size()) / 4);
    tree.levels = std::min(kMostLevels,
                           std::max(2u, static_cast<unsigned>(std::lround(std::log2(leaves) / 2))));
  }
  const std::vector<Sorted> sorted = sort_into_leaves(points, tree.levels);
  tree.starts.assign((std::size_t{1} << 2 * tree.levels) + 1, 0);
  for (const Sorted& item : sorted) {
    tree.charges.push_back(item.charge);
    tree.origins.push_back(item.origin);
    ++tree.starts[item.leaf + 1];
  }
  for (std::size_t leaf = 1; leaf < tree.starts.size(); ++leaf)
    tree.starts[leaf] += tree.starts[leaf - 1];
  add_multipoles(tree);
  return tree;
}

DirectField direct_field(const std::vector<Charge>& charges, std::size_t index) {
  Big sum = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const Big difference(double{charges[index].x} - charges[i].x,
                         double{charges[index].y} - charges[i].y);
    if (difference == 0.0) continue;
    const Big term = double{charges[i].q} / difference;
    sum += term;
    magnitude += std::abs(term);
  }
  return {sum.real(), sum.imag(), magnitude};
}

}  // namespace raddle::workloads::fmm
