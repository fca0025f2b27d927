// PTX ISA 4.5.5 and 4.5.6: evaluation of constant expressions.
#include "ptx/constant.h"

#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

Constant evaluate(const std::string& text) {
  static const std::string file = "test.ptx";
  TokenStream tokens(file, text);
  const Constant value = parse_constant(tokens);
  EXPECT_EQ(tokens.current().kind, Token::Kind::end) << text;
  return value;
}

struct Case {
  const char* text;
  std::int64_t value;
};

class IntegerExpression : public ::testing::TestWithParam<Case> {};

TEST_P(IntegerExpression, HasTheValueOfTheManual) {
  const Constant value = evaluate(GetParam().text);
  EXPECT_TRUE(value.is_integer());
  EXPECT_EQ(static_cast<std::int64_t>(value.bits), GetParam().value) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(PrecedenceAsInC, IntegerExpression,
                         ::testing::Values(Case{"2+3*4-1", 13}, Case{"(2+3)*4", 20},
                                           Case{"10-4-3", 3}, Case{"1<<2+1", 8},
                                           Case{"5^3|8&12", 14}, Case{"5>3>0", 1},
                                           Case{"1||0&&0", 1}, Case{"2>1?3>2?5:6:7", 5},
                                           Case{"0?1:0?2:3", 3}, Case{"- -5", 5}, Case{"!0-2", -1},
                                           Case{"WARP_SZ*2", 64}));

INSTANTIATE_TEST_SUITE_P(
    SignedAndUnsigned, IntegerExpression,
    ::testing::Values(Case{"-7/2", -3}, Case{"(.u64)-7/2", 0x7ffffffffffffffc}, Case{"-8>>1", -4},
                      Case{"0xFFFFFFFFFFFFFFF8>>1", 0x7ffffffffffffffc}, Case{"-1<0", 1},
                      Case{"-1<0U", 0}, Case{"1-1U<0", 0}, Case{"~5<0", 0},
                      Case{"~0/2", 0x7fffffffffffffff}, Case{"(.s64)0xFFFFFFFFFFFFFFFF<0", 1},
                      Case{"(0?1:2U)-3<0", 0}, Case{"7%(-2)", 7}, Case{"(3<4)-2<0", 1}));

INSTANTIATE_TEST_SUITE_P(WrapAround, IntegerExpression,
                         ::testing::Values(Case{"4294967296*4294967296", 0},
                                           Case{"1<<63", INT64_MIN},
                                           Case{"9223372036854775807+1", INT64_MIN},
                                           Case{"(-9223372036854775807-1)/-1", INT64_MIN}));

INSTANTIATE_TEST_SUITE_P(ComparisonOfReals, IntegerExpression,
                         ::testing::Values(Case{"1.5<2.5", 1}, Case{"3.0*2.0>=7.0", 0},
                                           Case{"7.0/2.0==3.5", 1}, Case{"(1.5!=1.5)?7:8", 8}));

TEST(Constant, KeepsSinglePrecisionBitsAsWritten) {
  const Constant value = evaluate("0f7FC00001");
  EXPECT_EQ(value.kind, Constant::Kind::f32_bits);
  EXPECT_EQ(value.bits, 0x7fc00001u);
}

TEST(Constant, ComputesRealsInDoublePrecision) {
  const Constant value = evaluate("-1.5+2.5*2.0");
  EXPECT_EQ(value.kind, Constant::Kind::f64);
  EXPECT_EQ(value.bits, 0x400c000000000000u);  // 3.5
}

TEST(Constant, RefusesWhatTheManualDoes) {
  for (const char* text : {"1/0", "7%(0)", "1.5&1", "!1.5", "~2.5", "1.5?1:2", "1+1.5", "0?1.5:2",
                           "(.u64)1.5", "0f3F800000+1.0", "1+", "(1", "(.u32)1", "1?2"}) {
    EXPECT_THROW(evaluate(text), InputError) << text;
  }
}

TEST(Constant, NestsOnlySoDeep) {
  EXPECT_THROW(evaluate(std::string(100000, '(')), InputError);
  EXPECT_THROW(evaluate(std::string(100000, '-') + "1"), InputError);
}

}  // namespace
}  // namespace raddle::ptx
