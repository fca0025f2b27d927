// PTX ISA 4.1 (source format), 4.2 (comments), 4.4 (identifiers), 4.5 (constants).
#include "ptx/lexer.h"

#include <gtest/gtest.h>

#include <vector>

namespace raddle::ptx {
namespace {

using Kind = Token::Kind;

std::vector<Token> tokens_of(const std::string& text) {
  static const std::string file = "test.ptx";
  Lexer lexer(file, text);
  std::vector<Token> tokens;
  do {
    tokens.push_back(lexer.next());
  } while (tokens.back().kind != Kind::end);
  tokens.pop_back();
  return tokens;
}

std::vector<std::string> texts_of(const std::string& text) {
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(text)) texts.emplace_back(token.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Lexer, SeparatesAnOpcodeFromItsModifiers) {
  EXPECT_EQ(texts_of("ld.global.v4.f32"), (Texts{"ld", ".global", ".v4", ".f32"}));
}

TEST(Lexer, KeepsDoubleColonsInsideOneModifier) {
  EXPECT_EQ(texts_of("ld.shared::cta.L2::128B.x"),
            (Texts{"ld", ".shared::cta", ".L2::128B", ".x"}));
}

TEST(Lexer, NeedsNoBlankBetweenTypeAndRegister) {
  EXPECT_EQ(texts_of("ld.param.u64%rd1,[p];"),
            (Texts{"ld", ".param", ".u64", "%rd1", ",", "[", "p", "]", ";"}));
}

TEST(Lexer, TakesDollarPercentAndUnderscoreInNames) {
  EXPECT_EQ(texts_of("$L__BB0_1 %_a _ _b $1 a$b"),
            (Texts{"$L__BB0_1", "%_a", "_", "_b", "$1", "a$b"}));
}

TEST(Lexer, SkipsBothKindsOfComments) {
  EXPECT_EQ(texts_of("a // b\n/* c\n * d */ e /**/ f"), (Texts{"a", "e", "f"}));
}

TEST(Lexer, CountsLinesAndColumnsOverCommentsTabsAndCarriageReturns) {
  const auto tokens = tokens_of("a\r\n\tb /* x\ny */ c");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].line, 2u);
  EXPECT_EQ(tokens[1].column, 2u);
  EXPECT_EQ(tokens[2].line, 3u);
  EXPECT_EQ(tokens[2].column, 6u);
}

TEST(Lexer, ReadsIntegersOfEveryBase) {
  const auto tokens = tokens_of("10 0x1F 017 0b101 0 42U 0xFFFFFFFFFFFFFFFF 9223372036854775808");
  const std::uint64_t expected[] = {10, 31, 15, 5, 0, 42, ~0ull, 1ull << 63};
  ASSERT_EQ(tokens.size(), std::size(expected));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_EQ(tokens[i].kind, Kind::integer);
    EXPECT_EQ(tokens[i].bits, expected[i]) << tokens[i].text;
  }
  EXPECT_FALSE(tokens[0].is_unsigned);
  EXPECT_TRUE(tokens[5].is_unsigned);  // U
  EXPECT_TRUE(tokens[7].is_unsigned);  // does not fit .s64
}

TEST(Lexer, ReadsRealsInHexadecimalAndDecimal) {
  const auto tokens = tokens_of("0f3F800000 0D3FF0000000000000 1.5 2. .5 1e3 .25e1");
  ASSERT_EQ(tokens.size(), 7u);
  EXPECT_EQ(tokens[0].kind, Kind::real32);
  EXPECT_EQ(tokens[0].bits, 0x3f800000u);
  const std::uint64_t expected[] = {0,
                                    0x3ff0000000000000,   // 1.0
                                    0x3ff8000000000000,   // 1.5
                                    0x4000000000000000,   // 2.0
                                    0x3fe0000000000000,   // 0.5
                                    0x408f400000000000,   // 1000.0
                                    0x4004000000000000};  // 2.5
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    EXPECT_EQ(tokens[i].kind, Kind::real64);
    EXPECT_EQ(tokens[i].bits, expected[i]) << tokens[i].text;
  }
}

TEST(Lexer, TakesADotBeforeDigitsAndLettersForAModifier) {
  const auto tokens = tokens_of("tex.2d.16x64b");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].kind, Kind::dotted);
  EXPECT_EQ(tokens[2].kind, Kind::dotted);
}

TEST(Lexer, EndsAtTheNulBytesOfAFatBinary) {
  EXPECT_EQ(texts_of(std::string("ret;\0\0", 6)), (Texts{"ret", ";"}));
}

TEST(Lexer, RefusesWhatIsNoToken) {
  for (const char* text :
       {"/* open", "\"open", "0x", "0f123", "09", "12ab", "`", "#", "1e400", "."}) {
    EXPECT_THROW(tokens_of(text), InputError) << text;
  }
  EXPECT_THROW(tokens_of(std::string("a\0b", 3)), InputError);
}

}  // namespace
}  // namespace raddle::ptx
