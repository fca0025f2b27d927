// The statistic of each block, from HACKING.md.
#include <gtest/gtest.h>

#include "machine/kernels.h"

namespace raddle::mechanisms::block_misses {
machine::MechanismKind kind();
}

namespace raddle::machine {

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = {mechanisms::block_misses::kind()};
  return kinds;
}

namespace {

/// Block b loads b + 1 sectors, each in a line of its own, twice; and sleeps between.
constexpr const char* kStairs = R"(
.visible .entry stairs(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4096;
  add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r3, 2;
TWICE:
  mov.u64 %rd3, %rd1;
  mov.u32 %r2, 0;
NEXT:
  ld.global.ca.u32 %r4, [%rd3];
  add.u32 %r5, %r5, %r4;
  add.u64 %rd3, %rd3, 128;
  add.u32 %r2, %r2, 1;
  setp.le.u32 %p1, %r2, %r1;
  @%p1 bra NEXT;
  nanosleep.u32 4000;
  sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra TWICE;
  ret;
})";

struct Outcome {
  std::vector<std::uint64_t> words;  // of the histogram
  std::uint64_t l1_misses = 0;
  std::uint64_t preempted = 0;
};

Outcome run(const char* preempt_every, const char* threads = "1") {
  test::Machine machine(kStairs, {{"gpu.mechanisms", "block_misses"},
                                  {"gpu.sms", "3"},
                                  {"gpu.preempt_every", preempt_every},
                                  {"gpu.threads", threads},
                                  {"l1.cache_global", "true"},
                                  {"l1.fetch_line", "false"}});
  machine.launch("stairs", 8, 1);
  machine.run();
  EXPECT_TRUE(machine.gpu().take_faults().empty());
  Outcome result;
  for (const StatGroup* group : machine.gpu().statistics().children()) {
    if (group->name() != "block_misses") continue;
    const auto words = group->statistics().at(0)->words();
    result.words.assign(words.begin(), words.end());
  }
  result.l1_misses = total(machine.gpu().statistics(), "l1", "misses");
  result.preempted = total(machine.gpu().statistics(), "preemption", "left");
  return result;
}

// Misses of 1, 2, 3, ... 8 sectors; the second time all are there.
TEST(BlockMisses, EachBlockCountsItsOwn) {
  const Outcome one = run("0");
  EXPECT_EQ(one.l1_misses, 36u);
  EXPECT_EQ(run("0", "3").words, one.words);
  struct Expected : StatGroup {
    using StatGroup::StatGroup;
    Log2Histogram<24> misses{*this, "misses", "sectors", ""};
  } expected{"expected"};
  for (std::uint64_t misses = 1; misses <= 8; ++misses) expected.misses.add(misses);
  const auto words = expected.misses.words();
  EXPECT_EQ(one.words, std::vector<std::uint64_t>(words.begin(), words.end()));
}

// One that goes on elsewhere is still one block, and misses again.
TEST(BlockMisses, BlocksThatMoveKeepTheirCount) {
  const Outcome moved = run("500");
  EXPECT_GT(moved.preempted, 0u);
  std::uint64_t sum = 0;
  struct Read : StatValues {
    double operator()(const Statistic&) const override { return 0; }
  };
  struct Shape : StatGroup {
    using StatGroup::StatGroup;
    Log2Histogram<24> misses{*this, "misses", "sectors", ""};
  } shape{"shape"};
  for (const StatFigure& figure : shape.misses.figures(moved.words, Read{})) {
    if (figure.part == "mean") sum = static_cast<std::uint64_t>(figure.value * 8 + 0.5);
  }
  EXPECT_EQ(sum, moved.l1_misses) << "of 8 blocks";
  EXPECT_GT(moved.l1_misses, 36u);
}

}  // namespace
}  // namespace raddle::machine
