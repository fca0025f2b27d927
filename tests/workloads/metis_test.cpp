#include <gmock/gmock-matchers.h>

#include "arc_printer.h"
#include "common/graph_reader.h"
#include "message_of.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

ArcList read(std::string_view text) { return read_metis("g.graph", text); }
std::string error(std::string_view text) {
  return message_of([&] { read(text); });
}

// A path of three vertices: 1 - 2 - 3.
const std::vector<Arc> path = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}};

TEST(Metis, PlainGraph) {
  const ArcList list = read("3 2\n2\n1 3\n2\n");
  EXPECT_EQ(list.num_vertices, 3u);
  EXPECT_FALSE(list.weighted);
  EXPECT_EQ(list.arcs, path);
}

TEST(Metis, FormatZeroIsPlain) { EXPECT_EQ(read("3 2 0\n2\n1 3\n2\n").arcs, path); }

TEST(Metis, EdgeWeights) {
  const ArcList list = read("3 2 1\n2 50\n1 50 3 60\n2 60\n");
  EXPECT_TRUE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 50}, Arc{1, 0, 50}, Arc{1, 2, 60}, Arc{2, 1, 60}));
}

TEST(Metis, VertexWeightsAreDropped) { EXPECT_EQ(read("3 2 10\n9 2\n9 1 3\n9 2\n").arcs, path); }

TEST(Metis, SeveralVertexWeights) {
  EXPECT_EQ(read("3 2 010 2\n9 8 2\n9 8 1 3\n9 8 2\n").arcs, path);
}

TEST(Metis, VertexWeightsAndEdgeWeights) {
  const ArcList list = read("2 1 11\n9 2 5\n9 1 5\n");
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 5}, Arc{1, 0, 5}));
}

TEST(Metis, VertexSizesAreDropped) { EXPECT_EQ(read("3 2 100\n7 2\n7 1 3\n7 2\n").arcs, path); }

TEST(Metis, CommentsAnywhere) {
  EXPECT_EQ(read("% a\n3 2\n% b\n2\n1 3\n% c\n2\n% d\n").arcs, path);
}

TEST(Metis, EmptyLineIsAVertexWithoutNeighbours) {
  const ArcList list = read("3 1\n3\n\n1\n");
  EXPECT_EQ(list.num_vertices, 3u);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 2, 1}, Arc{2, 0, 1}));
}

TEST(Metis, SelfLoopListedOnceOrTwice) {
  EXPECT_THAT(read("2 2\n1 2\n1\n").arcs, ElementsAre(Arc{0, 0, 1}, Arc{0, 1, 1}, Arc{1, 0, 1}));
  EXPECT_EQ(read("2 2\n1 1 2\n1\n").arcs.size(), 4u);
}

TEST(MetisDamage, WrongFormatDigits) {
  EXPECT_EQ(error("3 2 12\n"), "g.graph:1:5: expected digits 0 or 1 in FMT");
}

TEST(MetisDamage, NeighbourOutOfRange) {
  EXPECT_EQ(error("3 2\n2\n1 4\n2\n"),
            "g.graph:3:3: expected a neighbour's number from 1 to 3, found '4'");
}

TEST(MetisDamage, EdgeWeightMissing) {
  EXPECT_EQ(error("3 2 1\n2\n1 1 3 1\n2 1\n"),
            "g.graph:2:2: expected an edge weight, found the end of the line");
}

TEST(MetisDamage, VertexLineMissing) {
  EXPECT_EQ(error("3 2\n2\n1 3\n"),
            "g.graph:4:1: expected the line of vertex 3 of 3, found the end of the file");
}

TEST(MetisDamage, VertexLineTooMany) {
  EXPECT_EQ(error("3 2\n2\n1 3\n2\n1\n"),
            "g.graph:5:1: expected the end of the file after 3 vertex lines, found '1'");
}

TEST(MetisDamage, EdgeCountDoesNotMatch) {
  EXPECT_EQ(error("3 3\n2\n1 3\n2\n"),
            "g.graph:5:1: expected 6 neighbours in all, twice the 3 edges of the header, but there "
            "are 4, found the end of the file");
}

}  // namespace
}  // namespace raddle::workloads
