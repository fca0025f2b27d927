// The references of points-to analysis and of matrix completion, compared with results by hand; and
// inputs of pairs.
#include <gmock/gmock-matchers.h>

#include "common/text_scanner.h"
#include "pairs/inputs.h"
#include "pta/constraints.h"
#include "sgd/factors.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

// p = &a; q = p; *q = r; r = &b; s = *p, with a, b, p, q, r, s in this order.
TEST(PointsTo, SetsFlowThroughCopiesLoadsAndStores) {
  const pta::Program program = pta::read_program("by hand",
                                                 "nodes 6\nobject 0 1\nobject 1 1\naddress 2 0\n"
                                                 "copy 3 2\nstore 3 4\naddress 4 1\nload 5 2\n");
  EXPECT_THAT(pta::solve(program), ElementsAre(0b10, 0, 0b01, 0b01, 0b10, 0b10));
}

// An object of two fields: it has a first one, and none beyond.
TEST(PointsTo, OffsetsStayWithinTheirObject) {
  const pta::Program program = pta::read_program(
      "by hand", "nodes 5\nobject 0 2\nobject 1 1\naddress 2 0\noffset 3 2 1\noffset 4 2 2\n");
  EXPECT_THAT(pta::solve(program), ElementsAre(0, 0, 0b01, 0b10, 0));
}

TEST(PointsTo, ADamagedFileIsRefusedWithItsPlace) {
  const auto read = [](const char* text) { return [text] { pta::read_program("f", text); }; };
  EXPECT_THAT(read("nodes 3\ncopy 1 3\n"),
              testing::ThrowsMessage<InputError>(testing::HasSubstr("f:2:8")));
  EXPECT_THAT(read("nodes 3\nmove 1 2\n"),
              testing::ThrowsMessage<InputError>(testing::HasSubstr("f:2:1")));
  EXPECT_THAT(read("nodes 3\ncopy 1 2 0 0\n"),
              testing::ThrowsMessage<InputError>(testing::HasSubstr("f:2:12")));
}

// One rating of 2 stars, and vectors whose product is 1.
TEST(Completion, AStepFollowsTheGradient) {
  sgd::Cells cells;
  cells.groups = 1;
  cells.offsets = {0, 1};
  cells.entries = {{0, 0, 2.0f}};
  sgd::Factors factors;
  factors.users.assign(sgd::kFactors, 0.0f);
  factors.items.assign(sgd::kFactors, 0.0f);
  factors.users[0] = factors.items[0] = 1.0f;
  sgd::descend(factors, cells, 1);
  EXPECT_FLOAT_EQ(factors.users[0], 1.0f + 0.01f * (1.0f - 0.05f));
  EXPECT_FLOAT_EQ(factors.items[0], 1.0f + 0.01f * (1.0f - 0.05f));
  EXPECT_EQ(factors.users[1], 0.0f);
}

TEST(Completion, EachRatingIsInTheCellOfItsUserAndItem) {
  RatingTable table;
  table.num_users = 4;
  table.num_items = 4;
  table.offsets = {0, 1, 2, 3, 4};
  table.items = {3, 0, 2, 1};
  table.half_stars = {2, 4, 6, 8};
  const sgd::Cells cells = sgd::make_cells(table, 2);
  EXPECT_THAT(cells.offsets, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(cells.entries[0].user, 1u);  // items 0 and 1
  EXPECT_EQ(cells.entries[1].user, 0u);  // items 2 and 3
  EXPECT_EQ(cells.entries[2].user, 3u);
  EXPECT_EQ(cells.entries[3].stars, 3.0f);
}

TEST(PairGraph, HasTheVerticesAndEdgesThatAreAskedFor) {
  const CsrGraph graph = pairs::pair_graph("rmat", 1000, 3000, true, 1);
  EXPECT_EQ(graph.num_vertices(), 1000u);
  EXPECT_LE(graph.num_arcs(), 6000u);  // parallel edges are one
  EXPECT_GT(graph.num_arcs(), 4000u);
  EXPECT_TRUE(graph.weighted());
  EXPECT_FALSE(pairs::pair_graph("rmat", 1000, 3000, false, 1).weighted());
}

}  // namespace
}  // namespace raddle::workloads
