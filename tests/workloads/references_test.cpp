// The CPU references, compared with cases that are small enough to compute by hand.
#include <gmock/gmock-matchers.h>

#include <cmath>

#include "bfs/reference.h"
#include "cholesky/reference.h"
#include "common/seven_points.h"
#include "histogram/reference.h"
#include "lud/reference.h"
#include "mandelbrot/reference.h"
#include "matmul/reference.h"
#include "nbody/reference.h"
#include "nests/nests.h"
#include "nw/reference.h"
#include "reduce/reference.h"
#include "sssp/reference.h"
#include "vecadd/reference.h"
#include "worklist_mst/reference.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;
constexpr std::uint32_t none = 0xffffffff;

TEST(References, VectorSum) {
  EXPECT_THAT(add_vectors_reference({1, 2}, {0.5, -2}), ElementsAre(1.5f, 0.0f));
}

TEST(References, MatrixProduct) {
  EXPECT_THAT(multiply_reference({1, 2, 3, 4}, {5, 6, 7, 8}, 2), ElementsAre(19, 22, 43, 50));
}

TEST(References, CholeskyFactor) {
  const auto factor = cholesky_reference({2, {4, 6, 6, 10}});
  ASSERT_TRUE(factor);
  EXPECT_THAT(factor->values, ElementsAre(2, 0, 3, 1));
  EXPECT_FALSE(cholesky_reference({2, {4, 6, 6, 9}}));  // singular
}

TEST(References, TriangularFactors) {
  const auto factors = lud_reference({2, {2, 3, 4, 11}});
  ASSERT_TRUE(factors);
  EXPECT_THAT(factors->values, ElementsAre(2, 3, 2, 5));
  EXPECT_FALSE(lud_reference({2, {0, 1, 1, 0}}));
}

// The last element of |L| |U| is 11: with n = 2 it may be off by 2 (2 + 2) 11 roundings.
TEST(References, FactorsMayBeOffByRoundingAlone) {
  const SquareMatrix lower{2, {1, 0, 2, 1}}, upper{2, {2, 3, 0, 5}};
  const auto accepts = [&](double last, double rounding) {
    return check_factors("by hand", {2, {2, 3, 4, last}}, lower, upper, rounding);
  };
  EXPECT_TRUE(accepts(11, 0x1p-24));
  EXPECT_TRUE(accepts(11 + 87 * 0x1p-24, 0x1p-24));
  EXPECT_FALSE(accepts(11 + 89 * 0x1p-24, 0x1p-24));
  EXPECT_FALSE(accepts(11 + 87 * 0x1p-24, 0x1p-53));
  EXPECT_FALSE(accepts(NAN, 0x1p-24));
}

// A cube of 3 x 3 x 3 has one inner point. Here its neighbours' sum is 54.
TEST(References, SevenPoints) {
  const Box box{3, 3, 3};
  std::vector<float> points(27);
  points[box.at(2, 1, 1)] = 2;
  points[box.at(1, 0, 1)] = 6;
  points[box.at(1, 2, 1)] = 18;
  points[box.at(1, 1, 0)] = 1;
  points[box.at(1, 1, 2)] = 27;
  points[box.at(1, 1, 1)] = 8;
  std::vector<float> expected = points;
  EXPECT_EQ(iterate_seven_points(points, box, 0, diffused), expected);
  expected[box.at(1, 1, 1)] = 54.0f / 8 + 8.0f / 4;
  EXPECT_EQ(iterate_seven_points(points, box, 1, diffused), expected);
  expected[box.at(1, 1, 1)] = 54.0f / 8 + 8.75f / 4;
  EXPECT_EQ(iterate_seven_points(points, box, 2, diffused), expected);
}

// AC with AGC: a match, a gap, a match.
TEST(References, Alignment) {
  const auto scores = align_reference({0, 1}, {0, 2, 1}, {});
  EXPECT_THAT(scores, ElementsAre(0, -10, -20, -30, -10, 5, -5, -15, -20, -5, 1, 0));
}

TEST(References, RelativesHaveTheLengthThatIsAskedFor) {
  Random random(1);
  const Sequence sequence = random_sequence(200, random);
  for (std::size_t length : {1, 100, 200, 400}) {
    EXPECT_EQ(mutated(sequence, length, random).size(), length);
  }
}

TEST(References, LanesGoTheWaysThatAreCertain) {
  const std::uint32_t x = 5;
  EXPECT_EQ(nest_reference<InnerNest>(1, x, 1, {0, 30000}), InnerNest::other(x));
  EXPECT_EQ(nest_reference<OuterNest>(1, x, 1, {65536, 65536}),
            OuterNest::after(OuterNest::first(OuterNest::before(x))));
  EXPECT_EQ(nest_reference<OuterNest>(1, x, 1, {65536, 0}),
            OuterNest::after(OuterNest::second(OuterNest::before(x))));
}

TEST(References, SumWrapsAround) { EXPECT_EQ(reduce_reference({0xffffffff, 3}), 2u); }

TEST(References, Histogram) {
  const auto counts = histogram_reference({7, 255, 7});
  EXPECT_EQ(counts[7], 2u);
  EXPECT_EQ(counts[255], 1u);
  EXPECT_EQ(counts.size(), 256u);
}

// 0 -> 1 -> 2, a shortcut 0 -> 2, a way back 2 -> 0, and 3 apart.
TEST(References, BreadthFirstDepths) {
  const CsrGraph graph = build_csr({4, false, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {2, 0, 1}}});
  EXPECT_THAT(bfs_reference(graph, 0), ElementsAre(0, 1, 1, none));
  EXPECT_THAT(bfs_reference(graph, 1), ElementsAre(2, 0, 1, none));
}

// The way round over 1 is shorter than the direct arc.
TEST(References, ShortestPaths) {
  const CsrGraph graph = build_csr({4, true, {{0, 2, 10}, {0, 1, 3}, {1, 2, 4}, {2, 1, 1}}});
  EXPECT_THAT(sssp_reference(graph, 0), ElementsAre(0, 3, 7, none));
}

TEST(References, PathsTooLongFor32BitsCountAsNone) {
  const CsrGraph graph = build_csr({3, true, {{0, 1, 4294967294.0}, {1, 2, 1}}});
  EXPECT_THAT(sssp_reference(graph, 0), ElementsAre(0, 4294967294u, none));
}

// A square of which two edges weigh the same, with a loop, and an edge apart.
TEST(References, SpanningForest) {
  ArcList list{6, true, {{0, 1, 5}, {1, 2, 5}, {2, 3, 1}, {3, 0, 5}, {2, 2, 0}, {4, 5, 9}}};
  add_reverse_arcs(list);
  const CsrGraph graph = build_csr(list);
  const UndirectedEdges edges(graph);
  // In order of their ends: 0-1, 0-3, 1-2, 2-3, 4-5; of those that weigh 5 the first two.
  EXPECT_THAT(mst_reference(6, edges.edges), ElementsAre(1, 1, 0, 1, 1));
  ASSERT_EQ(edges.of_arc.size(), 11u);
  EXPECT_EQ(edges.of_arc[graph.row_offsets[3]], 1u);      // from 3 to 0
  EXPECT_EQ(edges.of_arc[graph.row_offsets[3] + 1], 3u);  // from 3 to 2
}

// c = 0 never leaves; c = 2 is at |z| = 2 after one step and beyond after two; c = -1 oscillates;
// c = 1 goes 1, 2, 5.
TEST(References, EscapeTimes) {
  EXPECT_EQ(escape_time_reference(0, 0, 100), 100u);
  EXPECT_EQ(escape_time_reference(2, 0, 100), 2u);
  EXPECT_EQ(escape_time_reference(-1, 0, 100), 100u);
  EXPECT_EQ(escape_time_reference(1, 0, 100), 3u);
  EXPECT_EQ(escape_time_reference(3, 0, 100), 1u);
}

// A mass of 8 at distance 2 pulls with 8 / 4 = 2; one of 1 at distance 1 pulls the other way.
TEST(References, Gravitation) {
  const std::vector<Body> bodies = {{0, 0, 0, 1}, {2, 0, 0, 8}, {-1, 0, 0, 1}};
  const auto acceleration = acceleration_reference(bodies, 0, 0.0);
  EXPECT_TRUE(std::isnan(acceleration.value[0])) << "a body meets itself: softening is needed";
  const auto softened = acceleration_reference(bodies, 0, 1e-12);
  EXPECT_NEAR(softened.value[0], 2 - 1, 1e-9);
  EXPECT_NEAR(softened.magnitude[0], 2 + 1, 1e-9);
  EXPECT_EQ(softened.value[1], 0);
}

}  // namespace
}  // namespace raddle::workloads
