#include <gtest/gtest.h>

#include <algorithm>

#include "bfs/reference.h"
#include "common/graph_reader.h"
#include "message_of.h"

namespace raddle::workloads {
namespace {

ArcList bundled(const std::string& file) {
  return read_graph(std::string(RADDLE_DATA_DIR) + "/graphs/" + file);
}

// Counts are those that data/SOURCES.md gives from the sources' own descriptions.
TEST(BundledGraphs, InternetIsConnectedAndShallow) {
  const CsrGraph graph = build_csr(bundled("internet.mtx"));
  EXPECT_EQ(graph.num_vertices(), 124651u);
  EXPECT_EQ(graph.num_arcs(), 387240u);
  const Vertex hub = highest_degree_vertex(graph);
  EXPECT_EQ(graph.degree(hub), 151u);
  const auto depths = bfs_reference(graph, hub);
  EXPECT_EQ(*std::max_element(depths.begin(), depths.end()), 16u);
}

TEST(BundledGraphs, NewYorkRoads) {
  const ArcList list = bundled("USA-road-NY.gr");
  EXPECT_EQ(list.num_vertices, 264346u);
  EXPECT_EQ(list.arcs.size(), 2 * 365050u);
  EXPECT_FALSE(list.weighted);
}

TEST(BundledGraphs, Delaunay) {
  const ArcList list = bundled("delaunay_n15.graph");
  EXPECT_EQ(list.num_vertices, 32768u);
  EXPECT_EQ(list.arcs.size(), 2 * 98274u);
}

TEST(BundledGraphs, AirRoutes) {
  const ArcList list = bundled("openflights.gr");
  EXPECT_EQ(list.num_vertices, 3214u);
  EXPECT_EQ(list.arcs.size(), 36906u);
  EXPECT_TRUE(list.weighted);
}

TEST(BundledGraphs, MissingFileIsNamed) {
  EXPECT_EQ(message_of([] { read_graph("no/such/file.mtx"); }),
            "no/such/file.mtx: No such file or directory");
}

}  // namespace
}  // namespace raddle::workloads
