#include <gmock/gmock-matchers.h>

#include "flow_help.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;

TEST(ControlFlow, CutsBlocksAtBranchesAndTargets) {
  // 0; 1: if -> 4; 2; 3: jump 5; 4; 5: leave
  const ControlFlowGraph cfg = build_cfg(
      flow({compute({}, {}), branch(4), compute({}, {}), jump(5), compute({}, {}), leave()}));
  ASSERT_EQ(cfg.blocks.size(), 4u);
  EXPECT_THAT(cfg.block_of, ElementsAre(0, 0, 1, 1, 2, 3));
  EXPECT_THAT(cfg.blocks[0].successors, ElementsAre(1, 2));
  EXPECT_THAT(cfg.blocks[1].successors, ElementsAre(3));
  EXPECT_THAT(cfg.blocks[2].successors, ElementsAre(3));
  EXPECT_THAT(cfg.blocks[3].predecessors, ElementsAre(1, 2));
  EXPECT_TRUE(cfg.blocks[3].exits);
  EXPECT_FALSE(cfg.blocks[0].exits);
}

TEST(ControlFlow, CountsAnEdgeOnceWhenABranchGoesToTheNextInstruction) {
  const ControlFlowGraph cfg = build_cfg(flow({branch(1), leave()}));
  EXPECT_THAT(cfg.blocks[0].successors, ElementsAre(1));
  EXPECT_THAT(cfg.blocks[1].predecessors, ElementsAre(0));
}

TEST(ControlFlow, LeavesWhereItRunsOrJumpsPastTheEnd) {
  const ControlFlowGraph cfg = build_cfg(flow({branch(2), compute({}, {})}));
  ASSERT_EQ(cfg.blocks.size(), 2u);
  EXPECT_TRUE(cfg.blocks[0].exits);
  EXPECT_TRUE(cfg.blocks[1].exits);
  EXPECT_THAT(cfg.blocks[0].successors, ElementsAre(1));
}

TEST(ControlFlow, TakesAnEmptyBodyForOneBlock) {
  const ControlFlowGraph cfg = build_cfg(flow({}));
  ASSERT_EQ(cfg.blocks.size(), 1u);
  EXPECT_TRUE(cfg.blocks[0].exits);
}

TEST(ControlFlow, FollowsEveryTargetOfABranchTable) {
  FlowInstruction table = jump(1);
  table.targets = {3, 1, 2, 1};
  const ControlFlowGraph cfg = build_cfg(flow({table, leave(), leave(), leave()}));
  EXPECT_THAT(cfg.blocks[0].successors, ElementsAre(3, 1, 2));
}

}  // namespace
}  // namespace raddle::ptx
