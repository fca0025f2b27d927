// Points, trees and expansions of the workloads with task trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <set>
#include <string>

#include "common/text_scanner.h"
#include "locality/kd_tree.h"
#include "locality/points.h"
#include "locality_fmm/cells.h"
#include "locality_fmm/shift.h"
#include "message_of.h"

namespace raddle::workloads::locality {
namespace {

std::string binary(const std::string& header, const std::vector<float>& values) {
  std::string bytes = header + "\n";
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

TEST(Points, BinaryAndTextAreRead) {
  const PointSet a = read_points("a", binary("points 2 2", {1, 2, -3, 0.5f}));
  EXPECT_EQ(a.dimensions, 2u);
  EXPECT_EQ(a.values, (std::vector<float>{1, 2, -3, 0.5f}));
  const PointSet b = read_points("b", "1 2\n\n-3 0.5\n");
  EXPECT_EQ(b.values, a.values);
  EXPECT_EQ(read_points("c", "").size(), 0u);
  EXPECT_EQ(read_points("d", "points 3 0\n").size(), 0u);
}

TEST(Points, DamagedFilesAreErrorsThatSayWhere) {
  for (const std::string& bytes :
       {binary("points 2 2", {1, 2, 3}), binary("points 0 2", {}), binary("points 2", {1, 2}),
        std::string("1 2\n3\n"), std::string("1 x\n"), binary("points 1 1", {NAN}),
        binary("points 2 99999999999", {}), std::string("points")}) {
    EXPECT_THROW(read_points("file", bytes), InputError) << bytes;
  }
  EXPECT_THAT(message_of([] { read_points("file", "1 2\n3\n"); }), testing::HasSubstr("file:2"));
}

TEST(Points, ThoseWhoseSquaredDistancesOverflowAreErrorsThatSayWhere) {
  for (const char* const value : {"1e30", "-1e30", "1.1e18", "inf", "nan"}) {
    EXPECT_THAT(message_of([&] { read_points("file", std::string("1 2\n3 ") + value + "\n"); }),
                testing::HasSubstr("file:2:3"))
        << value;
  }
  EXPECT_THAT(message_of([] { read_points("file", binary("points 2 2", {1, 2, 3, 1e30f})); }),
              testing::HasSubstr("coordinate 2 of point 2"));
  const PointSet most = read_points("file", "1e18 -1e18\n-1e18 1e18\n");
  EXPECT_LT(squared_distance_of_share(most, 1, 1), INFINITY);
}

TEST(KdTree, EveryPointIsInOneLeafAndInTheBoxesAboveIt) {
  for (const char* const input : {"uniform", "clustered", "equal", "line"}) {
    const PointSet set = make_points(input, 1000, 3, 7);
    const KdTree<3> tree = KdBuilder<3>::build(set, 4);
    std::set<std::uint32_t> origins(tree.origins.begin(), tree.origins.end());
    EXPECT_EQ(origins.size(), 1000u);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      const KdNode<3>& node = tree.nodes[i];
      if (node.count == 0) {
        EXPECT_EQ(tree.skip[i + 1], node.link);
        EXPECT_EQ(tree.skip[node.link], tree.skip[i]);
        continue;
      }
      EXPECT_EQ(node.link, next);
      EXPECT_LE(node.count, 4u);
      next += node.count;
      for (std::uint32_t k = node.link; k < next; ++k) {
        EXPECT_EQ(squared_distance(node, tree.points[k]), 0.0f);
        EXPECT_EQ(std::memcmp(tree.points[k].at, set.at(tree.origins[k]), 3 * sizeof(float)), 0);
      }
    }
    EXPECT_EQ(next, 1000u);
  }
}

/// A multipole of charges in a cell, as a local expansion of another cell, gives the field there.
TEST(FastMultipole, ShiftedExpansionsGiveTheField) {
  using Big = std::complex<double>;
  const Big charges[] = {{0.4, -0.3}, {-0.5, 0.5}, {0.1, 0.2}};  // about the cell's centre, side 1
  fmm::Expansion multipole = {};
  for (const Big& z : charges) {
    for (unsigned k = 0; k < fmm::kTerms; ++k) {
      const Big power = std::pow(z, static_cast<int>(k));
      multipole.terms[k].re += static_cast<float>(power.real());
      multipole.terms[k].im += static_cast<float>(power.imag());
    }
  }
  for (int x = -3; x <= 3; ++x) {
    for (int y = -3; y <= 3; ++y) {
      if (std::abs(x) < 2 && std::abs(y) < 2) continue;
      fmm::Complex local[fmm::kTerms];
      fmm::shift_to_local(multipole, x, y, local);
      for (const Big at : {Big(0.3, 0.2), Big(-0.4, 0.4)}) {
        Big expected = 0, found = 0, magnitude = 0;
        for (const Big& z : charges) {
          const Big term = 1.0 / (Big(x, y) + at - z);
          expected += term;
          magnitude += std::abs(term);
        }
        for (unsigned l = fmm::kTerms; l-- > 0;) found = found * at + Big(local[l].re, local[l].im);
        EXPECT_LT(std::abs(found - expected), std::pow(0.55, fmm::kTerms) * std::real(magnitude));
      }
    }
  }
}

/// The strongest field is that of the nearest pair, also of charges of different leaves.
TEST(FastMultipole, TheStrongestFieldIsThatOfTheNearestPair) {
  PointSet points;
  points.dimensions = 2;
  points.values = {0, 0, 1, 1, 0.5f, 0.25f, 0.5f - 0x1p-20f, 0.25f};
  const fmm::Strongest found = fmm::find_strongest(fmm::build_tree(points, 3));
  EXPECT_NEAR(found.field, 0x1p18, 1);  // a quarter, and 2^-20 apart
  const fmm::Tree tree = fmm::build_tree(points, 3);
  EXPECT_EQ(tree.origins[found.charge] + tree.origins[found.nearest], 2u + 3u);
  points.values[4] = 0x1p-70f;
  points.values[5] = 0;
  EXPECT_EQ(fmm::find_strongest(fmm::build_tree(points, 3)).field, INFINITY);
}

/// Multipoles of upper cells are those of their charges.
TEST(FastMultipole, UpperMultipolesAreThoseOfTheCharges) {
  const fmm::Tree tree = fmm::build_tree(make_points("clustered", 500, 2, 3), 4);
  std::complex<double> terms[fmm::kTerms] = {};
  for (const fmm::Charge& charge : tree.charges) {
    for (unsigned k = 0; k < fmm::kTerms; ++k) {
      terms[k] += double{charge.q} * std::pow(std::complex<double>(charge.x - 0.5, charge.y - 0.5),
                                              static_cast<int>(k));
    }
  }
  for (unsigned k = 0; k < fmm::kTerms; ++k) {
    EXPECT_NEAR(tree.multipoles[0].terms[k].re, terms[k].real(), 1e-6) << k;
    EXPECT_NEAR(tree.multipoles[0].terms[k].im, terms[k].imag(), 1e-6) << k;
  }
}

}  // namespace
}  // namespace raddle::workloads::locality
