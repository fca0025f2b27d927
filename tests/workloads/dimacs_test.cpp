#include <gmock/gmock-matchers.h>

#include "arc_printer.h"
#include "common/graph_reader.h"
#include "message_of.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

ArcList read(std::string_view text) { return read_dimacs("g.gr", text); }
std::string error(std::string_view text) {
  return message_of([&] { read(text); });
}

TEST(Dimacs, ShortestPathArcsAreDirectedAndWeighted) {
  const ArcList list = read("c comment\np sp 4 2\nc more\na 1 4 25\na 4 2 3\n");
  EXPECT_EQ(list.num_vertices, 4u);
  EXPECT_TRUE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 3, 25}, Arc{3, 1, 3}));
}

TEST(Dimacs, TreewidthEdgesAreUndirectedAndUnweighted) {
  const ArcList list = read("p tw 3 2\n1 2\nc comment\n3 3\n");
  EXPECT_FALSE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 1}, Arc{1, 0, 1}, Arc{2, 2, 1}));
}

TEST(DimacsDamage, NoProblemLine) {
  EXPECT_EQ(error("c only a comment\na 1 2 3\n"),
            "g.gr:2:1: expected the problem line 'p sp N M', found 'a'");
}

TEST(DimacsDamage, OtherProblem) {
  EXPECT_EQ(error("p edge 3 2\n"),
            "g.gr:1:3: expected the problem 'sp' (shortest paths) or 'tw' (treewidth), found "
            "'edge'");
}

TEST(DimacsDamage, VertexOutOfRange) {
  EXPECT_EQ(error("p sp 4 1\na 1 5 2\n"),
            "g.gr:2:5: expected a vertex number from 1 to 4, found '5'");
}

TEST(DimacsDamage, WeightMissing) {
  EXPECT_EQ(error("p sp 4 1\na 1 3\n"),
            "g.gr:2:6: expected an arc's weight, found the end of the line");
}

TEST(DimacsDamage, UnknownLine) {
  EXPECT_EQ(error("p sp 4 1\nx 1 3 2\n"),
            "g.gr:2:1: expected an arc line 'a U V WEIGHT', found 'x'");
}

TEST(DimacsDamage, TooFewArcs) {
  EXPECT_EQ(error("p sp 4 2\na 1 3 2\n"),
            "g.gr:3:1: expected arc 2 of 2, found the end of the file");
}

TEST(DimacsDamage, TooManyArcs) {
  EXPECT_EQ(error("p tw 4 1\n1 3\n2 3\n"),
            "g.gr:3:1: expected the end of the file after 1 arcs, found '2'");
}

}  // namespace
}  // namespace raddle::workloads
