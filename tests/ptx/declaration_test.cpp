// PTX ISA 5.1 (state spaces), 5.2 (types), 5.4 (variables).
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;

TEST(Declaration, TakesSeveralNamesOfOneType) {
  const Module module = parse_text(".global .u32 a, b[3], c;");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[0].size, 4u);
  EXPECT_EQ(module.variables[1].size, 12u);
  EXPECT_THAT(module.variables[1].dimensions, ElementsAre(3));
}

TEST(Declaration, AlignsNaturallyUnlessToldOtherwise) {
  const Module module =
      parse_text(".global .v4 .f32 a; .const .align 16 .b8 b[3]; .shared .u64 c;");
  EXPECT_EQ(module.variables[0].alignment, 16u);
  EXPECT_EQ(module.variables[0].vector, 4u);
  EXPECT_EQ(module.variables[0].size, 16u);
  EXPECT_EQ(module.variables[1].alignment, 16u);
  EXPECT_EQ(module.variables[1].space, Space::constant);
  EXPECT_EQ(module.variables[2].alignment, 8u);
}

TEST(Declaration, MultipliesDimensionsWrittenAsExpressions) {
  const Module module = parse_text(".global .u16 a[2+1][1<<2];");
  EXPECT_THAT(module.variables[0].dimensions, ElementsAre(3, 4));
  EXPECT_EQ(module.variables[0].size, 24u);
}

TEST(Declaration, MergesAnExternalDeclarationWithItsDefinition) {
  const Module module = parse_text(
      ".extern .global .u32 a[]; .visible .global .u32 a[2] = {1, 2}; .extern .global .u32 a[];");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.variables[0].linkage, Linkage::visible);
  EXPECT_EQ(module.variables[0].size, 8u);
}

TEST(Declaration, LeavesDynamicSharedMemoryWithoutSize) {
  const Module module = parse_text(".extern .shared .align 16 .b8 dynamic[];");
  EXPECT_EQ(module.variables[0].size, 0u);
  EXPECT_EQ(module.variables[0].linkage, Linkage::external);
}

TEST(Declaration, ReadsAttributes) {
  const Module module = parse_text(
      ".visible .global .attribute(.managed) .align 4 .u32 a;\n"
      ".global .attribute(.unified(1, 2)) .u32 b;");
  EXPECT_TRUE(module.variables[0].managed);
  EXPECT_FALSE(module.variables[1].managed);
}

TEST(Declaration, NumbersRangesOfRegistersAndVariables) {
  const Module module = parse_text(".global .u32 g<2>; .entry k { .reg .u32 %a, %b<3>; }");
  EXPECT_EQ(module.variables[1].name, "g1");
  const auto& registers = module.functions[0].registers;
  ASSERT_EQ(registers.size(), 4u);
  EXPECT_EQ(registers[0].name, "%a");
  EXPECT_EQ(registers[3].name, "%b2");
  EXPECT_EQ(registers[3].type, Type::u32);
}

TEST(Declaration, TellsRangesApartWhosePrefixesEndInDigits) {
  const Module module = parse_text(
      ".entry k { .reg .u32 %r1<10>; .reg .u64 %r<5>; add.u32 %r13, %r13, %r13; mov.u64 %r4, 0; }");
  const auto& instructions = module.functions[0].instructions;
  EXPECT_EQ(instructions[0].operands[0].id, 3u);
  EXPECT_EQ(instructions[1].operands[0].id, 14u);
}

TEST(Declaration, RefusesOneNameTwiceInAScope) {
  EXPECT_NE(error_of(kHeader + ".entry k { .reg .u32 %r<4>; .reg .u32 %r3; }"), "");
  EXPECT_NE(error_of(kHeader + ".entry k { .reg .u32 %r3; .reg .u32 %r<4>; }"), "");
  EXPECT_NE(error_of(kHeader + ".entry k { .reg .u32 %r1<4>; .reg .u32 %r<12>; }"), "");
  EXPECT_EQ(error_of(kHeader + ".entry k { .reg .u32 %r<4>; .reg .u32 %r4; }"), "");
}

TEST(Declaration, ExpandsVectorRegistersToElements) {
  const Module module = parse_text(".entry k { .reg .v2 .f32 %v; .reg .u32 %a; }");
  const auto& registers = module.functions[0].registers;
  ASSERT_EQ(registers.size(), 3u);
  EXPECT_EQ(registers[1].type, Type::f32);
  EXPECT_EQ(registers[2].name, "%a");
}

TEST(Declaration, SeparatesScopes) {
  const Module module = parse_body(
      "{ .reg .b64 %r1; mov.u64 %r1, 1; } { .reg .b16 %r1; mov.u16 %r1, 2; } mov.u32 %r1, 3;");
  const Function& kernel = module.functions[0];
  const auto type_of = [&](int i) {
    return kernel.registers[kernel.instructions[i].operands[0].id].type;
  };
  EXPECT_EQ(type_of(0), Type::b64);
  EXPECT_EQ(type_of(1), Type::b16);
  EXPECT_EQ(type_of(2), Type::b32);
}

TEST(Declaration, KnowsTheModulesHeader) {
  const Module module =
      parse("x.ptx",
            ".version 7.8\n.target sm_90a, texmode_independent, debug\n.address_size 64\n"
            ".file 1 \"a.cu\"\n.file 3 \"b.cu\", 12345, 678\n.section .debug_str { info: .b8 1 }\n"
            "@@DWARF .loc 1 2 3\n.pragma \"nounroll\";\n");
  EXPECT_EQ(module.version_major, 7u);
  EXPECT_EQ(module.version_minor, 8u);
  EXPECT_EQ(module.sm, 90u);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_THAT(module.files, ElementsAre("", "a.cu", "", "b.cu"));
}

// As clang and nvcc write names beyond ASCII.
TEST(Declaration, FileNamesHaveTheirLetters) {
  const Module module = parse_text(".file 1 \"Gr\\303\\266\\303\\237e/a\\101.cu\"\n");
  EXPECT_EQ(module.files[1], "Größe/a\\101.cu");
}

}  // namespace
}  // namespace raddle::ptx
