#include "common/cage_model.h"

#include <gtest/gtest.h>

#include "common/graph_reader.h"

namespace raddle::workloads {
namespace {

// Rows of the matrices cage3 to cage10 in the SuiteSparse Matrix Collection, group vanHeukelum.
TEST(CageModel, HasThePublishedNumbersOfStates) {
  const Vertex published[] = {5, 9, 37, 93, 340, 1015, 3534, 11397};
  for (unsigned monomers = 3; monomers <= 10; ++monomers) {
    EXPECT_EQ(cage_graph(monomers).num_vertices, published[monomers - 3]) << monomers;
  }
}

TEST(CageModel, IsCage8ForEightMonomers) {
  const ArcList published = read_graph(RADDLE_DATA_DIR "/graphs/cage8.mtx");
  const ArcList made = cage_graph(8);
  ASSERT_EQ(made.num_vertices, published.num_vertices);
  ASSERT_EQ(made.arcs.size(), published.arcs.size());
  for (std::size_t i = 0; i < made.arcs.size(); ++i) {
    ASSERT_EQ(made.arcs[i].source, published.arcs[i].source) << "entry " << i;
    ASSERT_EQ(made.arcs[i].target, published.arcs[i].target) << "entry " << i;
    // The file has 15 digits.
    ASSERT_NEAR(made.arcs[i].weight, published.arcs[i].weight, 1e-15) << "entry " << i;
  }
}

}  // namespace
}  // namespace raddle::workloads
