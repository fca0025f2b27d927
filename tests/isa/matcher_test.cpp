// From dotted words to forms: their meaning, and the messages about wrong ones.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "isa/loader.h"
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

/// The message of a statement in a kernel that has a register x and a label l.
std::string refusal(const std::string& statement) {
  try {
    Loader().parse(
        "x.ptx",
        ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .b32 x; l:\n  " +
            statement + "\nret; }");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Operands that an unknown instruction makes look wrong are not blamed.
TEST(Loader, BlamesTheInstructionThatDoesNotExist) {
  for (const char* operands : {" a, b;", " a;", " [a];", " [a + 4], x;", " x, {a, x};", " -a;",
                               " x x;", " +;", " x, l, a|b;", " 1.5.5;"}) {
    EXPECT_EQ(refusal(std::string("ad.s32") + operands),
              "x.ptx:6:3: 'ad': unknown instruction; did you mean 'add'?")
        << operands;
    EXPECT_EQ(refusal(std::string("quux") + operands),
              "x.ptx:6:3: 'quux': unknown or unsupported instruction")
        << operands;
  }
  EXPECT_EQ(refusal("@p ad a;"),
            "x.ptx:6:4: name 'p' is not declared; did you mean 'k', 'l', 'x'?");
}

TEST(Loader, BlamesTheOperandsOfInstructionsThatExist) {
  EXPECT_EQ(refusal("add.s32 a, x, x;"),
            "x.ptx:6:11: name 'a' is not declared in this scope; did you mean label 'l'?");
  EXPECT_EQ(refusal("tcgen05.foo a;"),
            "x.ptx:6:15: name 'a' is not declared in this scope; did you mean label 'l'?");
}

}  // namespace
}  // namespace raddle::isa
