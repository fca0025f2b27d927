// Every row of the arithmetic families: each combination of words that its syntax admits either
// selects semantics or is one of those that PTX forbids.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "isa/syntax.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// Sections 9.7.1 to 9.7.8, cvt, and the video instructions.
bool is_arithmetic(const Row& row) {
  const std::string_view family = row.section.substr(0, row.section.find('.', 4));
  const bool numbers = family.size() == 5 && family >= "9.7.1" && family <= "9.7.8";
  return numbers || family == "9.7.17" || row.mnemonic == "cvt";
}

/// Calls f(modifiers) for each way through the row's groups.
template <class F>
void each_form(const CompiledRow& row, std::size_t group, std::vector<std::string_view>& words,
               F& f) {
  if (group == row.groups.size()) {
    f(words);
    return;
  }
  if (row.groups[group].optional) each_form(row, group + 1, words, f);
  for (std::string_view alternative : row.groups[group].words) {
    const std::size_t before = words.size();
    while (!alternative.empty()) {
      const auto end = std::min(alternative.find('.'), alternative.size());
      words.push_back(alternative.substr(0, end));
      alternative.remove_prefix(std::min(end + 1, alternative.size()));
    }
    each_form(row, group + 1, words, f);
    words.resize(before);
  }
}

TEST(ArithmeticTable, EveryRowSelectsSemantics) {
  Matcher matcher;
  std::size_t forms = 0;
  for (const CompiledRow& row : matcher.rows()) {
    if (!is_arithmetic(*row.row)) continue;
    std::size_t legal = 0;
    const auto count = [&](const std::vector<std::string_view>& words) {
      ptx::Instruction instruction;
      instruction.opcode = row.row->mnemonic;
      instruction.modifiers = words;
      try {
        legal += matcher.match(instruction).execute != nullptr;
      } catch (const Error&) {
        // A combination that the manual forbids: a rounding where nothing is rounded, or none
        // where something is.
        EXPECT_EQ(row.row->mnemonic, "cvt") << row.row->syntax;
      }
    };
    std::vector<std::string_view> words;
    each_form(row, 0, words, count);
    EXPECT_GT(legal, 0u) << row.row->mnemonic << row.row->syntax;
    forms += legal;
  }
  EXPECT_GT(forms, 2000u);
}

TEST(ArithmeticTable, ConversionsRoundWhereTheyMust) {
  Matcher matcher;
  const auto legal = [&](std::vector<std::string_view> words) {
    ptx::Instruction instruction;
    instruction.opcode = "cvt";
    instruction.modifiers = std::move(words);
    try {
      return matcher.match(instruction).execute != nullptr;
    } catch (const Error&) {
      return false;
    }
  };
  EXPECT_TRUE(legal({"rn", "f32", "s32"}));
  EXPECT_FALSE(legal({"f32", "s32"}));
  EXPECT_TRUE(legal({"rzi", "s32", "f32"}));
  EXPECT_FALSE(legal({"s32", "f32"}));
  EXPECT_FALSE(legal({"rn", "s32", "f32"}));
  EXPECT_TRUE(legal({"f64", "f32"}));
  EXPECT_FALSE(legal({"rn", "f64", "f32"}));
  EXPECT_TRUE(legal({"rn", "f32", "f64"}));
  EXPECT_FALSE(legal({"f32", "f64"}));
  EXPECT_FALSE(legal({"rn", "u32", "u16"}));
}

}  // namespace
}  // namespace raddle::isa
