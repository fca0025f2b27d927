// Which instructions run on the multiplication pipe, and which divisions reuse a reciprocal.
#include "pass_help.h"

namespace raddle::tests {
namespace {

using isa::Class;
using testing::ElementsAre;

/// The class of each instruction of the body, as the passes leave it.
std::vector<Class> classes(const isa::PassList& passes, const std::string& body) {
  const auto program = after(passes, kernel("\n" + body));
  std::vector<Class> found;
  for (std::size_t n = 0; n < program->code.size(); ++n) {
    if (program->info[n].at.line > 10 && program->code[n].kind == isa::Kind::compute) {
      found.push_back(program->code[n].klass);
    }
  }
  return found;
}

/// Volta's: a pipe of integers, and one of products and floats, of two cycles each; others elsewhere.
isa::PassTarget volta(unsigned compute_major = 7) {
  isa::PassTarget target;
  target.compute_major = compute_major;
  for (auto& pipes : target.pipes) pipes = {2, 2, 1};
  const auto set = [&](std::initializer_list<Class> of, std::uint8_t unit) {
    for (const Class klass : of) target.pipes[static_cast<std::size_t>(klass)].unit = unit;
  };
  set({Class::int_add, Class::int_logic, Class::int_shift}, 0);
  set({Class::int_mul, Class::fp32}, 1);
  return target;
}

std::vector<Class> balanced(const std::string& body, unsigned compute_major = 7) {
  return classes({isa::balanced_pipes(volta(compute_major))}, body);
}

// ptxas 13.0, sm_90: 359 of 372 additions of HeCBench's chacha20 are IMADs, beside 838 logical ones.
TEST(BalancedPipes, AdditionsLeaveABusyIntegerPipe) {
  const std::string body = R"(add.s32 %r2, %r1, %r3;
xor.b32 %r4, %r2, %r3;
or.b32 %r5, %r4, %r1;)";
  EXPECT_THAT(balanced(body), ElementsAre(Class::int_mul, Class::int_logic, Class::int_logic));
  EXPECT_THAT(balanced(body, 6), ElementsAre(Class::int_add, Class::int_logic, Class::int_logic))
      << "before Volta there is one pipe for both";
}

TEST(BalancedPipes, AdditionsStayWhereProductsKeepTheOtherBusy) {
  EXPECT_THAT(balanced(R"(add.s32 %r2, %r1, %r3;
mul.lo.u32 %r4, %r2, %r3;
fma.rn.f32 %f1, %f2, %f3, %f4;)"),
              ElementsAre(Class::int_add, Class::int_mul, Class::fp32));
}

TEST(BalancedPipes, HalfOfThemGoWhereThereIsNothingElse) {
  const auto found = balanced(R"(add.s32 %r2, %r1, %r3;
add.s32 %r4, %r1, %r5;
add.s32 %r6, %r1, %r7;
add.s32 %r8, %r1, %r9;)");
  EXPECT_EQ(std::count(found.begin(), found.end(), Class::int_mul), 2);
}

// IMAD's one constant is its factor: IMAD.IADD adds registers.
TEST(BalancedPipes, OnlyWhatAProductCanDo) {
  EXPECT_THAT(balanced(R"(add.s32 %r2, %r1, 77;
add.s64 %rd3, %rd1, %rd2;
shl.b32 %r4, %r1, %r2;
xor.b32 %r5, %r4, %r3;
shr.u32 %r6, %r5, 3;)"),
              ElementsAre(Class::int_add, Class::int_add, Class::int_shift, Class::int_logic,
                          Class::int_shift));
  EXPECT_THAT(balanced(R"(shl.b32 %r2, %r1, 3;
xor.b32 %r3, %r2, %r1;)"),
              ElementsAre(Class::int_mul, Class::int_logic))
      << "IMAD.SHL";
}

std::vector<Class> divisions(const std::string& body, unsigned compute_major = 7) {
  return classes({isa::shared_reciprocals(volta(compute_major))}, body);
}

// ptxas 13.0, sm_90: four remainders of HeCBench's heat2d by two divisors have two MUFU.RCP.
TEST(SharedReciprocals, TheSecondDivisionByARegisterHasOne) {
  const std::string body = R"(mul.lo.u32 %r9, %r1, %r1;
div.s32 %r2, %r1, %r9;
rem.s32 %r3, %r2, %r9;
div.u32 %r4, %r1, %r9;
div.s32 %r5, %r1, %r2;)";
  EXPECT_THAT(divisions(body), ElementsAre(Class::int_mul, Class::int_div, Class::int_quotient,
                                           Class::int_div, Class::int_div))
      << "an unsigned one and another divisor have their own";
  EXPECT_EQ(divisions(body, 6)[2], Class::int_div) << "code before Volta is not known";
}

TEST(SharedReciprocals, NotOfADivisorThatChanges) {
  EXPECT_THAT(divisions(R"(div.s32 %r2, %r1, %r9;
add.s32 %r9, %r9, 1;
div.s32 %r3, %r1, %r9;)"),
              ElementsAre(Class::int_div, Class::int_add, Class::int_div));
}

// Its code in workloads/micro's add_floats, by the same ptxas: the reciprocal is before the loop.
TEST(SharedReciprocals, ALoopLeavesThemInFront) {
  EXPECT_THAT(divisions(R"(mul.lo.u32 %r9, %r1, %r1;
NEXT: rem.u32 %r1, %r1, %r9;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra NEXT;)"),
              ElementsAre(Class::int_mul, Class::int_quotient, Class::int_compare));
}

// What that ptxas leaves of an unsigned remainder in add_floats' loop: IMAD.HI, IMAD.MOV, IMAD, two ISETP
// each with a guarded sum, SEL.
TEST(SharedReciprocals, WhatIsLeftIsEightInstructions) {
  const auto program =
      after({isa::shared_reciprocals(volta()), isa::machine_sequences(volta())},
            kernel("\nmul.lo.u32 %r9, %r1, %r1;\nrem.u32 %r2, %r1, %r9;\nrem.u32 %r3, %r2, %r9;"));
  std::vector<unsigned> more;
  for (std::size_t n = 0; n < program->code.size(); ++n) {
    if (program->info[n].text.starts_with("rem")) more.push_back(program->code[n].unit);
  }
  EXPECT_THAT(more, ElementsAre(17 - 1, 8 - 1));
}

// Of two sides of a branch neither has passed the other's.
TEST(SharedReciprocals, OnlyWhereTheFirstHasBeen) {
  EXPECT_THAT(divisions(R"(mul.lo.u32 %r9, %r1, %r1;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra ELSE;
div.u32 %r2, %r1, %r9;
bra END;
ELSE: div.u32 %r2, %r9, %r9;
END: rem.u32 %r3, %r2, %r9;)"),
              ElementsAre(Class::int_mul, Class::int_compare, Class::int_div, Class::int_div,
                          Class::int_div));
}

}  // namespace
}  // namespace raddle::tests
