// Requirements for every lane loop: masks, operands that share registers, predicates, carries.
#include "isa/semantics/lanes.h"

#include <gtest/gtest.h>

#include "isa/semantics/comparison.h"
#include "isa/semantics/conversion.h"
#include "isa/semantics/float.h"
#include "isa/semantics/integer.h"
#include "isa/semantics/logic.h"
#include "tests/semantics/warp.h"

namespace raddle::isa {
namespace {

Form form(Type type, Type type2 = Type::none) {
  Form f;
  f.type = type;
  f.type2 = type2;
  return f;
}

Instruction instruction(unsigned d, unsigned a, unsigned b = 0, unsigned c = 0) {
  Instruction i;
  i.d = TestWarp::row(d);
  i.s[0] = TestWarp::row(a);
  i.s[1] = TestWarp::row(b);
  i.s[2] = TestWarp::row(c);
  return i;
}

class Masks : public testing::TestWithParam<LaneMask> {};

TEST_P(Masks, InactiveLanesKeepTheirRegisters) {
  TestWarp warp;
  warp.context.active = GetParam();
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u32(0)[l] = 1000 + l;
    warp.u32(1)[l] = l;
    warp.u32(2)[l] = 7;
  }
  warp.run(select_add(form(Type::u32)), instruction(0, 1, 2));
  for (unsigned l = 0; l < kWarpSize; ++l) {
    EXPECT_EQ(warp.u32(0)[l], (GetParam() >> l & 1) != 0 ? l + 7 : 1000 + l) << "lane " << l;
  }
}

TEST_P(Masks, InactiveLanesKeepTheirWideRegisters) {
  TestWarp warp;
  warp.context.active = GetParam();
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u64(0)[l] = l;
    warp.u64(2)[l] = ~std::uint64_t{l};
  }
  warp.run(select_not(form(Type::b64)), instruction(0, 2));
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(warp.u64(0)[l], l);
  warp.run(select_neg(form(Type::s64)), instruction(0, 0));
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint64_t negated = ~std::uint64_t{l} + 1;
    EXPECT_EQ(warp.u64(0)[l], (GetParam() >> l & 1) != 0 ? negated : l) << "lane " << l;
  }
}

TEST_P(Masks, InactiveLanesKeepTheirPredicates) {
  TestWarp warp;
  warp.context.active = GetParam();
  warp.predicates[2] = 0x0f0f'0f0f;
  warp.predicates[3] = 0x3333'3333;
  for (unsigned l = 0; l < kWarpSize; ++l) warp.u32(1)[l] = l % 3;
  Form f = form(Type::s32);
  f.compare = Compare::lt;
  Instruction i = instruction(0, 1, 2);
  i.p = 2;
  i.q = 3;
  warp.u32(2)[5] = 2;  // lane 5: 2 < 2 is false; every other lane: l % 3 < 0 is false
  warp.u32(2)[6] = 1;  // lane 6: 0 < 1
  warp.run(select_setp(f), i);
  EXPECT_EQ(warp.predicates[2], (0x0f0f'0f0f & ~GetParam()) | (0x40 & GetParam()));
  EXPECT_EQ(warp.predicates[3], (0x3333'3333 & ~GetParam()) | (~0x40u & GetParam()));
}

TEST_P(Masks, InactiveLanesKeepTheirCarry) {
  TestWarp warp;
  warp.context.active = GetParam();
  warp.context.carry = 0x00ff'00ff;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u32(1)[l] = ~0u;
    warp.u32(2)[l] = l & 1;  // odd lanes carry
  }
  Form f = form(Type::u32);
  f.carry_out = true;
  warp.run(select_add_carry_out(f), instruction(0, 1, 2));
  EXPECT_EQ(warp.context.carry, (0x00ff'00ff & ~GetParam()) | (0xaaaa'aaaa & GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, Masks,
                         testing::Values(kAllLanes, LaneMask{0}, LaneMask{1}, 0x8000'0000u,
                                         0x5555'5555u, 0x00ff'ff00u, 0xfff0'0001u));

// A 32-bit source that is the lower or upper row of the 64-bit destination.
TEST(Overlap, WideResultOverItsNarrowOperands) {
  for (unsigned source = 0; source < 2; ++source) {
    TestWarp warp;
    for (unsigned l = 0; l < kWarpSize; ++l) {
      warp.u32(source)[l] = 0x1000'0000u + l;
      warp.u32(4)[l] = 0x100;
    }
    Form f = form(Type::u32);
    f.half = Half::wide;
    warp.run(select_mul(f), instruction(0, source, 4));
    for (unsigned l = 0; l < kWarpSize; ++l) {
      EXPECT_EQ(warp.u64(0)[l], (std::uint64_t{0x1000'0000u} + l) * 0x100) << "lane " << l;
    }
  }
}

TEST(Overlap, NarrowResultOverItsWideOperand) {
  for (unsigned destination = 0; destination < 2; ++destination) {
    TestWarp warp;
    for (unsigned l = 0; l < kWarpSize; ++l) warp.u64(0)[l] = (std::uint64_t{l} << 32) | (100 + l);
    Instruction i = instruction(destination, 0);
    i.bytes = 4;
    i.elements = 8;
    warp.run(select_convert(form(Type::u32, Type::u64)), i);
    for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(warp.u32(destination)[l], 100 + l);
  }
}

TEST(Operands, ConstantsComeFromTheConstantRows) {
  TestWarp warp;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u32(1)[l] = l;
    warp.constant(1)[l] = 40;
  }
  Instruction i = instruction(0, 1);
  i.s[1] = TestWarp::row(1) | kConstantBit;
  warp.run(select_sub(form(Type::s32)), i);
  for (unsigned l = 0; l < kWarpSize; ++l) EXPECT_EQ(warp.u32(0)[l], l - 40u);
}

TEST(Operands, NarrowResultsLeaveUpperBitsZero) {
  TestWarp warp;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u32(0)[l] = ~0u;
    warp.u32(1)[l] = 0xffff;
    warp.u32(2)[l] = 2;
  }
  warp.run(select_add(form(Type::s16)), instruction(0, 1, 2));
  EXPECT_EQ(warp.u32(0)[0], 1u);
  warp.run(select_sub(form(Type::s16)), instruction(0, 2, 1));
  EXPECT_EQ(warp.u32(0)[0], 3u);
  warp.run(select_neg(form(Type::s16)), instruction(0, 2));
  EXPECT_EQ(warp.u32(0)[0], 0xfffeu);
}

// cvt: results are extended to the destination register's size (PTX ISA 9.4.1, 9.7.9.21).
TEST(Convert, SignedResultsFillWiderRegisters) {
  struct Case {
    unsigned bytes;
    std::uint64_t expected;
  };
  for (const Case& c : {Case{2, 0xff80}, Case{4, 0xffff'ff80}, Case{8, 0xffff'ffff'ffff'ff80}}) {
    TestWarp warp;
    warp.u32(2)[3] = 0x1280;
    Instruction i = instruction(0, 2);
    i.bytes = static_cast<std::uint8_t>(c.bytes);
    i.elements = 4;
    warp.run(select_convert(form(Type::s8, Type::s32)), i);
    EXPECT_EQ(c.bytes == 8 ? warp.u64(0)[3] : warp.u32(0)[3], c.expected) << c.bytes << " bytes";
  }
}

TEST(Convert, UnsignedResultsAndFloatsAreZeroExtended) {
  TestWarp warp;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u64(0)[l] = ~std::uint64_t{0};
    warp.u32(2)[l] = 0xffff'fffe;
  }
  Instruction i = instruction(0, 2);
  i.bytes = 8;
  i.elements = 4;
  warp.run(select_convert(form(Type::u16, Type::s32)), i);
  EXPECT_EQ(warp.u64(0)[9], 0xfffeu);
  Form f = form(Type::f32, Type::s32);
  f.rounding = Rounding::rn;
  warp.run(select_convert(f), i);
  EXPECT_EQ(warp.u64(0)[9], 0xc000'0000u);  // -2.0f
}

TEST(Convert, SourcesMayBeTheLowPartOfWiderRegisters) {
  TestWarp warp;
  warp.u64(2)[31] = 0x0123'4567'89ab'cdef;
  Instruction i = instruction(0, 2);
  i.bytes = 4;
  i.elements = 8;
  warp.run(select_convert(form(Type::s32, Type::s8)), i);
  EXPECT_EQ(warp.u32(0)[31], 0xffff'ffefu);
}

TEST(Rounding, TheHostsModeIsRestored) {
  TestWarp warp;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    warp.u32(1)[l] = 0x3f80'0000;  // 1
    warp.u32(2)[l] = 0x3300'0000;  // 2^-25
  }
  Form f = form(Type::f32);
  f.rounding = Rounding::rp;
  warp.run(select_fadd(f), instruction(0, 1, 2));
  EXPECT_EQ(warp.u32(0)[0], 0x3f80'0001u);
  volatile float one = 1.0f, small = 0x1p-25f;
  EXPECT_EQ(one + small, 1.0f);
}

// Predicates as operands: a number, negated by kConstantBit.
TEST(PredicateLogic, OperandsMayBeNegated) {
  TestWarp warp;
  warp.predicates[2] = 0x0000'ffff;
  warp.predicates[3] = 0x00ff'00ff;
  Instruction i;
  i.p = 4;
  i.s[0] = 2;
  i.source_predicate = 3;
  i.source_flip = kAllLanes;
  warp.run(select_and(form(Type::pred)), i);
  EXPECT_EQ(warp.predicates[4], 0x0000'ff00u);
  i.s[0] = kTruePredicate | kConstantBit;  // the constant false
  warp.run(select_or(form(Type::pred)), i);
  EXPECT_EQ(warp.predicates[4], 0xff00'ff00u);
  i.s[0] = 2 | kConstantBit;
  warp.run(select_not(form(Type::pred)), i);
  EXPECT_EQ(warp.predicates[4], 0x0000'ffffu);
}

}  // namespace
}  // namespace raddle::isa
