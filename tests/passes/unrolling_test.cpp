// Loop unrolling. Which loops are unrolled was read from machine code that ptxas 11.8 makes for sm_70.
#include <fmt/core.h>

#include "../machine/kernels.h"
#include "pass_help.h"

namespace raddle::tests {
namespace {

isa::PassTarget volta() {
  isa::PassTarget target;
  target.compute_major = 7;
  return target;
}

/// How often the code has the opcode once loops are unrolled.
std::size_t count(const std::string& body, const std::string& opcode) {
  std::size_t found = 0;
  for (const std::string& text : texts(*after({isa::loop_unrolling(volta())}, kernel(body)))) {
    found += text.find(opcode) != std::string::npos ? 1 : 0;
  }
  return found;
}

/// A loop with `inside` until %r3 meets the bound, which is `bound`.
std::string loop(const std::string& inside, const std::string& bound = "%r1",
                 const std::string& header = "") {
  return "mov.u32 %r3, 0;\nmov.u64 %rd3, %rd1;\nL:\n" + header + inside +
         "\nadd.s64 %rd3, %rd3, 4;\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, " + bound +
         ";\n@%p1 bra L;\nst.global.f32 [%rd2], %f2;";
}

const std::string kRound = "ld.global.f32 %f1, [%rd3];\nfma.rn.f32 %f2, %f1, %f2, %f1;\n";

std::string repeated(const std::string& text, unsigned times) {
  std::string made;
  while (times-- != 0) made += text;
  return made;
}

TEST(Unrolling, FourRoundsRunAtATimeAndTheRestAsBefore) {
  EXPECT_EQ(count(loop(kRound), "ld.global"), 5u);
}

TEST(Unrolling, FewKnownRoundsBecomeStraightCode) {
  EXPECT_EQ(count(loop(kRound, "8"), "ld.global"), 8u);
  EXPECT_EQ(count(loop(kRound, "8"), "bra"), 0u);
}

TEST(Unrolling, TwoRoundsStayALoop) { EXPECT_EQ(count(loop(kRound, "2"), "ld.global"), 1u); }

TEST(Unrolling, ThePragmaForbidsIt) {
  EXPECT_EQ(count(loop(kRound, "%r1", ".pragma \"nounroll\";\n"), "ld.global"), 1u);
  EXPECT_EQ(count(loop(kRound, "8", ".pragma \"nounroll\";\n"), "ld.global"), 1u);
}

TEST(Unrolling, LongLoopsStay) {
  const std::string more = "fma.rn.f32 %f2, %f2, %f2, 0f3F800000;\n";
  EXPECT_EQ(count(loop(kRound + repeated(more, 43)), "ld.global"), 5u);
  EXPECT_EQ(count(loop(kRound + repeated(more, 44)), "ld.global"), 1u);
}

TEST(Unrolling, LoopsWithManyAccessesStay) {
  EXPECT_EQ(count(loop(repeated(kRound, 14)), "ld.global"), 5 * 14u);
  EXPECT_EQ(count(loop(repeated(kRound, 16)), "ld.global"), 16u);
  const std::string store = "st.global.f32 [%rd3], %f3;\n";
  EXPECT_EQ(count(loop(repeated(store, 8)), "[%rd3], %f3"), 5 * 8u);
  EXPECT_EQ(count(loop(repeated(store, 12)), "[%rd3], %f3"), 12u);
}

TEST(Unrolling, LoopsWithExchangesAndExactDivisionsStay) {
  for (const char* inside :
       {"shfl.sync.bfly.b32 %r5, %r4, 1, 31, 0xffffffff;\n", "div.rn.f32 %f2, %f1, %f2;\n",
        "rcp.rn.f32 %f2, %f2;\n", "sqrt.rn.f32 %f2, %f2;\n"}) {
    EXPECT_EQ(count(loop(kRound + inside), "ld.global"), 1u) << inside;
  }
}

TEST(Unrolling, StepsThatAreNotKnownLeaveTheLoop) {
  std::string body = loop(kRound);
  body.replace(body.find("%r3, %r3, 1"), 11, "%r3, %r3, %r4");
  EXPECT_EQ(count(body, "ld.global"), 1u);
}

TEST(Unrolling, NothingIsKnownOfEarlierMachines) {
  const auto program = after({isa::loop_unrolling({})}, kernel(loop(kRound)));
  EXPECT_EQ(texts(*program), texts(*after({}, kernel(loop(kRound)))));
}

/// Where a counter starts, and its bound.
struct Ends {
  std::uint32_t start = 0, bound = 0;
};

/// What threads compute in loops of their own length: with the counter, with its sum with what the
/// loop does not change, and with a value that some lanes keep from round to round.
std::string counting(const std::string& comparison, std::int32_t step) {
  return fmt::format(R"(
.visible .entry k(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p; .reg .pred %odd;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [in];
  mul.wide.u32 %rd2, %r1, 8;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.v2.u32 {{%r2, %r3}}, [%rd3];
  mov.u32 %r4, 0;
  mov.u32 %r7, 0;
L:
  add.u32 %r5, %r2, %r3;
  and.b32 %r6, %r5, 2;
  setp.ne.u32 %odd, %r6, 0;
  @%odd mov.u32 %r7, %r2;
  xor.b32 %r8, %r5, %r7;
  mad.lo.u32 %r4, %r4, 5, %r8;
  add.s32 %r2, %r2, {};
  setp.{} %p, %r2, %r3;
  @%p bra L;
  add.u32 %r4, %r4, %r2;
  ld.param.u64 %rd4, [out];
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd4, %rd5;
  st.global.u32 [%rd6], %r4;
  ret;
}})",
                     step, comparison);
}

std::uint32_t counted(std::int32_t step, const Ends& ends,
                      const std::function<bool(std::uint32_t, std::uint32_t)>& goes_on) {
  std::uint32_t sum = 0, counter = ends.start, kept = 0;
  do {
    if (((counter + ends.bound) & 2) != 0) kept = counter;
    sum = sum * 5 + ((counter + ends.bound) ^ kept);
    counter += static_cast<std::uint32_t>(step);
  } while (goes_on(counter, ends.bound));
  return sum + counter;
}

void check(const char* comparison, std::int32_t step, const std::vector<Ends>& ends,
           const std::function<bool(std::uint32_t, std::uint32_t)>& goes_on) {
  const auto count = static_cast<std::uint32_t>(ends.size());
  machine::test::Machine machine(
      counting(comparison, step).c_str(),
      {{"gpu.sms", "1"}, {"gpu.compute_major", "7"}, {"passes.unroll", "true"}});
  for (std::uint32_t n = 0; n < count; ++n) {
    machine.in(2 * n) = ends[n].start;
    machine.in(2 * n + 1) = ends[n].bound;
  }
  machine.launch("k", 1, count);
  machine.run();
  for (std::uint32_t n = 0; n < count; ++n) {
    EXPECT_EQ(machine.out(n), counted(step, ends[n], goes_on))
        << comparison << " from " << ends[n].start << " to " << ends[n].bound;
  }
}

constexpr std::uint32_t kMost = 0x7FFFFFFF, kLeast = 0x80000000;

std::int32_t with_sign(std::uint32_t value) { return static_cast<std::int32_t>(value); }

TEST(Unrolling, EveryNumberOfRoundsIsCounted) {
  std::vector<Ends> ends;
  for (std::uint32_t bound = 0; bound < 30; ++bound) ends.push_back({2, bound});
  check("lt.s32", 1, ends, [](auto a, auto b) { return with_sign(a) < with_sign(b); });
  check("le.s32", 3, ends, [](auto a, auto b) { return with_sign(a) <= with_sign(b); });
  check("lt.u32", 3, ends, [](auto a, auto b) { return a < b; });
  for (Ends& one : ends) std::swap(one.start, one.bound);
  check("gt.s32", -1, ends, [](auto a, auto b) { return with_sign(a) > with_sign(b); });
  check("ge.s32", -3, ends, [](auto a, auto b) { return with_sign(a) >= with_sign(b); });
  ends.erase(ends.begin());  // below zero there are many
  check("gt.u32", -1, ends, [](auto a, auto b) { return a > b; });
}

// Bounds from which steps back, or on, would leave the range.
TEST(Unrolling, BoundsAtTheEndsOfTheRange) {
  check("lt.s32", 4,
        {{kLeast, kLeast + 9}, {kLeast + 1, kLeast}, {kMost - 40, kMost - 3}, {5, kLeast + 3}},
        [](auto a, auto b) { return with_sign(a) < with_sign(b); });
  check("gt.s32", -4,
        {{kMost, kMost - 9}, {kMost - 1, kMost}, {kLeast + 40, kLeast + 4}, {5, kMost - 3}},
        [](auto a, auto b) { return with_sign(a) > with_sign(b); });
  check("lt.u32", 4, {{0, 0}, {0, 11}, {3, 12}, {~0u - 60, ~0u - 5}},
        [](auto a, auto b) { return a < b; });
}

TEST(Unrolling, CountersThatMeetTheirBound) {
  std::vector<Ends> up, down;
  for (std::uint32_t rounds = 1; rounds < 20; ++rounds) {
    up.push_back({7 - 4 * rounds, 7});
    down.push_back({4 * rounds, 0});
    down.push_back({kLeast + 8, kLeast + 8 - 4 * rounds});
  }
  check("ne.s32", 4, up, [](auto a, auto b) { return a != b; });
  check("ne.u32", -4, down, [](auto a, auto b) { return a != b; });
}

}  // namespace
}  // namespace raddle::tests
