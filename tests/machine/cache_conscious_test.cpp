// The cache-conscious policy (ccws): its scores by the paper's rule, and its effect.
#include <gtest/gtest.h>

#include "kernels.h"
#include "machine/scheduler/config.h"
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

/// Four warps of one scheduler, of which the last is the oldest; victim tags for two lines each.
class CacheConsciousTest : public testing::Test {
 protected:
  CacheConsciousTest() {
    own_ = cache_conscious_kind().make_config(root_);
    root_.set("ccws.victim_sets", "1");
    root_.set("ccws.victim_ways", "2");
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) ages_[warp] = kMaxWarps - warp;
    load_.klass = isa::Class::load_store;
    load_.kind = isa::Kind::memory;
    load_.has_result = true;
    store_ = load_;
    store_.has_result = false;
    next_.fill(&load_);
    make();
  }

  /// The policy with the settings as they are, which has issued 100 instructions.
  void make() {
    policy_ = cache_conscious_kind().make({config_, own_.get(), statistics_, 0});
    for (unsigned warp = 0; warp < 4; ++warp) policy_->started(warp);
    issue(100);
  }
  void issue(int times) {
    for (int n = 0; n < times; ++n) policy_->issued(3, add_, 0);
  }
  /// The warp misses a line that it has lost.
  void loses(unsigned warp, Cycle now) {
    replaced(warp, 0x1000);
    misses(warp, 0x1000, now);
  }

  void replaced(unsigned warp, Address line) { policy_->evicted({line, warp}, 0); }
  void misses(unsigned warp, Address line, Cycle now) {
    policy_->looked_up({.path = path_id(warp, 0), .line = line, .misses = 1}, now);
  }
  unsigned pick(WarpMask ready, Cycle now) {
    return policy_->pick({ready, 0, ready, ages_, now, next_.data(), blocks_.data()});
  }
  std::uint64_t counted(const char* name) const { return total(statistics_, "ccws", name); }

  ConfigGroup root_{""};
  SchedulerConfig config_{"scheduler"};
  StatGroup statistics_{"sm"};
  std::unique_ptr<ConfigGroup> own_;
  std::unique_ptr<WarpPolicy> policy_;
  isa::Instruction add_, load_, store_;
  std::array<const isa::Instruction*, kMaxWarps> next_{};
  std::array<std::uint8_t, kMaxWarps> blocks_{};
  WarpAges ages_{};
};

TEST_F(CacheConsciousTest, IsGreedyThenOldestWhileNobodyLosesLines) {
  replaced(0, 0x1000);
  misses(0, 0x2000, 10);  // another line
  misses(1, 0x1000, 10);  // another warp's
  EXPECT_EQ(pick(0b0111, 11), 2u);
  EXPECT_EQ(pick(0b1111, 11), 3u);
  EXPECT_EQ(counted("lost_lines"), 0u);
}

// One lost line, 100 issues, throttle 50: 1 * 50 / 100 of a cutoff of 4 * 100 is 200. Scores 200, 100,
// 100, 100: the first three reach 400, the last may not load until the first score has fallen below
// 200, which takes the last one to reach it.
TEST_F(CacheConsciousTest, TheWarpsBeyondTheCutoffDoNotLoad) {
  root_.set("ccws.throttle", "50");
  make();
  loses(0, 10);
  EXPECT_EQ(counted("lost_lines"), 1u);
  EXPECT_EQ(pick(0b1000, 10), WarpPolicy::kNobody) << "the last of those that lost nothing";
  EXPECT_EQ(counted("held_back"), 1u);
  EXPECT_EQ(pick(0b1001, 10), 0u) << "who lost the line loads, though it is younger";
  EXPECT_EQ(pick(0b1100, 10), 2u);
  EXPECT_EQ(pick(0b1000, 11), 3u) << "the score has fallen by one a cycle";
  EXPECT_EQ(counted("held_back"), 1u);
}

// 1 * 100 / 100 of 400 is 400: the warp alone reaches the cutoff. It does so again with 2 lost lines
// of 200 issues, which would be 800 if lost lines added up; 100 cycles later it has 300, and two
// others, of which the second brings the sum beyond the cutoff, load too.
TEST_F(CacheConsciousTest, ALostLineSetsTheScoreAndDoesNotAddToIt) {
  root_.set("ccws.throttle", "100");
  make();
  loses(0, 10);
  EXPECT_EQ(pick(0b1110, 10), WarpPolicy::kNobody);
  issue(100);
  loses(0, 10);
  EXPECT_EQ(pick(0b1110, 10), WarpPolicy::kNobody);
  EXPECT_EQ(pick(0b1110, 11), 1u);
  EXPECT_EQ(pick(0b1100, 110), WarpPolicy::kNobody) << "300 + 100 are the cutoff";
  EXPECT_EQ(pick(0b1000, 111), WarpPolicy::kNobody);
  EXPECT_EQ(pick(0b0100, 111), 2u) << "299 + 100 are not";
}

// 1 * 8 / 100 of 400 is 32, less than the base score.
TEST_F(CacheConsciousTest, FewLostLinesHoldNobodyBack) {
  loses(0, 10);
  EXPECT_EQ(pick(0b1000, 10), 3u);
  EXPECT_EQ(counted("lost_lines"), 1u);
}

// What warps that have ended had issued and lost counts no more: 1 * 100 / 100 of 3 * 100 is 300.
TEST_F(CacheConsciousTest, OnlyWarpsThatAreThereCount) {
  root_.set("ccws.throttle", "100");
  make();
  for (int n = 0; n < 900; ++n) policy_->issued(2, add_, 0);
  loses(2, 5);
  policy_->ended(2);
  loses(0, 10);
  EXPECT_EQ(pick(0b1010, 10), WarpPolicy::kNobody);
  EXPECT_EQ(pick(0b1000, 11), WarpPolicy::kNobody);
  EXPECT_EQ(pick(0b0010, 11), 1u) << "299 and 100";
}

TEST_F(CacheConsciousTest, OnlyLoadsAreHeldBack) {
  root_.set("ccws.throttle", "100");
  make();
  loses(0, 10);
  EXPECT_EQ(pick(0b1000, 10), WarpPolicy::kNobody);
  next_[3] = &store_;
  EXPECT_EQ(pick(0b1000, 10), 3u);
  next_[3] = &add_;
  EXPECT_EQ(pick(0b1000, 10), 3u);
}

TEST_F(CacheConsciousTest, ALostLineIsFoundOnceAndAWarpThatEndsLosesNone) {
  replaced(0, 0x1000);
  misses(0, 0x1000, 10);
  misses(0, 0x1000, 11);
  EXPECT_EQ(counted("lost_lines"), 1u);
  replaced(0, 0x2000);
  policy_->ended(0);
  policy_->started(0);
  misses(0, 0x2000, 12);
  EXPECT_EQ(counted("lost_lines"), 1u);
}

TEST_F(CacheConsciousTest, VictimTagsKnowTheLastLines) {
  for (const Address line : {0x1000, 0x2000, 0x3000}) replaced(0, line);
  misses(0, 0x1000, 10);
  EXPECT_EQ(counted("lost_lines"), 0u);
  misses(0, 0x2000, 10);
  misses(0, 0x3000, 10);
  EXPECT_EQ(counted("lost_lines"), 2u);
}

/// 16 warps go 40 times through 8 lines of their own, in an L1 cache of 32 lines.
constexpr const char* kRounds = R"(
.visible .entry rounds(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd2, %rd2, %rd3;
  and.b32 %r2, %r1, 31;
  shr.u32 %r3, %r1, 5;
  shl.b32 %r3, %r3, 10;
  shl.b32 %r2, %r2, 2;
  add.u32 %r3, %r3, %r2;
  cvt.u64.u32 %rd4, %r3;
  add.u64 %rd1, %rd1, %rd4;
  mov.u32 %r4, 40;
  mov.u32 %r5, 0;
ROUND:
  mov.u32 %r6, 8;
  mov.u64 %rd5, %rd1;
LINE:
  ld.global.ca.u32 %r7, [%rd5];
  add.u32 %r5, %r5, %r7;
  add.u64 %rd5, %rd5, 128;
  sub.u32 %r6, %r6, 1;
  setp.ne.u32 %p1, %r6, 0;
  @%p1 bra LINE;
  sub.u32 %r4, %r4, 1;
  setp.ne.u32 %p2, %r4, 0;
  @%p2 bra ROUND;
  st.global.u32 [%rd2], %r5;
  ret;
})";

struct Rounds {
  std::vector<std::uint32_t> out;
  std::uint64_t misses = 0, held_back = 0, lost = 0;
  Cycle cycles = 0;
  bool operator==(const Rounds&) const = default;
};

Rounds rounds(const char* policy, const char* skip_idle = "true", const char* threads = "1",
              const char* divergence = "stack") {
  test::Machine machine(kRounds, {{"scheduler.policy", policy},
                                  {"scheduler.divergence", divergence},
                                  {"l1.cache_global", "true"},
                                  {"l1.sets", "8"},
                                  {"gpu.sms", "2"},
                                  {"gpu.skip_idle", skip_idle},
                                  {"gpu.threads", threads}});
  machine.launch("rounds", 2, 512);
  machine.run();
  EXPECT_TRUE(machine.gpu().take_faults().empty());
  Rounds result;
  for (std::uint32_t t = 0; t < 512; ++t) result.out.push_back(machine.out(t));
  result.misses = total(machine.gpu().statistics(), "l1", "misses");
  result.held_back = total(machine.gpu().statistics(), "ccws", "held_back");
  result.lost = total(machine.gpu().statistics(), "ccws", "lost_lines");
  result.cycles = machine.gpu().now();
  return result;
}

// What the paper shows: the warps' working sets together do not fit, those of some of them do.
TEST(CacheConscious, WarpsKeepMoreOfTheirLines) {
  const Rounds ccws = rounds("ccws");
  EXPECT_GT(ccws.lost, 0u);
  EXPECT_GT(ccws.held_back, 0u);
  for (const char* other : {"lrr", "gto"}) {
    const Rounds without = rounds(other);
    EXPECT_EQ(ccws.out, without.out);
    EXPECT_LT(ccws.misses, without.misses) << other;
  }
}

// No lanes part, so that one path of each warp runs: what holds its loads back is the same.
TEST(CacheConscious, AWarpWithASecondPathIsHeldBackToo) {
  EXPECT_EQ(rounds("ccws", "true", "1", "dual_path"), rounds("ccws"));
}

TEST(CacheConscious, SkippingAndThreadsChangeNothing) {
  const Rounds one = rounds("ccws");
  EXPECT_EQ(rounds("ccws", "false"), one);
  EXPECT_EQ(rounds("ccws", "true", "2"), one);
}

}  // namespace
}  // namespace raddle::machine
