// Constants: which results and branches are computed from them, and what must stay. What assemblers
// compute was found with ptxas 11.8 for sm_70.
#include <algorithm>

#include "../machine/kernels.h"
#include "listed_rows.h"

namespace raddle::tests {
namespace {

using machine::test::Machine;
using testing::ElementsAre;

const isa::PassList kConstants = {isa::constant_folding()};
const isa::PassList kWithCopies = {isa::constant_folding(), isa::copy_propagation()};

TEST(Constants, AreComputed) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 12;
mov.u32 %r3, 5;
mul.lo.u32 %r4, %r2, %r3;
shl.b32 %r5, %r4, 2;
bfe.u32 %r6, %r5, 4, 8;
st.global.u32 [%rd1], %r6;)"),
              ElementsAre("mov", "st+0"));
}

TEST(Constants, AreConvertedAndApproximated) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
cvt.rn.f32.s32 %f1, %r2;
ex2.approx.f32 %f2, %f1;
cvt.rzi.s32.f32 %r3, %f2;
st.global.u32 [%rd1], %r3;)"),
              ElementsAre("mov", "st+0"));
}

TEST(Constants, OfSequencesStay) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 12;
div.u32 %r3, %r2, 5;
st.global.u32 [%rd1], %r3;
mov.f32 %f1, 0f40000000;
sqrt.rn.f32 %f2, %f1;
fma.rn.f32 %f3, %f1, %f1, %f1;
st.global.v2.f32 [%rd2], {%f2, %f3};)"),
              ElementsAre("mov", "div", "st+0", "mov", "sqrt", "fma", "st+0"));
}

TEST(Constants, SumsThatRoundOtherwiseStay) {
  EXPECT_THAT(rows(kConstants, R"(mov.f32 %f1, 0f40000000;
add.rz.f32 %f2, %f1, %f1;
add.f32 %f3, %f1, %f1;
st.global.v2.f32 [%rd1], {%f2, %f3};)"),
              ElementsAre("mov", "add", "mov", "st+0"));
}

TEST(Constants, DecideGuards) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
setp.lt.u32 %p1, %r2, 4;
@%p1 st.global.u32 [%rd1], %r1;
@!%p1 st.global.u32 [%rd2], %r1;)"),
              ElementsAre("st+0"));
}

TEST(Constants, DecideBranches) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
setp.gt.u32 %p1, %r2, 4;
@%p1 bra L;
st.global.u32 [%rd1], %r1;
bra M;
L: st.global.u32 [%rd2], %r1;
M: st.global.u32 [%rd2+4], %r1;)"),
              ElementsAre("st+0", "bra", "st+4"));
}

TEST(Constants, FollowFromBranchesThatGo) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
setp.lt.u32 %p1, %r2, 4;
@%p1 bra L;
mov.u32 %r3, 7;
bra M;
L: mov.u32 %r3, 8;
M: add.u32 %r4, %r3, 1;
st.global.u32 [%rd1], %r4;)"),
              ElementsAre("mov", "st+0"));
}

TEST(Constants, DecideSelections) {
  EXPECT_THAT(rows(kWithCopies, R"(mov.u32 %r2, 3;
setp.lt.u32 %p1, %r2, 4;
selp.b32 %r3, %r1, 9, %p1;
st.global.u32 [%rd1], %r3;)"),
              ElementsAre("st+0"));
}

TEST(Constants, CombineWithPredicates) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
setp.lt.u32 %p1, %r2, 4;
setp.eq.u32 %p2, %r2, 4;
and.pred %p3, %p1, %p2;
@!%p3 st.global.u32 [%rd1], %r1;)"),
              ElementsAre("st+0"));
}

TEST(Constants, ThatChangeNothingGo) {
  EXPECT_THAT(rows(kWithCopies, R"(add.u32 %r2, %r1, 0;
mul.lo.u32 %r3, %r2, 1;
and.b32 %r4, %r3, -1;
or.b32 %r5, %r4, 0;
xor.b32 %r6, 0, %r5;
shl.b32 %r7, %r6, 0;
st.global.u32 [%rd1], %r7;)"),
              ElementsAre("st+0"));
}

TEST(Constants, ProductsOfThemAreAddedAtOnce) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
mad.lo.u32 %r3, %r2, 64, %r1;
mul.wide.u32 %rd3, %r2, 8;
mad.wide.s32 %rd4, %r2, -8, %rd1;
st.global.u32 [%rd4], %r3;)"),
              ElementsAre("add", "add", "st+0"));
}

TEST(Constants, OfTwoSumsAreOne) {
  EXPECT_THAT(rows(kConstants, R"(add.u32 %r2, %r1, 5;
sub.u32 %r3, %r2, 7;
shl.b32 %r4, %r3, 3;
shl.b32 %r5, %r4, 2;
st.global.u32 [%rd1], %r5;)"),
              ElementsAre("sub", "shl", "st+0"));
}

// x - 5 - 7 and x + 5 - 7.
TEST(Constants, OfSumsAndDifferencesKeepTheirSigns) {
  const std::string text = R"(.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .b32 %x, %r<9>; .reg .b64 %o;
ld.param.u64 %o, [out];
mov.u32 %x, %ntid.x;
sub.u32 %r1, %x, 5; sub.u32 %r2, %r1, 7; st.global.u32 [%o], %r2;
add.u32 %r3, %x, 5; sub.u32 %r4, %r3, 7; st.global.u32 [%o+4], %r4;
sub.u32 %r5, %x, 5; add.u32 %r6, %r5, 7; st.global.u32 [%o+8], %r6;
ret; })";
  Machine machine(text.c_str(), {{"gpu.sms", "1"}, {"passes.constants", "true"}});
  machine.launch("k", 1, 32);
  machine.run();
  EXPECT_THAT((std::vector{machine.out(0), machine.out(1), machine.out(2)}),
              ElementsAre(20u, 30u, 34u));
}

TEST(Constants, OfASumThatIsNeededElsewhereStay) {
  EXPECT_THAT(rows(kConstants, R"(add.u32 %r2, %r1, 5;
add.u32 %r3, %r2, 7;
st.global.v2.u32 [%rd1], {%r2, %r3};)"),
              ElementsAre("add", "add", "st+0"));
}

// 33 places do not become one.
TEST(Constants, OfShiftsBeyondTheWordStay) {
  EXPECT_THAT(rows(kConstants, R"(shl.b32 %r2, %r1, 17;
shl.b32 %r3, %r2, 16;
st.global.u32 [%rd1], %r3;)"),
              ElementsAre("shl", "shl", "st+0"));
}

TEST(Constants, OfOneWayStay) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
setp.lt.u32 %p1, %r1, 4;
@%p1 mov.u32 %r2, 5;
add.u32 %r3, %r2, 1;
st.global.u32 [%rd1], %r3;)"),
              ElementsAre("mov", "setp", "@mov", "add", "st+0"));
}

TEST(Constants, PredicatesThatAreWrittenTwiceDecideNothing) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 3;
setp.lt.u32 %p1, %r2, 4;
@%p1 st.global.u32 [%rd1], %r1;
setp.eq.u32 %p1, %r1, 4;
@%p1 st.global.u32 [%rd2], %r1;)"),
              ElementsAre("mov", "setp", "@st+0", "setp", "@st+0"));
}

TEST(Constants, OfTheFirstRoundStay) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, 0;
L: add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 9;
@%p1 bra L;
st.global.u32 [%rd1], %r2;)"),
              ElementsAre("mov", "add", "setp", "@bra", "st+0"));
}

TEST(Constants, CarriesAndSaturationStay) {
  EXPECT_THAT(rows(kConstants, R"(mov.u32 %r2, -1;
add.cc.u32 %r3, %r2, 1;
addc.u32 %r4, %r2, 0;
add.sat.s32 %r5, %r1, 0;
st.global.v2.u32 [%rd1], {%r3, %r4};
st.global.u32 [%rd2], %r5;)"),
              ElementsAre("mov", "add", "addc", "add", "st+0", "st+0"));
}

/// A kernel that stores what each instruction gives those operands; `%a` `%b` `%c` are 32 bits, `%da`
/// 64, `%fa` `%fb` single precision.
std::string with_constants(const std::vector<std::string>& instructions, std::uint32_t a,
                           std::uint32_t b) {
  std::string text = fmt::format(R"(.visible .entry k(.param .u64 in, .param .u64 out) {{
.reg .b32 %a, %b, %c, %r; .reg .b64 %o, %da, %rd; .reg .f32 %fa, %fb, %f; .reg .pred %p, %q;
ld.param.u64 %o, [out];
mov.u32 %a, {0}; mov.u32 %b, {1}; mov.u32 %c, 5;
mov.b64 %da, {2}; mov.f32 %fa, 0f{0:08X}; mov.f32 %fb, 0f{1:08X}; mov.pred %q, 1;
)",
                                 a, b, (std::uint64_t{b} << 32) | a);
  unsigned place = 0;
  for (const std::string& instruction : instructions) {
    const auto names = [&](const char* name) {
      return instruction.find(name) != std::string::npos;
    };
    text += instruction + ";\n";
    if (names("%rd,")) {
      text += fmt::format("st.global.u64 [%o+{}], %rd;\n", 8 * place++);
      continue;
    }
    if (names("%f,")) text += "mov.b32 %r, %f;\n";
    if (names("%p,")) text += "selp.b32 %r, 1, 2, %p;\n";
    text += fmt::format("st.global.u32 [%o+{}], %r;\n", 8 * place++);
  }
  return text + "ret; }\n";
}

/// Instructions that compute something, comparisons left out.
std::size_t arithmetic(const isa::Program& program) {
  const auto computes = [](const isa::Instruction& instruction) {
    return instruction.kind == isa::Kind::compute && instruction.klass != isa::Class::move &&
           instruction.klass != isa::Class::int_compare;
  };
  return static_cast<std::size_t>(
      std::count_if(program.code.begin(), program.code.end(), computes));
}

// Results are those of the instructions, whatever the constants.
TEST(Constants, GiveWhatTheInstructionsGive) {
  const std::vector<std::string> instructions = {"add.u32 %r, %a, %b",
                                                 "sub.s32 %r, %a, %b",
                                                 "mul.lo.u32 %r, %a, %b",
                                                 "mul.hi.s32 %r, %a, %b",
                                                 "mul.wide.s32 %rd, %a, %b",
                                                 "mad.lo.u32 %r, %a, %b, %c",
                                                 "mad.wide.s32 %rd, %a, %b, %da",
                                                 "min.s32 %r, %a, %b",
                                                 "max.u32 %r, %a, %b",
                                                 "abs.s32 %r, %a",
                                                 "popc.b64 %r, %da",
                                                 "clz.b32 %r, %a",
                                                 "bfind.s32 %r, %a",
                                                 "brev.b32 %r, %a",
                                                 "bfe.s32 %r, %a, %c, %c",
                                                 "bfi.b32 %r, %a, %b, %c, %c",
                                                 "shr.s32 %r, %a, %c",
                                                 "shl.b64 %rd, %da, %c",
                                                 "shr.u64 %rd, %da, %b",
                                                 "shf.l.wrap.b32 %r, %a, %b, %c",
                                                 "cvt.s32.s8 %r, %a",
                                                 "cvt.u64.u32 %rd, %a",
                                                 "cvt.s64.s32 %rd, %a",
                                                 "cvt.u32.u64 %r, %da",
                                                 "cvt.rn.f32.s32 %f, %a",
                                                 "cvt.rzi.s32.f32 %r, %fa",
                                                 "add.f32 %f, %fa, %fb",
                                                 "mul.ftz.f32 %f, %fa, %fb",
                                                 "min.f32 %f, %fa, %fb",
                                                 "neg.f32 %f, %fa",
                                                 "rcp.approx.f32 %f, %fa",
                                                 "lg2.approx.ftz.f32 %f, %fa",
                                                 "div.approx.f32 %f, %fa, %fb",
                                                 "setp.lt.s32 %p, %a, %b",
                                                 "setp.hs.u32 %p, %a, %b",
                                                 "setp.ltu.f32 %p, %fa, %fb",
                                                 "setp.ne.or.u32 %p, %a, %b, %q",
                                                 "set.lt.u32.s32 %r, %a, %b",
                                                 "slct.u32.s32 %r, %a, %c, %b",
                                                 "cnot.b32 %r, %a"};
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> values = {{0, 0},
                                                                       {1, 0xFFFFFFFF},
                                                                       {0x80000000, 0x80000001},
                                                                       {0x7FFFFFFF, 31},
                                                                       {0x40490FDB, 0xC0000000},
                                                                       {0x7F800000, 0x7FC00001},
                                                                       {0x00000400, 0x3F800001}};
  for (const auto& [a, b] : values) {
    const std::string text = with_constants(instructions, a, b);
    Machine plain(text.c_str(), {{"gpu.sms", "1"}, {"passes.constants", "false"}});
    Machine folded(text.c_str(), {{"gpu.sms", "1"}, {"passes.constants", "true"}});
    for (Machine* machine : {&plain, &folded}) {
      machine->launch("k", 1, 1);
      machine->run();
    }
    EXPECT_EQ(arithmetic(folded.program()), 0u);
    EXPECT_GT(arithmetic(plain.program()), 30u);
    for (unsigned n = 0; n < 2 * instructions.size(); ++n) {
      EXPECT_EQ(folded.out(n), plain.out(n)) << instructions[n / 2] << " of " << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace raddle::tests
