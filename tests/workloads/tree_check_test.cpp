// The checks of worklist_bh find faults.
#include <gtest/gtest.h>

#include <cmath>

#include "bht/reference.h"
#include "worklist_bh/bodies.h"
#include "worklist_bh/check.h"

namespace raddle::workloads::bh {
namespace {

class TreeCheck : public testing::Test {
 protected:
  TreeCheck() : bodies(disc(300, 4).bodies), tree(build_tree(bodies, 1)) {
    const std::vector<double> sums = walk_reference(tree, theta);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      pulls.push_back({static_cast<float>(sums[3 * i]), static_cast<float>(sums[3 * i + 1]),
                       static_cast<float>(sums[3 * i + 2])});
      alone.push_back(static_cast<unsigned>(i));
    }
  }
  static constexpr float theta = 0.5F;
  std::vector<Body> bodies;
  Tree tree;
  std::vector<Acceleration> pulls;
  std::vector<unsigned> alone;
  Comparison comparison{0, 0};
};

TEST_F(TreeCheck, TheReferenceIsRight) {
  EXPECT_TRUE(check_tree(tree, bodies));
  EXPECT_TRUE(check_walks(tree, theta, alone, pulls));
  EXPECT_TRUE(check_direct_sum(tree, theta, pulls, comparison));
  EXPECT_LT(comparison.root_mean_square, 0.02);
  EXPECT_GT(comparison.root_mean_square, 0);
}

TEST_F(TreeCheck, AWrongPullIsFound) {
  pulls[128].y *= 1.001F;
  EXPECT_FALSE(check_walks(tree, theta, alone, pulls));
}

TEST_F(TreeCheck, AMissingHalfOfThePullsIsFoundByTheDirectSum) {
  for (Acceleration& pull : pulls) pull.x *= 0.5F;
  EXPECT_FALSE(check_direct_sum(tree, theta, pulls, comparison));
}

// Who walks together opens more.
TEST_F(TreeCheck, TheGroupsOfBodiesMatter) {
  std::vector<unsigned> together(bodies.size(), 0);
  EXPECT_FALSE(check_walks(tree, theta, together, pulls));
}

TEST_F(TreeCheck, AWrongNodeIsFound) {
  tree.nodes[9].mass *= 1.01F;
  EXPECT_FALSE(check_tree(tree, bodies));
}

TEST_F(TreeCheck, SwappedBodiesAreFound) {
  std::swap(tree.bodies[4], tree.bodies[5]);
  EXPECT_FALSE(check_tree(tree, bodies));
}

TEST(Disc, TurnsInItsPlane) {
  const System system = disc(1000, 2);
  double turning = 0, height = 0;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body& p = system.bodies[i];
    const Body& v = system.velocities[i];
    EXPECT_LE(std::hypot(p.x, p.y), 6.001);
    EXPECT_NEAR(p.x * v.x + p.y * v.y, 0, 1e-4);
    turning += p.x * v.y - p.y * v.x;
    height += std::abs(p.z) / 1000;
  }
  EXPECT_GT(turning, 0);
  // The mean of |z| where the density falls as sech^2(z / 0.1) is 0.1 ln 2.
  EXPECT_NEAR(height, 0.0693, 0.01);
}

}  // namespace
}  // namespace raddle::workloads::bh
