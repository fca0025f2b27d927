// The scheduler: what it must move, and what it must not.
#include <fmt/core.h>

#include "order_check.h"
#include "pass_help.h"

namespace raddle::tests {
namespace {

using testing::ElementsAre;

/// The lines of the body, counted from 1, in the order in which they come out.
std::vector<unsigned> order(const std::string& body, unsigned compute_major = 0) {
  std::vector<std::string> complaints;
  std::size_t swapped = 0;
  isa::PassTarget target;
  target.compute_major = compute_major;
  const auto program =
      after({checked(isa::schedule(target), complaints, swapped)}, kernel("\n" + body));
  EXPECT_THAT(complaints, ElementsAre());
  const isa::Function& k = *program->find_kernel("k");
  std::vector<unsigned> lines;
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    const unsigned line = program->info[n].at.line;
    if (line > 10 && program->code[n].kind != isa::Kind::exit) lines.push_back(line - 10);
  }
  return lines;
}

TEST(Schedule, LoadsGoBeforeWhatUsesEarlierOnes) {
  EXPECT_THAT(order(R"(ld.global.f32 %f1, [%rd1];
add.f32 %f2, %f1, 0f3F800000;
ld.global.f32 %f3, [%rd1+4];
add.f32 %f4, %f3, %f2;
st.global.f32 [%rd2], %f4;)"),
              ElementsAre(1, 3, 2, 4, 5));
}

TEST(Schedule, LoadsStayBehindStoresThatMayMeetThem) {
  EXPECT_THAT(order(R"(st.global.u32 [%rd2], %r1;
ld.global.u32 %r2, [%rd1];
st.global.u32 [%rd2+8], %r2;)"),
              ElementsAre(1, 2, 3));
}

TEST(Schedule, StoresOfOtherSpacesAndPlacesAreNoObstacle) {
  EXPECT_THAT(order(R"(st.shared.u32 [tile], %r1;
ld.global.u32 %r2, [%rd1];
st.shared.u32 [tile+4], %r2;)"),
              ElementsAre(2, 1, 3));
  EXPECT_THAT(order(R"(st.global.u32 [%rd1+4], %r1;
ld.global.u32 %r2, [%rd1];
st.global.u32 [%rd1+8], %r2;)"),
              ElementsAre(2, 1, 3));
  EXPECT_THAT(order(R"(st.global.u32 [%rd2], %r1;
ld.global.nc.u32 %r2, [%rd1];
st.global.u32 [%rd2+8], %r2;)"),
              ElementsAre(2, 1, 3));
}

// ptxas 13.0, sm_90: behind a division that rounds begins another basic block, with a call's return.
TEST(Schedule, NoLoadPassesADivisionWithASlowPath) {
  const auto with = [](const std::string& division) {
    return "ld.global.f32 %f1, [%rd1+4];\n" + division + R"(
ld.global.f32 %f4, [%rd1];
add.f32 %f5, %f4, %f3;
st.global.f32 [%rd2], %f5;)";
  };
  for (const char* slow : {"div.rn.f32 %f3, %f1, %f2;", "sqrt.rn.f32 %f3, %f1;"}) {
    EXPECT_THAT(order(with(slow), 7), ElementsAre(1, 2, 3, 4, 5)) << slow;
  }
  for (const char* quick : {"div.approx.f32 %f3, %f1, %f2;", "div.full.f32 %f3, %f1, %f2;"}) {
    EXPECT_THAT(order(with(quick), 7), ElementsAre(1, 3, 2, 4, 5)) << quick;
  }
}

// As above: what only later blocks use is left to them, but never past a store that may meet it.
TEST(Schedule, WhatADivisionDoesNotNeedComesBehindIt) {
  EXPECT_THAT(order(R"(ld.global.f32 %f4, [%rd1];
div.rn.f32 %f3, %f1, %f2;
add.f32 %f5, %f4, %f3;
st.global.f32 [%rd2], %f5;)",
                    7),
              ElementsAre(2, 1, 3, 4));
  const auto lines = order(R"(ld.global.f32 %f4, [%rd1];
st.global.f32 [%rd2], %f1;
div.rn.f32 %f3, %f1, %f2;
add.f32 %f5, %f4, %f3;
st.global.f32 [%rd2], %f5;)",
                           7);
  EXPECT_LT(std::find(lines.begin(), lines.end(), 1), std::find(lines.begin(), lines.end(), 2));
}

// The bytes of a store may be those of a wider load.
TEST(Schedule, PlacesThatOverlapKeepTheirOrder) {
  EXPECT_THAT(order(R"(st.global.u32 [%rd1+4], %r1;
ld.global.u64 %rd3, [%rd1];
st.global.u64 [%rd1+8], %rd3;)"),
              ElementsAre(1, 2, 3));
}

TEST(Schedule, NothingPassesBarriersFencesVolatilesAndOrderedAtomics) {
  for (const char* between :
       {"bar.sync 0;", "membar.gl;", "ld.volatile.shared.u32 %r9, [tile];",
        "atom.acq_rel.gpu.global.add.u32 %r9, [%rd2], 1;", "atom.global.add.u32 %r9, [%rd2], 1;",
        "bar.warp.sync 0xffffffff;", "shfl.sync.bfly.b32 %r9, %r1, 1, 31, 0xffffffff;"}) {
    EXPECT_THAT(order("st.global.u32 [%rd2], %r1;\n" + std::string(between) +
                      "\nld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd1], %r2;"),
                ElementsAre(1, 2, 3, 4))
        << between;
  }
}

TEST(Schedule, ArithmeticStaysOnItsSideOfTheClock) {
  EXPECT_THAT(order(R"(mov.u32 %r2, %clock;
ld.global.u32 %r3, [%rd1];
mov.u32 %r4, %clock;
add.u32 %r5, %r1, 7;
st.global.u32 [%rd2], %r5;)"),
              ElementsAre(1, 2, 3, 4, 5));
}

TEST(Schedule, TheCarryIsARegister) {
  EXPECT_THAT(order(R"(add.cc.u32 %r2, %r1, %r1;
addc.u32 %r3, %r1, 0;
add.cc.u32 %r4, %r1, 3;
addc.u32 %r5, %r1, 0;)"),
              ElementsAre(1, 2, 3, 4));
}

// What some lanes keep of %r2 is read with what others write.
TEST(Schedule, GuardedWritesKeepWhatWasThere) {
  EXPECT_THAT(order(R"(mov.u32 %r2, 5;
setp.eq.u32 %p1, %r1, 3;
@%p1 mov.u32 %r2, 6;
add.u32 %r3, %r2, 1;
mov.u32 %r2, 7;
st.global.v2.u32 [%rd2], {%r2, %r3};)"),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

// Of a hundred values that could all be loaded first only so many are that the warps still fit.
TEST(Schedule, OccupancyStaysWhatItWas) {
  std::string own = ".reg .b32 %v<104>;\nld.global.u32 %r2, [%rd1];\n";
  for (unsigned n = 1; n <= 100; ++n) {
    const std::string v = "%v" + std::to_string(n);
    own += "ld.global.u32 " + v + ", [%rd1+" + std::to_string(4 * n) + "];\nadd.u32 %r2, %r2, " +
           v + ";\n";
  }
  own += "st.global.u32 [%rd2], %r2;";
  const isa::PassTarget target;
  const auto before = after({}, kernel(own)), program = after({isa::schedule(target)}, kernel(own));
  const std::uint32_t was = before->find_kernel("k")->registers_per_thread,
                      is = program->find_kernel("k")->registers_per_thread;
  EXPECT_GT(is, was + 10);
  EXPECT_EQ(target.resident_warps(is), target.resident_warps(was));
}

// Rounds that follow one another through memory, and values that live through all of them.
std::string rounds(unsigned others) {
  std::string text = ".reg .b32 %v<64>;\n", use;
  for (unsigned n = 0; n < others; ++n) {
    text += fmt::format("ld.global.u32 %v{0}, [%rd1+{1}];\n", n, 4 * n);
    use += fmt::format("st.global.u32 [%rd2+{1}], %v{0};\n", n, 4 * n);
  }
  text += "bar.sync 0;\n";
  for (unsigned n = 0; n < 5; ++n) {
    text += fmt::format(
        "mad.wide.u32 %rd{3}, %r1, 8, %rd{0}; mad.wide.u32 %rd{4}, %r1, 8, %rd{1};\n"
        "mad.wide.u32 %rd{5}, %r1, 8, %rd{2};\n"
        "ld.global.f32 %f1, [%rd{2}];\nld.global.f32 %f2, [%rd{3}];\nmul.f32 %f3, %f1, %f2;\n"
        "ld.global.f32 %f4, [%rd{4}];\nsub.f32 %f5, %f4, %f3;\n"
        "ld.global.f32 %f6, [%rd{5}];\nmul.f32 %f7, %f6, %f5;\nst.global.f32 [%rd{5}], %f7;\n"
        "ld.global.f32 %f8, [%rd{2}];\nst.global.f32 [%rd{4}], %f8;\n",
        3 * n + 3, 3 * n + 4, 3 * n + 5, 3 * n + 6, 3 * n + 7, 3 * n + 8);
  }
  return "mov.u64 %rd3, %rd1; mov.u64 %rd4, %rd2; mov.u64 %rd5, %rd1;\n" + text + use;
}

// Addresses of later rounds could be computed while loads are under way; where registers are short
// they would take those of the round's last load, which then waits for the first. With so many other
// values there are two registers more than the program's order needs before fewer warps fit.
TEST(Schedule, AddressesOfLaterRoundsLeaveRegistersToLoads) {
  isa::PassTarget target;
  target.latency[static_cast<std::size_t>(isa::Class::load_store)] = 300;
  for (const unsigned others : {14u, 22u, 30u}) {
    const auto program = after({isa::schedule(target)}, kernel(rounds(others)));
    const isa::Function& k = *program->find_kernel("k");
    unsigned loaded = 0, most = 0;  // of a round, before its product
    for (std::uint32_t n = k.first; n < k.end; ++n) {
      const std::string& text = program->info[n].text;
      if (text.starts_with("ld.global.f32")) ++loaded;
      if (!text.starts_with("mul.f32 %f3")) continue;
      EXPECT_GE(loaded, 4u) << "with " << others << " other values, round " << most;
      loaded = 0;
      ++most;
    }
    EXPECT_EQ(most, 5u);
  }
}

// Where pairs leave gaps among the registers, an assembler moves values rather than take more.
TEST(Schedule, GapsBetweenPairsCostNoOccupancy) {
  std::string own = ".reg .b32 %v<104>; .reg .b64 %w<104>;\nld.global.u32 %r2, [%rd1];\n";
  for (unsigned n = 1; n <= 100; ++n) {
    own += fmt::format(
        "ld.global.u32 %v{0}, [%rd1+{1}];\nld.global.u64 %w{0}, [%rd2+{2}];\n"
        "add.u32 %r2, %r2, %v{0};\nmad.wide.u32 %rd3, %r2, %v{0}, %w{0};\n"
        "cvt.u32.u64 %r3, %rd3;\nxor.b32 %r2, %r2, %r3;\n",
        n, 4 * n, 8 * n);
  }
  own += "st.global.u32 [%rd2], %r2;";
  const isa::PassTarget target;
  const auto before = after({}, kernel(own)),
             program = after({isa::spills(target), isa::schedule(target)}, kernel(own));
  const std::uint32_t was = before->find_kernel("k")->registers_per_thread,
                      is = program->find_kernel("k")->registers_per_thread;
  EXPECT_EQ(target.resident_warps(is), target.resident_warps(was));
}

/// A loop of eight loads and four products within 32 registers, beside 24 values that are needed
/// behind it, and in it if `used`.
std::string loop(bool used) {
  std::string own = ".reg .f32 %v<24>;\nmov.u32 %r2, 0;\nmov.f32 %f1, 0f00000000;\n", behind;
  for (unsigned n = 0; n < 24; ++n) {
    own += fmt::format("ld.global.f32 %v{}, [%rd1+{}];\n", n, 4 * n);
    behind += fmt::format("st.global.f32 [%rd2+{}], %v{};\n", 4 * n, n);
  }
  own += "loop:\n";
  for (unsigned n = 0; n < 4; ++n) {
    const unsigned a = 2 + 2 * n, b = a + 1;
    own += fmt::format("ld.global.f32 %f{}, [%rd1+{}];\n", a, 4 * n);
    own += fmt::format("ld.global.f32 %f{}, [%rd2+{}];\n", b, 4 * n);
    own += fmt::format("fma.rn.f32 %f1, %f{}, %f{}, %f1;\n", a, b);
  }
  for (unsigned n = 0; used && n < 24; ++n) {
    own += fmt::format("st.shared.f32 [tile+{}], %v{};\n", 4 * n, n);
  }
  own += "add.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 9;\n@%p1 bra loop;\n";
  std::string text = kernel(own + behind + "st.global.f32 [%rd2], %f1;");
  return text.insert(text.find("{"), ".maxnreg 32 ");
}

isa::PassTarget with_slow_loads() {
  isa::PassTarget target;
  target.latency[static_cast<std::size_t>(isa::Class::load_store)] = 28;
  return target;
}

// ptxas 13.0 does so in a kernel with 32 registers (docs/machine_code.md).
TEST(LoopSchedule, ValuesThatOnlyLiveThroughTheLoopMakeRoomForLoads) {
  const isa::PassTarget target = with_slow_loads();
  const auto program =
      after({isa::loop_schedule(target), isa::spills(target), isa::schedule(target)}, loop(false));
  unsigned loads = 0;
  for (const std::string& one : texts(*program)) {
    if (one.starts_with("fma")) break;
    loads += one.starts_with("ld.global.f32 %f");  // not those before the loop, of %v
  }
  EXPECT_EQ(loads, 8u);
}

// They would have to come back in each round.
TEST(LoopSchedule, ValuesThatTheLoopUsesKeepTheirRegisters) {
  const isa::PassTarget target = with_slow_loads();
  const auto with = after({isa::loop_schedule(target), isa::spills(target)}, loop(true));
  const auto without = after({isa::spills(target)}, loop(true));
  EXPECT_EQ(with->code.size(), without->code.size());
}

TEST(PassTarget, OccupancyByRegisters) {
  const isa::PassTarget volta;  // 65536 registers, in units of 256 for a warp, 64 warps
  EXPECT_EQ(volta.resident_warps(32), 64u);
  EXPECT_EQ(volta.resident_warps(33), 48u);  // CUDA occupancy calculator, 7.0
  EXPECT_EQ(volta.same_occupancy(20), 32u);
  EXPECT_EQ(volta.same_occupancy(33), 40u);
}

}  // namespace
}  // namespace raddle::tests
