// The examples of HACKING.md that change programs, and the guarantees for all such mechanisms.
#include <gmock/gmock-matchers.h>

#include <bit>

#include "base/error.h"
#include "isa/print.h"
#include "machine/kernels.h"

namespace raddle::mechanisms {
namespace hamming {
machine::MechanismKind kind();
}
namespace shifts {
machine::MechanismKind kind();
}
}  // namespace raddle::mechanisms

namespace raddle::machine {
namespace {

void execute_first_lane(isa::WarpContext& warp, const isa::Instruction& instruction) {
  std::uint32_t* d = warp.destination<std::uint32_t>(instruction.d);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((warp.active >> lane & 1) != 0) d[lane] = 100 + instruction.unit;
  }
}

/// An instruction for a unit, and a second form of an instruction that there is.
constexpr isa::Row kUnitRows[] = {
    {"which", ".unit(.u32)", "d", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_first_lane; }, "-"},
    {"popc", ".both(.b32)", "d a", isa::Class::move, isa::Kind::compute,
     [](const isa::Form&) -> isa::Execute { return execute_first_lane; }, "-"},
};

MechanismKind unit_kind() {
  MechanismKind kind;
  kind.name = "unit";
  kind.meaning = "an instruction for a unit";
  kind.rows = []() -> std::span<const isa::Row> { return kUnitRows; };
  return kind;
}

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = {mechanisms::hamming::kind(),
                                                   mechanisms::shifts::kind(), unit_kind()};
  return kinds;
}

namespace {

using namespace test;
using testing::HasSubstr;

constexpr const char* kHamming = R"(
.visible .entry distance(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  hamming.b32 %r2, %r1, 21;
  hamming.b32 %r2, %r2, %r1;
  st.global.u32 [%rd1], %r2;
  ret;
})";

std::string complaint(const char* kernels, const Settings& settings) {
  try {
    const Machine machine(kernels, settings);
    for (const isa::Function& function : machine.program().functions) {
      if (!function.unsupported.empty()) return function.unsupported;
    }
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Hamming, CountsBitsWithAndWithoutTime) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(kHamming, {{"gpu.functional", functional}, {"gpu.mechanisms", "hamming"}});
    machine.launch("distance", 1, 64);
    machine.run();
    for (std::uint32_t i = 0; i < 64; ++i) {
      const auto first = static_cast<std::uint32_t>(std::popcount(i ^ 21u));
      EXPECT_EQ(machine.out(i), static_cast<std::uint32_t>(std::popcount(first ^ i)));
    }
  }
}

Cycle cycles(const char* latency) {
  Machine machine(kHamming, {{"gpu.mechanisms", "hamming"}, {"hamming.distance.latency", latency}});
  machine.launch("distance", 1, 32);
  machine.run();
  return machine.gpu().now();
}

// Two instructions, of which the second and the store wait for the one before.
TEST(Hamming, ItsClassHasItsOwnLatency) { EXPECT_EQ(cycles("59") - cycles("9"), 100u); }

TEST(Hamming, SwitchedOffItIsRefusedByName) {
  EXPECT_THAT(complaint(kHamming, {}),
              HasSubstr("'hamming.b32': an instruction of the mechanism 'hamming', which is "
                        "switched off (--with hamming)"));
  EXPECT_THAT(complaint(kHamming, {}), HasSubstr("test.ptx:"));
}

TEST(Hamming, WrittenWronglyItIsExplainedAsAnyOther) {
  EXPECT_THAT(complaint(".visible .entry k() { .reg .b32 %r<2>; hamming.u32 %r1, %r1, 1; ret; }",
                        {{"gpu.mechanisms", "hamming"}}),
              HasSubstr("'hamming.u32': '.u32' is not allowed here"));
}

TEST(Unit, ItsSemanticsRunWithoutTiming) {
  Machine machine(R"(
.visible .entry unit(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  which.unit.u32 %r2;
  st.global.u32 [%rd1], %r2;
  ret;
})",
                  {{"gpu.functional", "true"}, {"gpu.mechanisms", "unit"}});
  machine.launch("unit", 1, 32);
  machine.run();
  EXPECT_EQ(machine.out(0), 102u);  // the third of the registry
}

constexpr const char* kBoth =
    ".visible .entry k() { .reg .b32 %r<2>; popc.b32 %r1, 1; popc.both.b32 %r1, 1; ret; }";

TEST(Rows, AFormOfAnInstructionThatThereIs) {
  EXPECT_THAT(complaint(kBoth, {}), HasSubstr("'popc.both.b32': an instruction of the mechanism"));
  EXPECT_EQ(complaint(kBoth, {{"gpu.mechanisms", "unit"}, {"gpu.functional", "true"}}), "");
}

// What one simulation knows is no matter of another's in the same process.
TEST(Rows, TwoSimulationsHaveDifferentOnes) {
  Machine with(kHamming, {{"gpu.mechanisms", "hamming"}});
  EXPECT_NE(complaint(kHamming, {{"gpu.mechanisms", "unit"}}), "");
  EXPECT_EQ(complaint(kHamming, {{"gpu.mechanisms", "hamming,unit"}, {"gpu.functional", "true"}}),
            "");
}

constexpr const char* kMultiply = R"(
.visible .entry multiply(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p1;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  setp.lt.u32 %p1, %r1, 7;
  mul.lo.u32 %r2, %r1, 3;
  @%p1 mul.lo.u32 %r2, %r1, 8;
  st.global.u32 [%rd1], %r2;
  ret;
})";

std::string code(Machine& machine) {
  std::string text;
  for (std::uint32_t n = 0; n < machine.program().code.size(); ++n) {
    text += isa::print(machine.program(), n) + "\n";
  }
  return text;
}

TEST(Shifts, ComputeTheSame) {
  for (const char* on : {"false", "true"}) {
    Machine machine(kMultiply,
                    {{"gpu.mechanisms", "shifts"}, {"shifts.passes.multiply_by_shift", on}});
    machine.launch("multiply", 1, 32);
    machine.run();
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(machine.out(i), i < 7 ? 8 * i : 3 * i);
  }
}

TEST(Shifts, ASettingSwitchesThePassOff) {
  const auto classes = [](const Settings& settings) {
    Machine machine(kMultiply, settings);
    unsigned shifts = 0;
    for (const isa::Instruction& one : machine.program().code) {
      shifts += one.klass == isa::Class::int_shift;
    }
    return shifts;
  };
  EXPECT_EQ(classes({{"gpu.mechanisms", "shifts"}}), 1u);
  EXPECT_EQ(classes({{"gpu.mechanisms", "shifts"}, {"shifts.passes.multiply_by_shift", "false"}}),
            0u);
  EXPECT_EQ(classes({}), 0u);
}

TEST(Shifts, KeepTheLine) {
  Machine machine(kMultiply, {{"gpu.mechanisms", "shifts"}});
  EXPECT_THAT(code(machine), HasSubstr("@%p1 mul.lo.u32 %r2, %r1, 8"));
}

}  // namespace
}  // namespace raddle::machine
