// From dotted words to forms: what they mean, and what is said about wrong ones.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "isa/syntax.h"

namespace raddle::isa {
namespace {

const Match& match(Matcher& matcher, std::string_view opcode,
                   std::vector<std::string_view> modifiers) {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  instruction.modifiers = std::move(modifiers);
  return matcher.match(instruction);
}

std::string complaint(std::string_view opcode, std::vector<std::string_view> modifiers) {
  Matcher matcher;
  try {
    match(matcher, opcode, std::move(modifiers));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Matcher, TypesComeInTheOrderWritten) {
  Matcher matcher;
  const Form& form = match(matcher, "cvt", {"rzi", "s32", "f32"}).form;
  EXPECT_EQ(form.type, Type::s32);
  EXPECT_EQ(form.type2, Type::f32);
  EXPECT_EQ(form.rounding, Rounding::rzi);
}

TEST(Matcher, LoIsAHalfOfMulAndAComparisonOfSetp) {
  Matcher matcher;
  EXPECT_EQ(match(matcher, "mul", {"lo", "u32"}).form.half, Half::lo);
  EXPECT_EQ(match(matcher, "setp", {"lo", "u32"}).form.compare, Compare::lo);
}

TEST(Matcher, OptionalGroupsMayBeLeftOut) {
  Matcher matcher;
  const Form& plain = match(matcher, "ld", {"u32"}).form;
  EXPECT_EQ(plain.space, Space::generic);
  const Form& full =
      match(matcher, "ld", {"acquire", "gpu", "global", "L1::evict_last", "v2", "f32"}).form;
  EXPECT_EQ(full.space, Space::global);
  EXPECT_EQ(full.order, Order::acquire);
  EXPECT_EQ(full.scope, Scope::gpu);
  EXPECT_EQ(full.vector, 2);
}

TEST(Matcher, AnUnknownOpcodeGetsASuggestion) {
  EXPECT_THAT(complaint("mull", {"lo", "u32"}), testing::HasSubstr("did you mean 'mul'"));
}

TEST(Matcher, TheFirstWordThatFitsNowhereIsNamed) {
  EXPECT_THAT(complaint("add", {"ftz", "u32"}), testing::HasSubstr("'.u32' is not allowed"));
  EXPECT_THAT(complaint("ld", {"global"}), testing::HasSubstr("a modifier is missing"));
}

TEST(Matcher, UnsupportedFamiliesAreNamed) {
  EXPECT_THAT(complaint("wgmma", {"mma_async"}), testing::HasSubstr("warpgroup matrix"));
}

TEST(Matcher, AtomicsRefuseTypesThatTheOperationDoesNotHave) {
  EXPECT_NE(complaint("atom", {"global", "and", "f32"}), "");
  EXPECT_NE(complaint("atom", {"global", "add", "b32"}), "");
  EXPECT_NE(complaint("atom", {"global", "inc", "s32"}), "");
  EXPECT_EQ(complaint("atom", {"global", "add", "f64"}), "");
}

}  // namespace
}  // namespace raddle::isa
