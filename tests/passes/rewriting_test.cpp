// The passes that rewrite arithmetic and operands: what each must change, and what it must not.
#include <algorithm>

#include "listed_rows.h"

namespace raddle::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

const isa::PassList kCopies = {isa::copy_propagation()};
const isa::PassList kAddresses = {isa::address_offsets()};
const isa::PassList kIntegers = {isa::integer_arithmetic()};
const isa::PassList kBranches = {isa::if_conversion({})};
const isa::PassList kVectors = {isa::vector_loads()};

TEST(Copies, AreReadWhereTheyCameFrom) {
  EXPECT_THAT(rows(kCopies, R"(cvta.to.global.u64 %rd3, %rd1;
mov.u32 %r2, %r1;
mov.u32 %r3, %r2;
mov.u32 %r4, 5;
add.u32 %r5, %r3, %r4;
st.global.u32 [%rd3], %r5;)"),
              ElementsAre("add", "st+0"));
}

// A generic address of shared memory is another number.
TEST(Copies, OfAddressesThatDifferStay) {
  EXPECT_THAT(rows(kCopies, R"(cvta.to.shared.u64 %rd3, %rd1;
st.shared.u32 [%rd3], %r1;)"),
              ElementsAre("cvta", "st+0"));
}

TEST(Copies, StayWhereTheOriginalChangesInBetween) {
  EXPECT_THAT(rows(kCopies, R"(add.u32 %r5, %r1, 1;
mov.u32 %r2, %r5;
add.u32 %r5, %r5, 1;
st.global.v2.u32 [%rd1], {%r2, %r5};)"),
              ElementsAre("add", "mov", "add", "st+0"));
}

TEST(Copies, OfSomeLanesStay) {
  EXPECT_THAT(rows(kCopies, R"(setp.eq.u32 %p1, %r1, 0;
mov.u32 %r2, 7;
@%p1 mov.u32 %r2, %r1;
st.global.u32 [%rd1], %r2;)"),
              ElementsAre("setp", "mov", "@mov", "st+0"));
}

// The value of the round before is copied; it must not become that of this round.
TEST(Copies, OfTheRoundBeforeStay) {
  EXPECT_THAT(rows(kCopies, R"(mov.u32 %r2, 0;
mov.u32 %r3, 0;
L: mov.u32 %r4, %r3;
add.u32 %r3, %r3, 1;
add.u32 %r2, %r2, %r4;
setp.lt.u32 %p1, %r3, 9;
@%p1 bra L;
st.global.u32 [%rd1], %r2;)"),
              Contains("mov").Times(3));
}

TEST(Copies, JoinWithWhatTheyCopy) {
  EXPECT_THAT(rows(kCopies, R"(mov.u32 %r3, 0;
L: add.u32 %r4, %r3, 1;
setp.lt.u32 %p1, %r4, 9;
mov.u32 %r3, %r4;
@%p1 bra L;
st.global.u32 [%rd1], %r3;)"),
              ElementsAre("mov", "add", "setp", "@bra", "st+0"));
}

// The old value is needed behind the sum.
TEST(Copies, DoNotJoinAcrossReadersOfWhatWasThere) {
  EXPECT_THAT(rows(kCopies, R"(mov.u32 %r3, 0;
L: add.u32 %r4, %r3, 1;
st.global.u32 [%rd1], %r3;
mov.u32 %r3, %r4;
setp.lt.u32 %p1, %r4, 9;
@%p1 bra L;)"),
              Contains("mov").Times(2));
}

TEST(Copies, NegatedPredicatesGo) {
  EXPECT_THAT(rows(kCopies, R"(setp.eq.u32 %p1, %r1, 0;
not.pred %p2, %p1;
@%p2 st.global.u32 [%rd1], %r1;
@!%p2 st.global.u32 [%rd2], %r1;)"),
              ElementsAre("setp", "!st+0", "@st+0"));
}

TEST(Addresses, TakeConstants) {
  EXPECT_THAT(rows(kAddresses, R"(add.s64 %rd3, %rd1, 16;
add.s64 %rd4, %rd3, -4;
ld.global.u32 %r2, [%rd4+8];
st.global.u32 [%rd2], %r2;)"),
              ElementsAre("ld+20", "st+0"));
}

TEST(Addresses, NotBeyond24Bits) {
  EXPECT_THAT(rows(kAddresses, R"(add.s64 %rd3, %rd1, 8388608;
st.global.u32 [%rd3], %r1;)"),
              ElementsAre("add", "st+0"));
}

TEST(Addresses, NotWhereTheBaseHasChanged) {
  EXPECT_THAT(rows(kAddresses, R"(mov.u64 %rd5, %rd1;
add.s64 %rd3, %rd5, 16;
add.s64 %rd5, %rd5, 64;
st.global.u32 [%rd3], %r1;
st.global.u32 [%rd5], %r1;)"),
              Contains("st+0").Times(2));
  EXPECT_THAT(rows(kAddresses, R"(mov.u64 %rd5, %rd1;
L: add.s64 %rd3, %rd5, 16;
add.s64 %rd5, %rd5, %rd2;
st.global.u32 [%rd3], %r1;
setp.lt.u64 %p1, %rd5, 99;
@%p1 bra L;)"),
              Contains("st+0"));
}

TEST(Addresses, TakeBitsThatAreKnownToBeZero) {
  EXPECT_THAT(rows(kAddresses, R"(shl.b32 %r2, %r1, 4;
or.b32 %r3, %r2, 12;
or.b32 %r4, %r2, 24;
st.shared.u32 [%r3], %r1;
st.shared.u32 [%r4], %r1;)"),
              ElementsAre("shl", "or", "st+12", "st+0"));
}

TEST(ShortBranches, BecomeGuards) {
  EXPECT_THAT(rows(kBranches, R"(setp.eq.u32 %p1, %r1, 0;
mov.u32 %r2, 5;
@%p1 bra DONE;
add.u32 %r3, %r1, 1;
ld.global.u32 %r2, [%rd1];
add.u32 %r2, %r2, %r3;
DONE: st.global.u32 [%rd2], %r2;)"),
              // %r3 is of no interest to others: all lanes may compute it.
              ElementsAre("setp", "mov", "add", "!ld+0", "!add", "st+0"));
}

// What only the side reads need not be kept for the lanes that do not load it.
TEST(ShortBranches, GuardedLoadsTakeNoRegistersFromElsewhere) {
  std::string loads;
  for (unsigned n = 1; n <= 20; ++n) {
    loads += fmt::format(
        "and.b32 %r3, %r1, {0};\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L{0};\n"
        "ld.global.u32 %r{1}, [%rd1+{2}];\nxor.b32 %r2, %r2, %r{1};\nL{0}:\n",
        n, n + 9, 4 * n);
  }
  const std::string text = kernel("mov.u32 %r2, 0;\nAGAIN:\n" + loads +
                                  "add.u32 %r1, %r1, 7;\nsetp.lt.u32 %p2, %r1, 99;\n"
                                  "@%p2 bra AGAIN;\nst.global.u32 [%rd2], %r2;");
  const auto before = after({}, text), program = after(kBranches, text);
  EXPECT_LE(program->find_kernel("k")->registers_per_thread,
            before->find_kernel("k")->registers_per_thread);
}

TEST(ShortBranches, JumpsToWhatFollowsGo) {
  EXPECT_THAT(rows(kBranches, R"(bra NEXT;
NEXT: st.global.u32 [%rd2], %r1;)"),
              ElementsAre("st+0"));
}

TEST(ShortBranches, BothSides) {
  EXPECT_THAT(rows(kBranches, R"(setp.eq.u32 %p1, %r1, 0;
@%p1 bra LOW;
add.u32 %r2, %r1, 1;
bra JOIN;
LOW: add.u32 %r2, %r1, 2;
JOIN: st.global.u32 [%rd2], %r2;)"),
              ElementsAre("setp", "!add", "@add", "st+0"));
}

TEST(ShortBranches, StayAroundWhatIsNotForGuards) {
  for (const char* inside :
       {"bar.sync 0;", "atom.global.add.u32 %r2, [%rd1], 1;", "st.volatile.global.u32 [%rd1], %r1;",
        "shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffffffff;", "mov.u32 %r2, %clock;", "exit;",
        "setp.eq.u32 %p1, %r1, 2;", "activemask.b32 %r2;",
        "add.u32 %r2,%r1,1; add.u32 %r3,%r2,1; add.u32 %r4,%r3,1; add.u32 %r5,%r4,1;"
        "add.u32 %r6,%r5,1; add.u32 %r7,%r6,1; add.u32 %r8,%r7,1; st.global.u32 [%rd1], %r8;"}) {
    EXPECT_THAT(rows(kBranches, "setp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 0;\n@%p1 bra DONE;\n" +
                                    std::string(inside) +
                                    "\nDONE: st.global.u32 [%rd2], %r2;\n@%p1 st.global.u32 "
                                    "[%rd2+4], %r2;"),
                Contains("@bra"))
        << inside;
  }
}

/// Whether a branch stays around so many additions, with as many on its other side.
bool stays(unsigned compute_major, unsigned count, unsigned others) {
  isa::PassTarget target;
  target.compute_major = compute_major;
  const auto additions = [](unsigned count) {
    std::string text;
    for (unsigned n = 0; n < count; ++n) text += fmt::format("add.u32 %r2, %r2, {};\n", n + 5);
    return text;
  };
  std::string body =
      "setp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 0;\n@%p1 bra LOW;\n" + additions(count);
  if (others != 0) body += "bra DONE;\n";
  body += "LOW:\n" + additions(others) + "DONE: st.global.u32 [%rd2], %r2;";
  const auto left = rows({isa::if_conversion(target)}, body);
  return std::find(left.begin(), left.end(), "@bra") != left.end();
}

// ptxas 11.8 guards up to 20 machine instructions for sm_70, sm_80 and sm_90, and counts the jump
// between two sides.
TEST(ShortBranches, AreThoseOfAtMostTwentyMachineInstructions) {
  EXPECT_FALSE(stays(7, 20, 0));
  EXPECT_TRUE(stays(7, 21, 0));
}

TEST(ShortBranches, OfTwoSidesAreThoseOfAtMostNineteen) {
  EXPECT_FALSE(stays(7, 5, 14));
  EXPECT_TRUE(stays(7, 5, 15));
}

// 7: CUDA C Programming Guide 10, 5.4.2 (Control Flow Instructions).
TEST(ShortBranches, OfOlderGpusAreThoseOfAtMostSeven) {
  EXPECT_FALSE(stays(6, 7, 0));
  EXPECT_TRUE(stays(6, 8, 0));
}

TEST(ShortBranches, CountWhatStandsForAnInstructionInMachineCode) {
  isa::PassTarget target;
  target.compute_major = 7;
  const auto left = rows({isa::if_conversion(target)}, R"(setp.eq.u32 %p1, %r1, 0;
mov.u32 %r2, 9;
@%p1 bra DONE;
rem.u32 %r2, %r2, %r1;
rem.u32 %r2, %r1, %r2;
DONE: st.global.u32 [%rd2], %r2;)");
  EXPECT_THAT(left, Contains("@bra"));
}

// A loop's branch back is not short: what it jumps over runs again.
TEST(ShortBranches, LoopsStay) {
  EXPECT_THAT(rows(kBranches, R"(mov.u32 %r2, 0;
L: add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, %r1;
@%p1 bra L;
st.global.u32 [%rd2], %r2;)"),
              Contains("@bra"));
}

const isa::PassList kPredicates = {isa::predicate_folding()};

TEST(Predicates, ComparisonsAreCombinedAtOnce) {
  EXPECT_THAT(rows(kPredicates, R"(setp.lt.s32 %p1, %r1, 5;
setp.gt.s32 %p2, %r1, 1;
and.pred %p3, %p1, %p2;
@%p3 st.global.u32 [%rd1], %r1;)"),
              ElementsAre("setp", "setp", "@st+0"));
}

TEST(Predicates, NotWhenTheComparisonIsNeededElsewhere) {
  EXPECT_THAT(rows(kPredicates, R"(setp.lt.s32 %p1, %r1, 5;
setp.gt.s32 %p2, %r1, 1;
and.pred %p3, %p1, %p2;
@%p3 st.global.u32 [%rd1], %r1;
@%p2 st.global.u32 [%rd1+4], %r1;
@%p1 st.global.u32 [%rd1+8], %r1;)"),
              Contains("and"));
}

// Not all types have the opposite of a comparison.
TEST(Predicates, NotWhenTheyAreNegated) {
  EXPECT_THAT(rows(kPredicates, R"(setp.lt.s32 %p1, %r1, 5;
setp.gt.s32 %p2, %r1, 1;
and.pred %p3, !%p1, !%p2;
@%p3 st.global.u32 [%rd1], %r1;)"),
              ElementsAre("setp", "setp", "and", "@st+0"));
}

// The operand of the comparison is another one behind it.
TEST(Predicates, NotWhenItsOperandsChange) {
  EXPECT_THAT(rows(kPredicates, R"(setp.eq.s32 %p1, %r1, 5;
mov.u32 %r2, 3;
setp.gt.s32 %p2, %r2, %r1;
mov.u32 %r2, %r1;
and.pred %p3, %p2, %p4;
@%p3 st.global.u32 [%rd1], %r2;
@%p1 st.global.u32 [%rd1], %r2;)"),
              Contains("and"));
}

TEST(Vectors, NeighboursOfSharedMemoryAreLoadedTogether) {
  EXPECT_THAT(rows(kVectors, R"(shl.b32 %r2, %r1, 4;
ld.shared.f32 %f1, [%r2+32]; ld.shared.f32 %f3, [%r2+40]; ld.shared.f32 %f2, [%r2+36]; ld.shared.f32 %f4, [%r2+44];
st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};)"),
              ElementsAre("shl", "ld+32", "st+0"));
}

TEST(Vectors, NotWhatIsNotAligned) {
  EXPECT_THAT(rows(kVectors, R"(shl.b32 %r2, %r1, 3;
ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4]; ld.shared.f32 %f3, [%r2+8]; ld.shared.f32 %f4, [%r2+12];
st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};)"),
              ElementsAre("shl", "ld+0", "ld+8", "st+0"));  // two and two
  EXPECT_THAT(rows(kVectors, R"(shl.b32 %r2, %r1, 4;
ld.shared.f32 %f1, [%r2+4]; ld.shared.f32 %f2, [%r2+8];
st.global.v2.f32 [%rd1], {%f1, %f2};)"),
              ElementsAre("shl", "ld+4", "ld+8", "st+0"));
}

TEST(Vectors, NotAcrossStoresAndBarriersNorOfGlobalMemory) {
  for (const char* between : {"st.shared.f32 [%r1], %f9;", "bar.sync 0;", "mov.f32 %f2, %f1;"}) {
    EXPECT_THAT(
        rows(kVectors, "shl.b32 %r2, %r1, 4; ld.shared.f32 %f1, [%r2];" + std::string(between) +
                           "ld.shared.f32 %f2, [%r2+4];"
                           "st.global.v2.f32 [%rd1], {%f1, %f2};"),
        Contains("ld+4"))
        << between;
  }
  EXPECT_THAT(rows(kVectors, R"(mul.wide.u32 %rd3, %r1, 16;
ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4];
st.global.v2.f32 [%rd1], {%f1, %f2};)"),
              Contains("ld+4"));
}

// LDC.64 in machine code, which has no LDC.128.
TEST(Vectors, NeighboursOfConstantMemoryAreLoadedInPairs) {
  EXPECT_THAT(rows(kVectors, R"(mul.wide.u32 %rd3, %r1, 16;
ld.const.f32 %f1, [%rd3]; ld.const.f32 %f2, [%rd3+4]; ld.const.f32 %f3, [%rd3+8]; ld.const.f32 %f4, [%rd3+12];
st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};)"),
              ElementsAre("mul", "ld+0", "ld+8", "st+0"));
}

TEST(Parameters, TakeNeitherInstructionsNorRegisters) {
  const std::string text = kernel(R"(
setp.eq.u64 %p1, %rd1, %rd2;
@%p1 st.global.u32 [%rd1], %r1;)");
  const auto before = after({}, text), program = after({isa::constant_bank_parameters()}, text);
  const isa::Function &was = *before->find_kernel("k"), &is = *program->find_kernel("k");
  unsigned loads = 0;
  for (std::uint32_t n = is.first; n < is.end; ++n) {
    loads += program->code[n].klass == isa::Class::constant_load;
  }
  EXPECT_EQ(loads, 1u);
  // %rd2 is only compared; %rd1 is an address.
  EXPECT_EQ(was.registers_per_thread - is.registers_per_thread, 2u);
}

// Whatever stands behind them, such as what needs two of them.
TEST(Parameters, ComeTogetherWhereTheNextInstructionNeedsThem) {
  const auto program = after({isa::constant_bank_parameters()}, R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 b, .param .u32 c, .param .u32 d) {
  .reg .b32 %r<40>; .reg .b64 %rd<40>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [b];
  ld.param.u32 %r2, [c];
  ld.param.u32 %r3, [d];
  mul.lo.u32 %r4, %r2, %r3;
  add.u32 %r5, %r4, %r1;
  st.global.u32 [%rd1], %r5;
  ret;
})");
  const isa::Function& k = *program->find_kernel("k");
  std::vector<std::string> loads;
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    if (program->code[n].klass == isa::Class::constant_load) loads.push_back(program->info[n].text);
  }
  // The product waits for the bank if that is cold.
  EXPECT_THAT(loads, ElementsAre(testing::HasSubstr("%r2")));
}

TEST(Integers, ProductsAreAddedInOneInstruction) {
  EXPECT_THAT(rows(kIntegers, R"(mul.lo.s32 %r2, %r1, 12;
add.s32 %r3, %r2, %r1;
mul.wide.s32 %rd3, %r3, 4;
add.s64 %rd4, %rd1, %rd3;
shl.b32 %r4, %r1, 2;
add.u32 %r5, %r4, %r3;
st.global.u32 [%rd4], %r5;)"),
              ElementsAre("mad", "mad", "mad", "st+0"));
}

TEST(Integers, NotWhenTheProductIsNeededElsewhere) {
  EXPECT_THAT(rows(kIntegers, R"(mul.lo.s32 %r2, %r1, 12;
add.s32 %r3, %r2, %r1;
st.global.v2.u32 [%rd1], {%r2, %r3};)"),
              ElementsAre("mul", "add", "st+0"));
}

// Multiplying and adding floating-point numbers rounds twice.
TEST(Integers, FloatingPointStays) {
  EXPECT_THAT(rows(kIntegers, R"(mul.f32 %f2, %f1, %f1;
add.f32 %f3, %f2, %f1;
st.global.f32 [%rd1], %f3;)"),
              ElementsAre("mul", "add", "st+0"));
}

TEST(Integers, CarriesAndSaturationStay) {
  EXPECT_THAT(rows(kIntegers, R"(mul.lo.s32 %r2, %r1, 12;
add.sat.s32 %r3, %r2, %r1;
mul.lo.u32 %r4, %r1, 20;
add.cc.u32 %r5, %r4, %r1;
addc.u32 %r6, %r3, 0;
st.global.v2.u32 [%rd1], {%r5, %r6};)"),
              ElementsAre("mul", "add", "mul", "add", "addc", "st+0"));
}

TEST(Integers, ProductsByPowersOfTwoAreShifts) {
  EXPECT_THAT(rows(kIntegers, R"(mul.lo.u32 %r2, %r1, 64;
mul.lo.u64 %rd3, %rd1, 8;
mul.hi.u32 %r3, %r1, 64;
mul.lo.u32 %r4, %r1, 6;
st.global.v4.u32 [%rd3], {%r2, %r3, %r4, %r1};)"),
              ElementsAre("shl", "shl", "mul", "mul", "st+0"));
}

TEST(Integers, ConversionsAmongThemAreMoves) {
  const auto program = after(kIntegers, kernel(R"(
cvt.u64.u32 %rd3, %r1;
cvt.rn.f32.u32 %f1, %r1;
st.global.u64 [%rd1], %rd3;
st.global.f32 [%rd2], %f1;)"));
  std::vector<isa::Class> classes;
  for (const isa::Instruction& one : program->code) classes.push_back(one.klass);
  EXPECT_THAT(classes, Contains(isa::Class::int_logic).Times(1));
  EXPECT_THAT(classes, Contains(isa::Class::convert).Times(1));
  EXPECT_THAT(classes, Not(Contains(isa::Class::convert_wide)));
}

TEST(Integers, AProductOfSeveralSumsIsMadeInEach) {
  EXPECT_THAT(rows(kIntegers, R"(mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
ld.global.u32 %r2, [%rd4];
st.global.u32 [%rd5], %r2;)"),
              ElementsAre("mad", "mad", "ld+0", "st+0"));
  // A product of 32 bits is as long as a sum.
  EXPECT_THAT(rows(kIntegers, R"(mul.lo.u32 %r3, %r1, 5;
add.u32 %r4, %r1, %r3;
add.u32 %r5, %r4, %r3;
st.global.v2.u32 [%rd1], {%r4, %r5};)"),
              ElementsAre("mul", "add", "add", "st+0"));
}

isa::PassList three_operands(unsigned major) {
  isa::PassTarget target;
  target.compute_major = major;
  return {isa::three_operands(target)};
}

/// Instructions of the code between the first lines and the end; those of three operands have no row.
std::size_t instructions(const isa::PassList& passes, const std::string& body) {
  return texts(*after(passes, kernel("\n" + body))).size();
}

TEST(ThreeOperands, SumsAreOneInstruction) {
  const std::string sums = R"(add.s32 %r2, %r1, %r3;
sub.s32 %r4, %r2, %r5;
st.global.u32 [%rd1], %r4;)";
  EXPECT_EQ(instructions(three_operands(7), sums), 2u);
  EXPECT_EQ(instructions(three_operands(3), sums), 3u) << "Kepler has no IADD3";
}

TEST(ThreeOperands, LogicalOperationsAreATable) {
  EXPECT_THAT(rows(three_operands(7), R"(xor.b32 %r2, %r1, %r3;
and.b32 %r4, %r2, %r5;
st.global.u32 [%rd1], %r4;)"),
              ElementsAre("lop3", "st+0"));
}

TEST(ThreeOperands, ATestOfBitsIsOneInstruction) {
  EXPECT_EQ(instructions(three_operands(7), R"(and.b32 %r2, %r1, 4;
setp.eq.s32 %p1, %r2, 0;
@%p1 st.global.u32 [%rd1], %r1;)"),
            2u);
}

TEST(ThreeOperands, NotWhenTheFirstResultIsNeededElsewhere) {
  EXPECT_EQ(instructions(three_operands(7), R"(add.s32 %r2, %r1, %r3;
add.s32 %r4, %r2, %r5;
st.global.v2.u32 [%rd1], {%r2, %r4};)"),
            3u);
}

// Machine code has room for one.
TEST(ThreeOperands, NotWithTwoConstants) {
  EXPECT_EQ(instructions(three_operands(7), R"(xor.b32 %r2, %r1, 77;
and.b32 %r4, %r2, 1023;
st.global.u32 [%rd1], %r4;)"),
            3u);
}

const isa::PassList kSigns = {isa::operand_signs()};

TEST(OperandSigns, AreNoInstructionsOfTheirOwn) {
  EXPECT_EQ(instructions(kSigns, R"(neg.f32 %f2, %f1;
abs.f32 %f3, %f2;
fma.rn.f32 %f4, %f2, %f3, %f2;
st.global.f32 [%rd1], %f4;)"),
            2u);
}

TEST(OperandSigns, StayWhereAnotherInstructionReadsThem) {
  EXPECT_EQ(instructions(kSigns, R"(neg.f32 %f2, %f1;
add.f32 %f3, %f2, %f1;
st.global.v2.f32 [%rd1], {%f2, %f3};)"),
            3u);
}

TEST(OperandSigns, StayWhereTheirOperandHasChanged) {
  EXPECT_EQ(instructions(kSigns, R"(neg.f32 %f2, %f1;
add.f32 %f1, %f1, %f1;
add.f32 %f3, %f2, %f1;
st.global.f32 [%rd1], %f3;)"),
            4u);
}

// The addition would not flush what the negation does.
TEST(OperandSigns, FlushWhatTheirReaderFlushes) {
  EXPECT_EQ(instructions(kSigns, R"(neg.ftz.f32 %f2, %f1;
add.f32 %f3, %f2, %f1;
st.global.f32 [%rd1], %f3;)"),
            3u);
}

TEST(OperandSigns, ASaturatedResultIsMadeSo) {
  EXPECT_EQ(instructions(kSigns, R"(fma.rn.f32 %f2, %f1, %f1, %f1;
cvt.sat.f32.f32 %f3, %f2;
st.global.f32 [%rd1], %f3;)"),
            2u);
}

}  // namespace
}  // namespace raddle::tests
