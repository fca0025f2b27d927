// PTX ISA 5.4.4: initial values.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint64_t> values_of(const Variable& variable) {
  std::vector<std::uint64_t> values;
  for (const Initializer& part : variable.initializer) values.push_back(part.bits);
  return values;
}

TEST(Initializer, EncodesIntegersInTheElementsWidth) {
  const Module module = parse_text(
      ".global .u8 a[3] = {-1, 300, 0x7f}; .global .s64 b = -2; .global .b32 c = 1<<31;");
  EXPECT_THAT(values_of(module.variables[0]), ElementsAre(0xff, 44, 0x7f));
  EXPECT_THAT(values_of(module.variables[1]), ElementsAre(~0ull - 1));
  EXPECT_THAT(values_of(module.variables[2]), ElementsAre(0x80000000));
}

TEST(Initializer, EncodesRealsInTheElementsFormat) {
  const Module module = parse_text(
      ".global .f32 a[3] = {1.5, 0f3F800000, 0dBFF0000000000000};\n"
      ".global .f64 b[2] = {-0.5, 0f40000000}; .global .b32 c = 0f3F800000;");
  EXPECT_THAT(values_of(module.variables[0]), ElementsAre(0x3fc00000, 0x3f800000, 0xbf800000));
  EXPECT_THAT(values_of(module.variables[1]), ElementsAre(0xbfe0000000000000, 0x4000000000000000));
  EXPECT_THAT(values_of(module.variables[2]), ElementsAre(0x3f800000));
}

TEST(Initializer, FillsRowsThatAreLeftShortWithZero) {
  const Module module = parse_text(".global .u32 a[3][3] = {{1}, {2, 3}, {4, 5, 6}};");
  EXPECT_THAT(values_of(module.variables[0]), ElementsAre(1, 0, 0, 2, 3, 0, 4, 5, 6));
}

TEST(Initializer, GivesAnUnsizedArrayItsExtent) {
  const Module module =
      parse_text(".global .u16 a[] = {1, 2, 3}; .global .u8 b[][2] = {{1, 2}, {3}};");
  EXPECT_THAT(module.variables[0].dimensions, ElementsAre(3));
  EXPECT_EQ(module.variables[0].size, 6u);
  EXPECT_THAT(module.variables[1].dimensions, ElementsAre(2, 2));
  EXPECT_EQ(module.variables[1].size, 4u);
}

TEST(Initializer, NestsVectorsAsInnermostArrays) {
  const Module module =
      parse_text(".global .v2 .u32 a = {1, 2}; .global .v2 .u32 b[2] = {{1, 2}, {3, 4}};");
  EXPECT_THAT(values_of(module.variables[0]), ElementsAre(1, 2));
  EXPECT_THAT(values_of(module.variables[1]), ElementsAre(1, 2, 3, 4));
}

TEST(Initializer, HoldsAddressesOfVariablesAndFunctions) {
  const Module module = parse_text(
      ".func f; .global .u32 v[4];\n"
      ".global .u64 t[4] = {f, v, v+8, generic(v)+4};");
  const auto& parts = module.variables[1].initializer;
  EXPECT_EQ(parts[0].scope, Operand::Scope::function);
  EXPECT_EQ(parts[0].symbol, 0u);
  EXPECT_EQ(parts[1].scope, Operand::Scope::module_variable);
  EXPECT_FALSE(parts[1].generic);
  EXPECT_EQ(parts[2].addend, 8);
  EXPECT_TRUE(parts[3].generic);
  EXPECT_EQ(parts[3].addend, 4);
}

TEST(Initializer, TakesBytesOfAddresses) {
  const Module module = parse_text(
      ".global .u32 v; .global .u8 t[3] = {0xFF(v), 0xFF0000(v+4), 0xFF00(generic(v))};");
  const auto& parts = module.variables[1].initializer;
  EXPECT_EQ(parts[0].shift, 0);
  EXPECT_EQ(parts[0].mask, 0xffu);
  EXPECT_EQ(parts[1].shift, 16);
  EXPECT_EQ(parts[1].addend, 4);
  EXPECT_EQ(parts[2].shift, 8);
  EXPECT_TRUE(parts[2].generic);
}

TEST(Initializer, RefusesWhatDoesNotFit) {
  for (const char* text :
       {".global .u32 a[2] = {1, 2, 3};", ".global .u32 a[2][2] = {{1}, {2}, {3}};",
        ".global .u32 a[2] = 1;", ".global .u32 a = {1};", ".global .u32 a[1] = {{1}};",
        ".global .u32 a[2] = {1,};", ".global .f32 a = 1;", ".global .u32 a = 1.5;",
        ".global .b64 a = 0f3F800000;", ".shared .u32 a = 1;", ".extern .global .u32 a = 1;",
        ".global .u32 a = b;", ".global .u32 a; .global .u16 b = a;",
        ".shared .u32 a; .global .u64 b = a;", ".global .u32 a; .global .u8 b = 0xF0(a);",
        ".global .u32 a; .global .u32 b = 0xFF(a);", ".global .u32 a = 5/0;"}) {
    EXPECT_NE(error_of(kHeader + text), "") << text;
  }
}

}  // namespace
}  // namespace raddle::ptx
