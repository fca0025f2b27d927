// For which operands divisions and roots take the slow path. The limits are constants in code by
// ptxas 13.0 (sm_75, sm_90), compared with the operands' bits.
#include "isa/slow_path.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "isa/instruction.h"
#include "isa/warp_context.h"

namespace raddle::isa {
namespace {

/// Of a warp whose lanes have 1 and 1, but for one lane; a and b are bits of single or double
/// precision.
template <class Bits>
bool is_slow(SlowPath path, Bits a, Bits b) {
  using Value = std::conditional_t<sizeof(Bits) == 4, float, double>;
  alignas(16) std::byte rows[4 * kRowBytes];
  auto* const first = reinterpret_cast<Value*>(rows);
  auto* const second = reinterpret_cast<Value*>(rows + 2 * kRowBytes);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) first[lane] = second[lane] = 1;
  first[7] = std::bit_cast<Value>(a);
  second[7] = std::bit_cast<Value>(b);
  WarpContext context;
  context.rows = rows;
  context.active = kAllLanes;
  Instruction instruction;
  instruction.slow_path = path;
  instruction.s[0] = 0;
  instruction.s[1] = 2 * kRowBytes;
  const bool slow = slow_path_cost(context, instruction).instructions != 0;
  context.active = ~(LaneMask{1} << 7);
  EXPECT_EQ(slow_path_cost(context, instruction).instructions, 0u) << "the lane is off";
  return slow;
}
bool single(SlowPath path, std::uint32_t a, std::uint32_t b = 0x3F80'0000) {
  return is_slow<std::uint32_t>(path, a, b);
}
bool twice(SlowPath path, std::uint32_t upper_a, std::uint32_t upper_b = 0x3FF0'0000) {
  return is_slow<std::uint64_t>(path, std::uint64_t{upper_a} << 32, std::uint64_t{upper_b} << 32);
}

TEST(SlowPath, OfRoots) {
  EXPECT_FALSE(single(SlowPath::root, 0x0D00'0000));
  EXPECT_TRUE(single(SlowPath::root, 0x0CFF'FFFF));
  EXPECT_FALSE(single(SlowPath::root, 0x7F7F'FFFF));
  EXPECT_TRUE(single(SlowPath::root, 0x7F80'0000));
  EXPECT_TRUE(single(SlowPath::root, 0));
  EXPECT_TRUE(single(SlowPath::root, 0xBF80'0000)) << "-1";
}

TEST(SlowPath, OfReciprocals) {
  EXPECT_FALSE(single(SlowPath::reciprocal, 0x0080'0000));
  EXPECT_TRUE(single(SlowPath::reciprocal, 0x007F'FFFF));
  EXPECT_FALSE(single(SlowPath::reciprocal, 0x7E7F'FFFF));
  EXPECT_TRUE(single(SlowPath::reciprocal, 0x7E80'0000));
  EXPECT_FALSE(single(SlowPath::reciprocal, 0xBF80'0000)) << "-1";
}

// FCHK is not described. These it must find, because the usual code makes them wrong.
TEST(SlowPath, OfQuotients) {
  EXPECT_FALSE(single(SlowPath::quotient, 0x3F80'0000, 0x4040'0000));
  EXPECT_TRUE(single(SlowPath::quotient, 0x8000'0000)) << "the sign of -0 / 1";
  EXPECT_TRUE(single(SlowPath::quotient, 0x3F80'0000, 0)) << "infinity";
  EXPECT_TRUE(single(SlowPath::quotient, 0x3F80'0000, 0x0000'0001)) << "denormal";
  EXPECT_TRUE(single(SlowPath::quotient, 0x0080'0000, 0x4040'0000)) << "a denormal quotient";
  EXPECT_TRUE(single(SlowPath::quotient, 0x0180'0000, 0x3FC0'0000)) << "a denormal remainder";
  EXPECT_TRUE(single(SlowPath::quotient, 0x7F00'0000, 0x3E80'0000)) << "overflow";
}

TEST(SlowPath, OfDoubleQuotients) {
  EXPECT_FALSE(twice(SlowPath::double_quotient, 0x0360'0000));
  EXPECT_TRUE(twice(SlowPath::double_quotient, 0x035F'FFFF));
  EXPECT_TRUE(twice(SlowPath::double_quotient, 0)) << "0 / 1";
  EXPECT_TRUE(twice(SlowPath::double_quotient, 0x3FF0'0000, 0x7FE0'0000)) << "a small quotient";
  EXPECT_TRUE(twice(SlowPath::double_quotient, 0x3FF0'0000, 0)) << "1 / 0";
}

TEST(SlowPath, OfDoubleReciprocals) {
  EXPECT_FALSE(twice(SlowPath::double_reciprocal, 0x0010'0000));
  EXPECT_TRUE(twice(SlowPath::double_reciprocal, 0x000F'FFFF));
  EXPECT_TRUE(twice(SlowPath::double_reciprocal, 0));
  EXPECT_FALSE(twice(SlowPath::double_reciprocal, 0xBFF0'0000)) << "-1";
  EXPECT_FALSE(twice(SlowPath::double_reciprocal, 0x7FCF'FBFD));
  EXPECT_TRUE(twice(SlowPath::double_reciprocal, 0x7FD0'0000)) << "a denormal result";
}

TEST(SlowPath, OfDoubleRoots) {
  EXPECT_FALSE(twice(SlowPath::double_root, 0x0350'0000));
  EXPECT_TRUE(twice(SlowPath::double_root, 0x034F'FFFF));
  EXPECT_FALSE(twice(SlowPath::double_root, 0x7FEF'FFFF));
  EXPECT_TRUE(twice(SlowPath::double_root, 0x7FF0'0000));
  EXPECT_TRUE(twice(SlowPath::double_root, 0xBFF0'0000)) << "-1";
}

}  // namespace
}  // namespace raddle::isa
