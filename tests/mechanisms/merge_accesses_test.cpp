// Merged loads and stores of both sides of a branch (merge.memory): the values of generated
// programs, and the requests that merging saves.
#include <gtest/gtest.h>

#include <random>

#include "machine/kernels.h"
#include "machine/lane_controls.h"
#include "machine/settings.h"

namespace raddle::machine {
namespace {

using test::Machine;
using test::Settings;

constexpr std::uint32_t kThreads = 64;

/// A kernel whose lanes part by a bit of their number; each side is a chain of accesses to `in` (in[i] = 3 i)
/// and to a shared array, of which each thread has a word of its own, some under guards.
class TwoSides {
 public:
  explicit TwoSides(std::uint32_t seed) : random_(seed), bit_(1u << (seed % 5)) {
    for (auto& side : sides_) {
      for (unsigned n = 2 + random_() % 7; n > 0; --n) {
        side.push_back({static_cast<Kind>(random_() % 5), random_() % 2 == 0,
                        static_cast<unsigned>(random_() % 8)});
      }
    }
  }

  std::string ptx() const {
    return fmt::format(R"(.visible .entry sides(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<4>; .shared .align 8 .b8 own[512];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
  mov.u32 %r5, own; shl.b32 %r6, %r1, 3; add.u32 %r5, %r5, %r6;
  mov.u64 %rd6, 0; st.shared.u64 [%r5], %rd6;
  mov.u32 %r0, %r1; mov.u32 %r3, 0;
  and.b32 %r8, %r1, {}; setp.ne.u32 %p1, %r8, 0;
  @%p1 bra JUMPS;
{}  bra MEET;
JUMPS:
{}MEET:
  st.global.u32 [%rd4], %r0;
  ret;
}})",
                       bit_, text(sides_[0]), text(sides_[1]));
  }

  std::uint32_t result(std::uint32_t thread) const {
    std::uint32_t state = thread, loaded = 0;
    std::uint64_t own = 0;
    for (const Access& access : sides_[(thread & bit_) != 0 ? 1 : 0]) {
      const bool executes = !access.guarded || ((state >> access.bit) & 1) != 0;
      if (executes) carry_out(access.kind, state, loaded, own);
      state = (state ^ loaded) * 5 + 1;
    }
    return state;
  }

 private:
  enum class Kind { load, load_wide, load_byte, store_shared, load_shared };
  struct Access {
    Kind kind;
    bool guarded;
    unsigned bit;  // of the state, that the guard asks for
  };

  static void carry_out(Kind kind, std::uint32_t state, std::uint32_t& loaded, std::uint64_t& own) {
    const std::uint32_t word = state & 63;
    switch (kind) {
      case Kind::load:
        loaded = 3 * word;
        break;
      case Kind::load_wide:  // two words
        loaded = 3 * (word & ~1u) + 3 * (word | 1u);
        break;
      case Kind::load_byte:
        loaded = (3 * word) & 255;
        break;
      case Kind::store_shared:
        own = state;
        break;
      case Kind::load_shared:
        loaded = static_cast<std::uint32_t>(own);
        break;
    }
  }

  static std::string text(const std::vector<Access>& accesses) {
    std::string all;
    for (const Access& access : accesses) {
      all += "  and.b32 %r2, %r0, 63;\n";
      std::string guard;
      if (access.guarded) {
        all += fmt::format("  and.b32 %r8, %r0, {}; setp.ne.u32 %p2, %r8, 0;\n", 1u << access.bit);
        guard = "@%p2 ";
      }
      switch (access.kind) {
        case Kind::load:
          all += "  mad.wide.u32 %rd5, %r2, 4, %rd1;\n  " + guard + "ld.global.u32 %r3, [%rd5];\n";
          break;
        case Kind::load_wide:
          all +=
              "  and.b32 %r2, %r2, 62; mad.wide.u32 %rd5, %r2, 4, %rd1;\n  mov.b32 %r9, %r3; "
              "mov.b32 %r10, 0;\n  " +
              guard + "ld.global.v2.u32 {%r9, %r10}, [%rd5];\n  add.u32 %r3, %r9, %r10;\n";
          break;
        case Kind::load_byte:
          all += "  mad.wide.u32 %rd5, %r2, 4, %rd1;\n  " + guard + "ld.global.u8 %r3, [%rd5];\n";
          break;
        case Kind::store_shared:
          all += "  cvt.u64.u32 %rd6, %r0;\n  " + guard + "st.shared.u64 [%r5], %rd6;\n";
          break;
        case Kind::load_shared:
          all += "  cvt.u64.u32 %rd7, %r3;\n  " + guard +
                 "ld.shared.u64 %rd7, [%r5];\n  cvt.u32.u64 %r3, %rd7;\n";
          break;
      }
      all += "  xor.b32 %r0, %r0, %r3; mad.lo.u32 %r0, %r0, 5, 1;\n";
    }
    return all;
  }

  std::mt19937 random_;
  std::uint32_t bit_;
  std::vector<Access> sides_[2];
};

void expect_values(std::uint32_t seed, const Settings& more) {
  const TwoSides program(seed);
  Settings settings{
      {"gpu.mechanisms", "merge"}, {"merge.memory", "true"}, {"passes.short_branches", "false"}};
  settings.insert(settings.end(), more.begin(), more.end());
  const std::string text = program.ptx();
  Machine machine(text.c_str(), settings);
  machine.launch("sides", 1, kThreads);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  for (std::uint32_t n = 0; n < kThreads; ++n) {
    ASSERT_EQ(machine.out(n), program.result(n)) << "seed " << seed << ", thread " << n << "\n"
                                                 << text;
  }
}

class MergedAccessesUnder : public testing::TestWithParam<const LaneControlKind*> {};

TEST_P(MergedAccessesUnder, OfGeneratedProgramsHaveTheirValues) {
  const std::string scheme(GetParam()->name);
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    expect_values(seed, {{"scheduler.divergence", scheme.c_str()},
                         {"gpu.functional", seed % 5 == 0 ? "true" : "false"},
                         {"merge.reorder", seed % 7 < 3 ? "true" : "false"},
                         {"gpu.preempt_every", seed % 2 == 0 ? "700" : "0"},
                         {"gpu.threads", seed % 3 == 0 ? "2" : "1"}});
  }
}

/// Lanes part; those of each side load a word each of one line, by an address register of their own.
std::string loads_of_one_line() {
  return R"(.visible .entry sides(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
  and.b32 %r8, %r1, 1; setp.ne.u32 %p1, %r8, 0;
  mov.u64 %rd5, 0; mov.u64 %rd6, 0;
  @%p1 bra JUMPS;
  add.s64 %rd5, %rd1, %rd3; ld.global.u32 %r2, [%rd5];
  bra MEET;
JUMPS:
  add.s64 %rd6, %rd1, %rd3; ld.global.u32 %r2, [%rd6];
MEET:
  st.global.u32 [%rd4], %r2;
  ret;
})";
}

std::uint64_t transactions(const char* memory) {
  const std::string text = loads_of_one_line();
  Machine machine(text.c_str(),
                  {{"gpu.mechanisms", "merge"}, {"merge.memory", memory}, {"gpu.sms", "1"}});
  machine.launch("sides", 1, 32);
  machine.run();
  for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(machine.out(n), 3 * n);
  return total(machine.gpu().statistics(), "coalescer", "transactions");
}

// One for the loads of both sides in place of two, and one for the store.
TEST(MergedAccesses, OfOneLineAreOneTransaction) {
  EXPECT_EQ(transactions("false"), 3u);
  EXPECT_EQ(transactions("true"), 2u);
}

/// Thread 3, whose side is the second, loads from null.
std::string fault_in_a_pair(const Settings& more, std::uint32_t (&out)[32]) {
  constexpr const char* kText = R"(.visible .entry sides(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
  and.b32 %r8, %r1, 1; setp.ne.u32 %p1, %r8, 0; setp.eq.u32 %p2, %r1, 3;
  add.s64 %rd5, %rd1, %rd3; selp.b64 %rd6, 0, %rd5, %p2;
  @%p1 bra JUMPS;
  ld.global.u32 %r2, [%rd5];
  bra MEET;
JUMPS:
  ld.global.u32 %r2, [%rd6];
MEET:
  st.global.u32 [%rd4], %r2;
  ret;
})";
  Settings settings{
      {"gpu.mechanisms", "merge"}, {"merge.memory", "true"}, {"gpu.keep_going", "true"}};
  settings.insert(settings.end(), more.begin(), more.end());
  Machine machine(kText, settings);
  machine.launch("sides", 1, 32);
  machine.run();
  for (std::uint32_t n = 0; n < 32; ++n) out[n] = machine.out(n);
  const auto faults = machine.gpu().take_faults();
  EXPECT_EQ(faults.size(), 1u);
  return faults.empty() ? "" : faults[0].text;
}

// The header has three lines: the load of the side that jumps is in line 14.
TEST(MergedAccesses, AFaultNamesItsSideAndLeavesTheOtherLanes) {
  for (const char* functional : {"false", "true"}) {
    std::uint32_t out[32];
    const std::string text = fault_in_a_pair({{"gpu.functional", functional}}, out);
    EXPECT_NE(text.find("test.ptx:14"), std::string::npos) << text;
    for (std::uint32_t n = 0; n < 32; ++n) {
      if (n == 3) continue;
      EXPECT_EQ(out[n], 3 * n) << n;
    }
  }
}

/// Two chains of each side, one behind the other: those of one side begin with the chain that the other side has
/// last.
std::uint64_t instructions_of_crossed_chains(const char* reorder) {
  const auto chain = [](const char* opcode, const char* reg) {
    std::string text;
    for (unsigned n = 0; n < 4; ++n) text += fmt::format("{0} {1}, {1}, %r3; ", opcode, reg);
    return text;
  };
  const std::string add = chain("add.u32", "%r4"), exclusive = chain("xor.b32", "%r5");
  const std::string text = fmt::format(R"(.visible .entry sides(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd2, %rd3;
  mov.u32 %r4, 1; mov.u32 %r5, 2; and.b32 %r8, %r3, 1; setp.ne.u32 %p1, %r8, 0;
  @%p1 bra JUMPS;
  {0} {1}
  bra MEET;
JUMPS:
  {1} {0}
MEET:
  mad.lo.u32 %r4, %r4, 16, %r5; st.global.u32 [%rd4], %r4;
  ret;
}})",
                                       add, exclusive);
  Machine machine(text.c_str(),
                  {{"gpu.mechanisms", "merge"}, {"merge.reorder", reorder}, {"gpu.sms", "1"}});
  machine.launch("sides", 1, 32);
  machine.run();
  for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(machine.out(n), (1 + 4 * n) * 16 + 2);
  return machine.gpu().take_ended().at(0).warp_instructions;
}

// Four pairs in order, eight in another one.
TEST(MergeReorder, ChainsThatDoNotNeedOneAnotherChangePlaces) {
  EXPECT_EQ(instructions_of_crossed_chains("false"), instructions_of_crossed_chains("true") + 4);
}

INSTANTIATE_TEST_SUITE_P(Schemes, MergedAccessesUnder, testing::ValuesIn(all_lane_controls()),
                         [](const auto& scheme) { return std::string(scheme.param->name); });

}  // namespace
}  // namespace raddle::machine
