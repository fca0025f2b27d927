// PTX ISA 6: operands.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

/// Operand number `i` of the one instruction in a kernel's body.
class Operands {
 public:
  explicit Operands(const std::string& instruction) : module_(parse_body(instruction)) {}
  const Operand& operator[](std::size_t i) const {
    return only_instruction(module_).operands.at(i);
  }
  std::string register_name(const Operand& operand) const {
    return module_.functions[0].registers.at(operand.id).name;
  }

 private:
  Module module_;
};

TEST(Operand, TellsConstantsApart) {
  const Operands operands("x -1, 0f3F800000, 1.0, (2+3)*2, WARP_SZ, 0xFFFFFFFFFFFFFFFF;");
  EXPECT_EQ(operands[0].kind, Operand::Kind::integer);
  EXPECT_EQ(operands[0].bits, ~std::uint64_t{0});
  EXPECT_EQ(operands[1].kind, Operand::Kind::real32);
  EXPECT_EQ(operands[1].bits, 0x3f800000u);
  EXPECT_EQ(operands[2].kind, Operand::Kind::real64);
  EXPECT_EQ(operands[2].bits, 0x3ff0000000000000u);
  EXPECT_EQ(operands[3].bits, 10u);
  EXPECT_EQ(operands[4].bits, 32u);
  EXPECT_EQ(operands[5].bits, ~std::uint64_t{0});
}

TEST(Operand, ReadsAddresses) {
  const Operands operands("x [%rd1], [%rd1+8], [%rd1+-8], [%rd1+4+-12], [in], [table+4*2], [64];");
  const std::int64_t offsets[] = {0, 8, -8, -8, 0, 8, 0};
  for (std::size_t i = 0; i < std::size(offsets); ++i) {
    EXPECT_EQ(operands[i].kind, Operand::Kind::address);
    EXPECT_EQ(operands[i].offset, offsets[i]) << i;
  }
  EXPECT_EQ(operands.register_name(operands[1].elements[0]), "%rd1");
  EXPECT_EQ(operands[4].elements[0].scope, Operand::Scope::parameter);
  EXPECT_EQ(operands[5].elements[0].scope, Operand::Scope::module_variable);
  EXPECT_EQ(operands[6].elements[0].kind, Operand::Kind::integer);
  EXPECT_EQ(operands[6].elements[0].bits, 64u);
}

TEST(Operand, ReadsAddressesWithCoordinates) {
  const Operands operands("tex.2d.v4.f32.s32 {%f0,%f1,%f2,_}, [in, %rd1, {%r1, 2}];");
  EXPECT_EQ(operands[0].kind, Operand::Kind::vector);
  EXPECT_EQ(operands[0].elements[3].kind, Operand::Kind::sink);
  ASSERT_EQ(operands[1].elements.size(), 3u);
  EXPECT_EQ(operands[1].elements[2].kind, Operand::Kind::vector);
  EXPECT_EQ(operands[1].elements[2].elements[1].bits, 2u);
}

TEST(Operand, ReadsPredicatePairsAndNegation) {
  const Operands operands("setp.eq.and.u32 %p1|%p2, %r1, %r2, !%p3;");
  EXPECT_EQ(operands[0].kind, Operand::Kind::pair);
  EXPECT_EQ(operands.register_name(operands[0].elements[1]), "%p2");
  EXPECT_TRUE(operands[3].negated);
  const Operands sink("shfl.sync.idx.b32 _|%p1, %r1, 0, 31, -1;");
  EXPECT_EQ(sink[0].elements[0].kind, Operand::Kind::sink);
  const Operands minus("vmad.s32.u32.s32 %r1, -%r2.b3, %r3.h1, %r4;");
  EXPECT_TRUE(minus[1].negated);
  EXPECT_EQ(minus[1].name, "b3");
  EXPECT_EQ(minus[2].name, "h1");
}

TEST(Operand, SelectsElementsOfVectorRegisters) {
  const Operands operands("x %v.x, %v.w, %v.g, %v;");
  EXPECT_EQ(operands.register_name(operands[0]), "%v.x");
  EXPECT_EQ(operands.register_name(operands[1]), "%v.w");
  EXPECT_EQ(operands.register_name(operands[2]), "%v.y");
  EXPECT_EQ(operands[3].kind, Operand::Kind::vector);
  EXPECT_EQ(operands.register_name(operands[3].elements[2]), "%v.z");
}

TEST(Operand, TakesTheAddressOfVariablesFunctionsAndElements) {
  const Operands operands("mov.u64 %rd1, table+4;");
  EXPECT_EQ(operands[1].kind, Operand::Kind::symbol);
  EXPECT_EQ(operands[1].offset, 4);
  const Operands element("mov.u64 %rd1, table[1][2];");
  EXPECT_EQ(element[1].kind, Operand::Kind::symbol);
  EXPECT_EQ(element[1].offset, (1 * 4 + 2) * 4);
  const Operands kernel("mov.u64 %rd1, k;");
  EXPECT_EQ(kernel[1].scope, Operand::Scope::function);
}

TEST(Operand, ReadsAnIndexedArrayAsItsElement) {
  const Operands operands("ld.global.u32 %r1, table[2];");
  EXPECT_EQ(operands[1].kind, Operand::Kind::address);
  EXPECT_EQ(operands[1].offset, 2 * 16);
  EXPECT_EQ(operands[1].elements[0].kind, Operand::Kind::symbol);
  EXPECT_EQ(operands[1].elements[0].offset, 0);
}

// ptxas 13.0 takes a sum or a shift behind the plus.
TEST(Operand, OffsetsAreSumsOrShifts) {
  EXPECT_EQ(Operands("ld.global.u32 %r1, [%rd1+8-4];")[1].offset, 4);
  EXPECT_EQ(Operands("ld.global.u32 %r1, [%rd1+1<<2];")[1].offset, 4);
  EXPECT_EQ(Operands("ld.global.u32 %r1, [%rd1+1024-16*4];")[1].offset, 960);
  EXPECT_EQ(Operands("mov.u64 %rd1, table+8-4;")[1].offset, 4);
}

TEST(Operand, KnowsSpecialRegisters) {
  const Operands operands(
      "x %tid.x, %laneid, %clock64, %envreg31, %pm7_64, %lanemask_lt, %nctaid .z;");
  EXPECT_EQ(operands[0].kind, Operand::Kind::special);
  EXPECT_EQ(operands[0].name, "%tid.x");
  EXPECT_EQ(operands[5].name, "%lanemask_lt");
  EXPECT_NE(error_of(kHeader + ".entry k { x %envreg32; }"), "");
  EXPECT_NE(error_of(kHeader + ".entry k { x %tid.q; }"), "");
  const Operands whole("x %ntid;");
  EXPECT_EQ(whole[0].elements[3].name, "%ntid.w");
}

}  // namespace
}  // namespace raddle::ptx
