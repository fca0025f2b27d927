// The examples of HACKING.md that settings choose: a warp scheduler policy and a scheme of lane
// control.
#include <gmock/gmock-matchers.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "machine/control_flow/random_program.h"
#include "machine/kernels.h"
#include "machine/lane_controls.h"
#include "machine/reconvergence/stack.h"
#include "machine/warp_policies.h"

namespace raddle::mechanisms {
namespace youngest_first {
machine::MechanismKind kind();
}
namespace largest_split {
machine::MechanismKind kind();
}
}  // namespace raddle::mechanisms

namespace raddle::machine {

namespace {

/// The split that is least far in the program runs, told of jumps forwards or not.
template <bool told>
class LowestPc : public SimtStack {
 public:
  LowestPc(WarpValues& values, Cursor* cursors) : SimtStack(values, cursors) {
    hears_forward_jumps_ = told;
  }

  bool choose() override {
    for (;;) {
      std::uint8_t best = kNoSplit;
      for (std::uint64_t rest = ready(); rest != 0; rest &= rest - 1) {
        const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
        if (best == kNoSplit || at(split).pc < at(best).pc) best = split;
      }
      if (best == kNoSplit) return false;
      if (!has_arrived(best)) {
        run(best, 0);
        return true;
      }
      arrive_at_parent(best);
    }
  }

 private:
  Turn jumped_past(unsigned path) override {
    park(path, State::ready);
    return Turn::changed;
  }
};

template <bool told>
std::unique_ptr<LaneControl> make_lowest_pc(WarpValues& values, Cursor* cursors) {
  return std::make_unique<LowestPc<told>>(values, cursors);
}

MechanismKind lowest_pc() {
  static const LaneControlKind schemes[] = {{.name = "lowest_pc",
                                             .meaning = "who is least far runs first",
                                             .source = "-",
                                             .whole_warps_at_barriers = true,
                                             .make = make_lowest_pc<true>},
                                            {.name = "lowest_pc_untold",
                                             .meaning = "the same, not told of jumps forwards",
                                             .source = "-",
                                             .whole_warps_at_barriers = true,
                                             .make = make_lowest_pc<false>}};
  MechanismKind kind;
  kind.name = "lowest";
  kind.meaning = "schemes for scheduler.divergence";
  kind.lane_controls = []() -> std::span<const LaneControlKind> { return schemes; };
  return kind;
}

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = {mechanisms::youngest_first::kind(),
                                                   mechanisms::largest_split::kind(), lowest_pc()};
  return kinds;
}

namespace {

using test::Machine;
using test::RandomProgram;

TEST(Choices, APolicyOfAMechanismIsChosenByItsName) {
  Machine machine(test::kAddIndex, {{"scheduler.policy", "youngest_first"}});
  machine.launch("add_index", 20, 256);
  machine.run();
  EXPECT_EQ(machine.out(777), 4 * 777u);
}

/// Two warps that are ready all the time, of one scheduler: the one that was placed later ends
/// first.
TEST(Choices, TheYoungestWarpIssuesFirst) {
  std::string body;
  for (int n = 0; n < 400; ++n) body += "add.u32 %r" + std::to_string(10 + n % 20) + ", %r1, 1;\n";
  const std::string text =
      ".visible .entry work(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<32>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n" +
      body +
      "atom.global.add.u32 %r5, [%rd1], 1; shr.u32 %r1, %r1, 5; mul.wide.u32 %rd2, %r1, 4;\n"
      "add.u64 %rd2, %rd2, %rd1; st.global.u32 [%rd2+4], %r5; ret; }\n";
  const auto first = [&](const char* policy) {
    Machine machine(text.c_str(), {{"scheduler.policy", policy},
                                   {"gpu.sms", "1"},
                                   {"scheduler.count", "1"},
                                   {"scheduler.dispatch_width", "1"}});
    machine.launch("work", 1, 4 * 32);
    machine.run();
    unsigned warp = 0;
    for (unsigned other = 1; other < 4; ++other) {
      if (machine.out(1 + other) < machine.out(1 + warp)) warp = other;
    }
    return warp;
  };
  EXPECT_EQ(first("youngest_first"), 3u);
  EXPECT_NE(first("gto"), 3u);
}

void expect_right_results(const char* scheme) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const RandomProgram program(seed, 64);
    const std::string text = program.ptx();
    Machine machine(text.c_str(), {{"scheduler.divergence", scheme}, {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 64);
    machine.run();
    std::vector<std::uint32_t> results;
    for (std::uint32_t t = 0; t < 64; ++t) results.push_back(machine.out(t));
    ASSERT_EQ(results, program.results()) << "seed " << seed;
  }
}

TEST(Choices, ASchemeOfAMechanismIsChosenByItsName) { expect_right_results("largest_split"); }
TEST(Choices, ASchemeMayBeToldOfJumpsForwards) { expect_right_results("lowest_pc"); }

/// Lanes that go to NEAR, which is first in the program, jump to FAR past those at MIDDLE: who takes
/// the first ticket?
TEST(Choices, WhoHearsOfAJumpForwardsLetsThoseThatWereJumpedOverRun) {
  constexpr const char* kText = R"(
.visible .entry tickets(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra MIDDLE;
NEAR:
  atom.global.add.u32 %r2, [%rd1+1024], 1;
  bra FAR;
MIDDLE:
  atom.global.add.u32 %r3, [%rd1+1028], 1;
  atom.global.add.u32 %r4, [%rd1+1024], 1;
  st.global.u32 [%rd2], %r4;
  bra END;
FAR:
  atom.global.add.u32 %r4, [%rd1+1032], 1;
  atom.global.add.u32 %r5, [%rd1+1028], 1;
  st.global.u32 [%rd2], %r5;
END:
  ret;
})";
  const auto tickets_before_far = [&](const char* scheme) {
    Machine machine(kText, {{"scheduler.divergence", scheme}, {"gpu.sms", "1"}});
    machine.launch("tickets", 1, 32);
    machine.run();
    std::uint32_t least = ~0u;
    for (std::uint32_t t = 0; t < 16; ++t) least = std::min(least, machine.out(t));
    return least;
  };
  EXPECT_EQ(tickets_before_far("lowest_pc"), 16u);
  EXPECT_EQ(tickets_before_far("lowest_pc_untold"), 0u);
}

TEST(Choices, AnUnknownNameIsRefusedWithNearOnes) {
  GpuConfig config;
  config.set("scheduler.divergence", "largest_splits");
  try {
    config.check();
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean largest_split?"));
  }
  GpuConfig other;
  other.set("scheduler.policy", "gro");
  try {
    other.check();
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("should be one of gto|lrr|two_level"));
  }
}

}  // namespace
}  // namespace raddle::machine
