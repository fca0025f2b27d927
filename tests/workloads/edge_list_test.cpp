#include <gmock/gmock-matchers.h>

#include "arc_printer.h"
#include "common/graph_reader.h"
#include "message_of.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

ArcList read(std::string_view text) { return read_edge_list("e.txt", text); }
std::string error(std::string_view text) {
  return message_of([&] { read(text); });
}

TEST(EdgeList, TabsSpacesCommentsAndCarriageReturns) {
  const ArcList list =
      read("# Directed graph: x\r\n# FromNodeId\tToNodeId\r\n0\t1\r\n2  0\r\n% y\n");
  EXPECT_EQ(list.num_vertices, 3u);
  EXPECT_FALSE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 1}, Arc{2, 0, 1}));
}

TEST(EdgeList, IdsAreNumberedInTheirOrder) {
  const ArcList list = read("1000 7\n7 40\n");
  EXPECT_EQ(list.num_vertices, 3u);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{2, 0, 1}, Arc{0, 1, 1}));
}

TEST(EdgeList, CommentMakesEdgesUndirected) {
  EXPECT_THAT(read("# Undirected graph: a.txt\n0 1\n").arcs,
              ElementsAre(Arc{0, 1, 1}, Arc{1, 0, 1}));
}

TEST(EdgeList, CallerMakesEdgesUndirected) {
  EXPECT_EQ(read_edge_list("e.txt", "0 1\n", true).arcs.size(), 2u);
}

TEST(EdgeList, ThirdColumnIsTheWeight) {
  const ArcList list = read("0 1 0.5\n1 0 2\n");
  EXPECT_TRUE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 0.5}, Arc{1, 0, 2}));
}

TEST(EdgeList, EmptyFileIsTheEmptyGraph) { EXPECT_EQ(read("# nothing\n").num_vertices, 0u); }

TEST(EdgeListDamage, OneVertexOnALine) {
  EXPECT_EQ(error("0 1\n2\n"), "e.txt:2:2: expected a second vertex id, found the end of the line");
}

TEST(EdgeListDamage, NegativeId) {
  EXPECT_EQ(error("0 -1\n"), "e.txt:1:3: expected a second vertex id, found '-1'");
}

TEST(EdgeListDamage, IdTooLarge) {
  EXPECT_EQ(error("99999999999999999999999 1\n"),
            "e.txt:1:1: expected a vertex id from 0 to 4294967294, found "
            "'99999999999999999999999'");
}

TEST(EdgeListDamage, WordInsteadOfWeight) {
  EXPECT_EQ(error("0 1 hello\n"),
            "e.txt:1:5: expected a weight or the end of the line, found 'hello'");
}

TEST(EdgeListDamage, WeightOnSomeLinesOnly) {
  EXPECT_EQ(error("0 1\n1 2 3\n"), "e.txt:2:5: a weight, where the first edge has none");
}

TEST(EdgeListDamage, BinaryFileGivesAPrintableMessage) {
  EXPECT_EQ(error("GIF\x01 1\n"), "e.txt:1:1: expected a vertex id, found 'GIF?'");
}

}  // namespace
}  // namespace raddle::workloads
