// Instructions of a mechanism that have the name of a PTX instruction but another meaning: no pass
// may confuse them.
#include <array>

#include "isa/semantics/lanes.h"
#include "isa/table.h"
#include "kernels.h"

namespace raddle::machine {
namespace {

/// a * b + a + b + 1: of no two numbers their sum, product or anything else that PTX has.
void execute_own(isa::WarpContext& warp, const isa::Instruction& instruction) {
  isa::map_lanes<std::uint32_t, std::uint32_t, std::uint32_t>(
      warp, instruction, [](std::uint32_t a, std::uint32_t b) { return (a + 1) * (b + 1); });
}
std::uint32_t own(std::uint32_t a, std::uint32_t b) { return (a + 1) * (b + 1); }

isa::Execute choose(const isa::Form&) { return execute_own; }

constexpr isa::Row row(const char* opcode) {
  return {opcode, ".own(.b32)", "d a b", isa::Class::int_add, isa::Kind::compute,
          choose, "-",          "own"};
}

constexpr std::array kOpcodes = {"add", "sub", "mul", "and", "or",
                                 "xor", "shl", "shr", "min", "div"};
/// Comparisons are words of a mechanism's instruction as of PTX's: the lesser, or the greater.
template <bool lesser>
void execute_pick(isa::WarpContext& warp, const isa::Instruction& instruction) {
  isa::map_lanes<std::uint32_t, std::uint32_t, std::uint32_t>(
      warp, instruction,
      [](std::uint32_t a, std::uint32_t b) { return (a < b) == lesser ? a : b; });
}
isa::Execute choose_pick(const isa::Form& form) {
  if (form.compare == isa::Compare::lt) return execute_pick<true>;
  return form.compare == isa::Compare::gt ? execute_pick<false> : nullptr;
}

const isa::Row kRows[] = {
    {"pick", "(.lt|.gt)(.b32)", "d a b", isa::Class::int_add, isa::Kind::compute, choose_pick, "-"},
    row("add"),
    row("sub"),
    row("mul"),
    row("and"),
    row("or"),
    row("xor"),
    row("shl"),
    row("shr"),
    row("min"),
    row("div")};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind alike;
    alike.name = "alike";
    alike.rows = [] { return std::span<const isa::Row>(kRows); };
    return std::vector<MechanismKind>{alike};
  }();
  return kinds;
}

namespace {

using namespace test;

/// Of a constant that changes nothing in PTX's instruction, on either side; of two constants; and two
/// in a row, with constants that passes would join.
std::string kernel(const std::string& opcode, unsigned neutral) {
  const std::string own = opcode + ".own.b32 ", n = std::to_string(neutral);
  return ".visible .entry test(.param .u64 in, .param .u64 out) {\n"
         ".reg .b32 %r<12>; .reg .b64 %rd<4>;\n"
         "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
         "ld.global.u32 %r1, [%rd1+16]; mov.u32 %r2, 6;\n" +
         own + "%r3, %r1, " + n + "; st.global.u32 [%rd2], %r3;\n" +  //
         own + "%r4, " + n + ", %r1; st.global.u32 [%rd2+4], %r4;\n" + own +
         "%r5, %r2, 5; st.global.u32 [%rd2+8], %r5;\n" +  //
         own + "%r6, %r1, 3;\n" + own + "%r7, %r6, 4; st.global.u32 [%rd2+12], %r7;\n" + own +
         "%r8, %r1, 8; cvt.u64.u32 %rd3, %r8; shl.b64 %rd3, %rd3, 2;\n"
         "add.s64 %rd3, %rd3, %rd2; st.global.u32 [%rd3], %r1;\nret; }\n";
}

/// The mechanism, and all passes.
class RowsNamedAlike : public testing::TestWithParam<const char*> {
 protected:
  RowsNamedAlike() {
    const GpuConfig defaults;
    for (const auto& entry : defaults.passes.entries) {
      paths_.push_back("passes." + std::string(entry.on->name()));
    }
    for (const std::string& path : paths_) settings_.emplace_back(path.c_str(), "true");
  }
  Settings settings_{{"gpu.mechanisms", "alike"}, {"scheduler.divergence", "independent"}};

 private:
  std::vector<std::string> paths_;
};

TEST_P(RowsNamedAlike, DoWhatTheirMechanismSays) {
  for (const unsigned neutral : {0u, 1u}) {
    Machine machine(kernel(GetParam(), neutral).c_str(), settings_);
    machine.launch("test", 1, 1);
    machine.run();
    const std::uint32_t x = machine.in(4);
    EXPECT_EQ(machine.out(0), own(x, neutral));
    EXPECT_EQ(machine.out(1), own(neutral, x));
    EXPECT_EQ(machine.out(2), own(6, 5));
    EXPECT_EQ(machine.out(3), own(own(x, 3), 4));
    EXPECT_EQ(machine.out(own(x, 8)), x);
  }
}

TEST(RowsOfMechanisms, HaveComparisonsAsWords) {
  Machine machine(R"(
.visible .entry test(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 3;
  pick.lt.b32 %r2, %r1, 7;
  pick.gt.b32 %r3, %r1, 7;
  st.global.u32 [%rd1], %r2;
  st.global.u32 [%rd1+4], %r3;
  ret;
})",
                  {{"gpu.mechanisms", "alike"}});
  machine.launch("test", 1, 1);
  machine.run();
  EXPECT_EQ(machine.out(0), 3u);
  EXPECT_EQ(machine.out(1), 7u);
}

INSTANTIATE_TEST_SUITE_P(Opcodes, RowsNamedAlike, testing::ValuesIn(kOpcodes),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace raddle::machine
