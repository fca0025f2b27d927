// Where a constant may be a value of 16 bits or several narrow values, according to ptxas 13.0.
#include <gtest/gtest.h>

#include "base/error.h"
#include "isa/loader.h"
#include "memory/address_space.h"
#include "ptx/parser.h"

namespace raddle::isa {
namespace {

bool loads(const char* statement) {
  const std::string text = std::string(".version 8.6\n.target sm_100\n.address_size 64\n") +
                           ".visible .entry k() {\n  .reg .b16 %h<9>; .reg .b32 %r<9>;\n"
                           "  .reg .f32 %f<9>; .reg .pred %p<9>;\n  " +
                           statement + ";\n  ret;\n}\n";
  memory::AddressSpace space(std::uint64_t{1} << 26);
  try {
    const ptx::Module module = ptx::parse("constants.ptx", text);
    Loader().load({&module, 1}, space);
    return true;
  } catch (const Error&) {
    return false;
  }
}

class HalvesFromConstants : public testing::TestWithParam<const char*> {};
TEST_P(HalvesFromConstants, AreRefused) { EXPECT_FALSE(loads(GetParam())) << GetParam(); }
INSTANTIATE_TEST_SUITE_P(
    Of, HalvesFromConstants,
    testing::Values("add.f16 %h1, %h2, 1.0", "add.f16 %h1, %h2, 0x3c00", "add.f16x2 %r1, %r2, 5",
                    "add.u16x2 %r1, %r2, 5", "min.s16x2 %r1, %r2, 5", "add.bf16 %h1, %h2, 1",
                    "neg.f16 %h1, 0x3c00", "fma.rn.bf16x2 %r1, %r2, %r3, 7",
                    "cvt.f32.f16 %f1, 0x3c00", "cvt.f32.bf16 %f1, 0x3c00", "cvt.rni.f16.f16 %h1, 7",
                    "cvt.rn.satfinite.e4m3x2.f16x2 %h1, 7", "ex2.approx.f16 %h1, 0x3c00",
                    "tanh.approx.bf16 %h1, 7", "set.lt.f16.f16 %h1, %h2, 1",
                    "set.lt.u32.f16 %r1, %h1, 1", "setp.lt.bf16 %p1, %h2, 1",
                    "setp.lt.f16x2 %p1|%p2, %r1, 7", "add.f32.f16 %f1, 7, %f2"));

class ConstantsBesideHalves : public testing::TestWithParam<const char*> {};
TEST_P(ConstantsBesideHalves, AreTaken) { EXPECT_TRUE(loads(GetParam())) << GetParam(); }
INSTANTIATE_TEST_SUITE_P(Of, ConstantsBesideHalves,
                         testing::Values("cvt.rn.f16.u32 %h1, 5", "cvt.rn.f16.f32 %h1, 1.0",
                                         "cvt.rn.f16x2.f32 %r1, 1.0, 2.0", "mov.b16 %h1, 7",
                                         "cvt.rn.satfinite.e4m3x2.f32 %h1, 1.0, 2.0",
                                         "set.lt.f16.f32 %h1, %f1, 1.0"));

}  // namespace
}  // namespace raddle::isa
