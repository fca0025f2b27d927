#include <gmock/gmock-matchers.h>

#include <random>

#include "flow_help.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;

constexpr std::uint32_t X = kExitBlock;

TEST(PostDominators, MeetBehindADiamond) {
  EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {3}, {3}, {}})), ElementsAre(3, 3, 3, X));
}

TEST(PostDominators, LeaveALoopAtItsExit) {
  // 0 -> 1; 1: header -> 2 or 3; 2: body, back to 1; 3: exit
  EXPECT_THAT(immediate_post_dominators(graph({{1}, {2, 3}, {1}, {}})), ElementsAre(1, 3, 1, X));
}

TEST(PostDominators, AreTheExitWhereSeveralWaysLeave) {
  EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {}, {3}, {}})), ElementsAre(X, X, 3, X));
}

TEST(PostDominators, NestAsBranchesDo) {
  // if (0) { if (1) 2 else 3; 4 } else 5; 6
  EXPECT_THAT(immediate_post_dominators(graph({{1, 5}, {2, 3}, {4}, {4}, {6}, {6}, {}})),
              ElementsAre(6, 4, 4, 4, 6, 6, X));
}

TEST(PostDominators, CopeWithIrreducibleLoops) {
  // 0 enters the cycle 1 <-> 2 at both blocks; both can leave to 3.
  EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {2, 3}, {1, 3}, {}})),
              ElementsAre(3, 3, 3, X));
}

TEST(PostDominators, ReconvergeInsideALoopThatNeverEnds) {
  // 0 -> 1; 1 -> 2 or 3; both -> 4; 4 -> 1
  EXPECT_THAT(immediate_post_dominators(graph({{1}, {2, 3}, {4}, {4}, {1}})),
              ElementsAre(1, 4, 4, 4, X));
}

TEST(PostDominators, AreTheExitBetweenAnEndlessLoopAndAnEnd) {
  // 0 -> 1 or 2; 1 -> 1; 2 exits
  EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {1}, {}})), ElementsAre(X, X, X));
}

TEST(PostDominators, CoverUnreachableBlocks) {
  EXPECT_THAT(immediate_post_dominators(graph({{2}, {2}, {}})), ElementsAre(2, 2, X));
}

/// By definition: d post-dominates b when no path from b to the exit avoids d.
bool reaches_exit_without(const ControlFlowGraph& cfg, std::uint32_t from, std::uint32_t avoided) {
  std::vector<bool> seen(cfg.blocks.size(), false);
  Ids work = {from};
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    if (block == avoided || seen[block]) continue;
    seen[block] = true;
    if (cfg.blocks[block].exits) return true;
    for (const std::uint32_t next : cfg.blocks[block].successors) work.push_back(next);
  }
  return false;
}

/// The post-dominator of b that all its other ones post-dominate in turn.
std::uint32_t by_definition(const ControlFlowGraph& cfg, std::uint32_t b) {
  const auto count = static_cast<std::uint32_t>(cfg.blocks.size());
  const auto dominates = [&](std::uint32_t d, std::uint32_t of) {
    return !reaches_exit_without(cfg, of, d);
  };
  for (std::uint32_t d = 0; d < count; ++d) {
    if (d == b || !dominates(d, b)) continue;
    bool immediate = true;
    for (std::uint32_t other = 0; other < count; ++other) {
      if (other == b || other == d || !dominates(other, b)) continue;
      immediate &= dominates(other, d);
    }
    if (immediate) return d;
  }
  return kExitBlock;
}

std::vector<std::uint32_t> likely(const ControlFlowGraph& cfg) {
  return likely_convergence_points(cfg, immediate_post_dominators(cfg));
}

/// Figure 29 of irregular-control-flow, blocks A to F: most of what B and C do goes on to E.
TEST(LikelyPoints, ThoseThatStayInALoopMeetThere) {
  EXPECT_THAT(likely(graph({{1, 2}, {4, 5}, {3, 4}, {5}, {0, 5}, {}})),
              ElementsAre(4, X, X, X, X, X));
}

TEST(LikelyPoints, WaysThatGoBackApartMeetInTheNextRound) {
  EXPECT_THAT(likely(graph({{1}, {2, 3}, {1, 4}, {1, 4}, {}})), ElementsAre(X, 1, X, X, X));
}

TEST(LikelyPoints, ThereIsNoneWherePathsMeetThereAnyway) {
  EXPECT_THAT(likely(graph({{1, 2}, {3}, {3}, {0, 4}, {}})), ElementsAre(X, X, X, X, X));
}

/// An inner loop is left by a branch that has both ways in the outer one.
TEST(LikelyPoints, OfABranchThatLeavesALoopTheOuterOneCounts) {
  EXPECT_THAT(likely(graph({{1}, {2}, {3, 4}, {2, 5}, {1, 5}, {}})), ElementsAre(X, X, 4, X, X, X));
}

TEST(PostDominators, AgreeWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t count = 2 + random() % 12;
    std::vector<Ids> edges(count);
    for (std::uint32_t b = 0; b + 1 < count; ++b) {
      edges[b].push_back(b + 1);  // so that the last block is reached from everywhere
      const std::uint32_t other = random() % count;
      if (random() % 2 == 0 && other != b + 1) edges[b].push_back(other);
    }
    const ControlFlowGraph cfg = graph(edges);
    const auto result = immediate_post_dominators(cfg);
    for (std::uint32_t b = 0; b < count; ++b) {
      ASSERT_EQ(result[b], by_definition(cfg, b)) << "trial " << trial << " block " << b;
    }
  }
}

}  // namespace
}  // namespace raddle::ptx
