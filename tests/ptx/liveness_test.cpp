#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>

#include "flow_help.h"
#include "ptx/passes/live_ranges.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Liveness, CarriesAValueAroundALoop) {
  // 0: r0 = ..; 1: r1 = ..; 2 (loop): r1 = r1 + r0; 3: branch 2; 4: leave r1
  const FlowFunction function = flow(
      {compute({0}, {}), compute({1}, {}), compute({1}, {1, 0}), branch(2), leave({1})}, {1, 1});
  const ControlFlowGraph cfg = build_cfg(function);
  const Liveness live = liveness(function, cfg);
  EXPECT_THAT(live.in[0], IsEmpty());
  EXPECT_THAT(live.out[0], ElementsAre(0, 1));
  EXPECT_THAT(live.in[1], ElementsAre(0, 1));
  EXPECT_THAT(live.out[1], ElementsAre(0, 1));  // r0 is read again in the next round
  EXPECT_THAT(live.in[2], ElementsAre(1));
}

TEST(Liveness, EndsAtAnUnconditionalWriteOnly) {
  // 0: r0 = ..; 1: branch 2; 2: @p r0 = ..; 3: branch 4; 4: r1 = r0; r0 = ..; leave r0, r1
  const FlowFunction function =
      flow({compute({0}, {}), branch(2), guarded(compute({0}, {})), branch(4), compute({1}, {0}),
            compute({0}, {}), leave({0, 1})},
           {1, 1});
  const ControlFlowGraph cfg = build_cfg(function);
  const Liveness live = liveness(function, cfg);
  EXPECT_THAT(live.out[0], ElementsAre(0));  // passes the guarded write
  EXPECT_THAT(live.in[2], ElementsAre(0));
}

TEST(Liveness, SeparatesTheSidesOfABranch) {
  // 0: r0, r1 = ..; 1: branch 4; 2: use r0; 3: jump 5; 4: use r1; 5: leave
  const FlowFunction function =
      flow({compute({0, 1}, {}), branch(4), compute({}, {0}), jump(5), compute({}, {1}), leave()},
           {1, 1});
  const ControlFlowGraph cfg = build_cfg(function);
  const Liveness live = liveness(function, cfg);
  EXPECT_THAT(live.in[1], ElementsAre(0));
  EXPECT_THAT(live.in[2], ElementsAre(1));
  EXPECT_THAT(live.in[3], IsEmpty());
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> segments_of(const FlowFunction& function,
                                                                 std::uint32_t r) {
  const ControlFlowGraph cfg = build_cfg(function);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> segments;
  const auto ranges = live_ranges(function, cfg, liveness(function, cfg));
  for (const LiveSegment& segment : ranges[r]) {
    segments.emplace_back(segment.start, segment.end);
  }
  return segments;
}

using Segments = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(LiveRange, RunsFromAWriteToTheLastReadWithHoles) {
  // Slots: instruction i reads in 2i and writes in 2i + 1.
  const FlowFunction function = flow(
      {compute({0}, {}), compute({}, {0}), compute({}, {}), compute({0}, {}), leave({0})}, {1});
  EXPECT_EQ(segments_of(function, 0), (Segments{{1, 3}, {7, 9}}));
}

TEST(LiveRange, OfADeadWriteIsItsSlot) {
  EXPECT_EQ(segments_of(flow({compute({0}, {}), leave()}, {1}), 0), (Segments{{1, 2}}));
}

TEST(LiveRange, BeginsAtTheFirstGuardedWrite) {
  // @p r0 = ..; @!p r0 = ..; use r0: live from the entry on, but worth nothing before the write.
  const FlowFunction function = flow(
      {compute({}, {}), guarded(compute({0}, {})), guarded(compute({0}, {})), leave({0})}, {1});
  EXPECT_EQ(segments_of(function, 0), (Segments{{3, 7}}));
}

TEST(LiveRange, CoversTheWholeLoopThatCarriesIt) {
  // 0: r0 = ..; 1 (loop): use r0; 2; 3: branch 1; 4: leave
  const FlowFunction function =
      flow({compute({0}, {}), compute({}, {0}), compute({}, {}), branch(1), leave()}, {1});
  EXPECT_EQ(segments_of(function, 0), (Segments{{1, 8}}));
}

}  // namespace
}  // namespace raddle::ptx
