#include "common/graph.h"

#include <gmock/gmock-matchers.h>

#include "arc_printer.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

TEST(BuildCsr, SortsArcsIntoRows) {
  const ArcList list{4, true, {{2, 3, 5}, {0, 2, 1}, {2, 0, 7}, {0, 1, 9}}};
  const CsrGraph graph = build_csr(list);
  EXPECT_THAT(graph.row_offsets, ElementsAre(0, 2, 2, 4, 4));
  EXPECT_THAT(graph.targets, ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(graph.weights, ElementsAre(9, 1, 7, 5));
  EXPECT_EQ(graph.degree(2), 2u);
}

TEST(BuildCsr, KeepsTheLightestOfParallelArcs) {
  const CsrGraph graph = build_csr({2, true, {{0, 1, 5}, {0, 1, 3}, {0, 1, 4}}});
  EXPECT_THAT(graph.targets, ElementsAre(1));
  EXPECT_THAT(graph.weights, ElementsAre(3));
}

TEST(BuildCsr, UnweightedGraphStoresNoWeights) {
  EXPECT_FALSE(build_csr({2, false, {{0, 1, 1}}}).weighted());
}

TEST(BuildCsr, EmptyGraph) {
  const CsrGraph graph = build_csr({});
  EXPECT_EQ(graph.num_vertices(), 0u);
  EXPECT_EQ(graph.num_arcs(), 0u);
}

TEST(AddReverseArcs, DoublesAllButSelfLoops) {
  ArcList list{3, true, {{0, 1, 5}, {2, 2, 6}}};
  add_reverse_arcs(list);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 5}, Arc{2, 2, 6}, Arc{1, 0, 5}));
}

TEST(HighestDegreeVertex, LowestNumberAmongEquals) {
  EXPECT_EQ(highest_degree_vertex(build_csr({3, false, {{1, 0, 1}, {2, 0, 1}}})), 1u);
}

}  // namespace
}  // namespace raddle::workloads
