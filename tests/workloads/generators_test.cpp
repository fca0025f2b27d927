#include "common/generators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bfs/reference.h"

namespace raddle::workloads {
namespace {

// The first values of SplitMix64 for seed 1234567, published with the Rosetta Code task
// "Pseudo-random numbers/Splitmix64".
TEST(Random, IsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, BelowStaysBelowAndReachesEveryValue) {
  Random random(1);
  bool seen[5] = {};
  for (int i = 0; i < 200; ++i) seen[random.below(5)] = true;
  EXPECT_EQ(std::count(std::begin(seen), std::end(seen), true), 5);
}

TEST(UniformGraph, HasTheSizeAskedFor) {
  const ArcList list = uniform_graph(100, 1000, 3);
  EXPECT_EQ(list.num_vertices, 100u);
  EXPECT_EQ(list.arcs.size(), 1000u);
  for (const Arc& arc : list.arcs) {
    ASSERT_LT(arc.source, 100u);
    ASSERT_LT(arc.target, 100u);
  }
}

TEST(RmatGraph, EdgesStandInBothDirections) {
  const ArcList list = rmat_graph(8, 4, 1);
  EXPECT_EQ(list.num_vertices, 256u);
  std::map<std::pair<Vertex, Vertex>, int> balance;
  std::size_t edges = 0;
  for (const Arc& arc : list.arcs) {
    if (arc.source == arc.target) {
      edges += 2;  // a self loop is one edge but has no reverse
      continue;
    }
    ++edges;
    const auto ends = std::minmax(arc.source, arc.target);
    balance[{ends.first, ends.second}] += arc.source < arc.target ? 1 : -1;
  }
  EXPECT_EQ(edges, 2u * 4 * 256);
  for (const auto& [ends, sum] : balance) EXPECT_EQ(sum, 0);
}

// With A = 0.57, B = 0.19 the rows of the upper half hold 0.76 of all edges at each level: a
// vertex whose row bits are all zero expects 0.76^scale of them, far above the uniform share.
TEST(RmatGraph, DegreesAreSkewed) {
  const CsrGraph graph = build_csr(rmat_graph(10, 8, 1));
  const double mean = double(graph.num_arcs()) / graph.num_vertices();
  EXPECT_GT(graph.degree(highest_degree_vertex(graph)), 10 * mean);
}

TEST(RmatGraph, SeedDecides) {
  EXPECT_EQ(build_csr(rmat_graph(6, 4, 5)).targets, build_csr(rmat_graph(6, 4, 5)).targets);
  EXPECT_NE(build_csr(rmat_graph(6, 4, 5)).targets, build_csr(rmat_graph(6, 4, 6)).targets);
}

TEST(RandomWeights, AreTheSameInBothDirectionsAndInRange) {
  ArcList list{3, false, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}}};
  assign_random_weights(list, 50, 9);
  EXPECT_TRUE(list.weighted);
  EXPECT_EQ(list.arcs[0].weight, list.arcs[1].weight);
  for (const Arc& arc : list.arcs) {
    EXPECT_GE(arc.weight, 1);
    EXPECT_LE(arc.weight, 50);
  }
}

// citationCiteseer has 268,495 vertices, 8.6 arcs each, at most 1318.
TEST(CitationGraph, IsAsSkewedAsARealOne) {
  ArcList list = citation_graph(1 << 18, 4, 1);
  add_reverse_arcs(list);
  const CsrGraph graph = build_csr(list);
  unsigned most = 0;
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    most = std::max(most, graph.row_offsets[v + 1] - graph.row_offsets[v]);
  }
  EXPECT_GT(most, 1318u / 2);
  EXPECT_LT(most, 1318u * 2);
}

// No two papers of cit-HepPh are more than 12 citations apart (Stanford network collection).
TEST(CitationGraph, IsASmallWorld) {
  ArcList list = citation_graph(1 << 15, 4, 1);
  add_reverse_arcs(list);
  const CsrGraph graph = build_csr(list);
  const auto depths = bfs_reference(graph, highest_degree_vertex(graph));
  EXPECT_LE(*std::max_element(depths.begin(), depths.end()), 12u);
}

// road_usa has 23,947,347 vertices in one piece, 28,854,312 edges, and no vertex with more than
// nine.
TEST(RoadGraph, IsAsSparseAsARealOneAndInOnePiece) {
  const CsrGraph graph = build_csr(road_graph(13, 1));
  ASSERT_EQ(graph.num_vertices(), 1u << 13);
  EXPECT_NEAR(double(graph.num_arcs()) / graph.num_vertices(), 2 * 28'854'312. / 23'947'347., 0.02);
  EXPECT_LE(graph.degree(highest_degree_vertex(graph)), 9u);
  const auto depths = bfs_reference(graph, 0);
  EXPECT_LT(*std::max_element(depths.begin(), depths.end()), graph.num_vertices());
}

}  // namespace
}  // namespace raddle::workloads
