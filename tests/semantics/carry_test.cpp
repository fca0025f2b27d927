// The carry flag (PTX ISA 9.7.2): every producer and consumer in every order, compared with
// arithmetic of twice and four times the width. A subtraction sets the carry of a + ~b + 1: 1 is
// "no borrow".
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "isa/syntax.h"
#include "tests/semantics/warp.h"

namespace raddle::isa {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// What an operation computes: a sum, a difference, or half of a product and a sum.
enum class What { add, sub, mad_lo, mad_hi };

struct Operation {
  std::string text;  // "addc.cc.s32"
  What what = What::add;
  bool reads = false, writes = false, is_signed = false;
  unsigned bits = 32;
};

std::vector<Operation> operations() {
  std::vector<Operation> all;
  const auto add = [&](std::string text, What what, bool reads, bool writes) {
    for (const char* type : {"u32", "s32", "u64", "s64"}) {
      all.push_back(
          {text + "." + type, what, reads, writes, type[0] == 's', type[1] == '3' ? 32u : 64u});
    }
  };
  add("add.cc", What::add, false, true);
  add("addc", What::add, true, false);
  add("addc.cc", What::add, true, true);
  add("sub.cc", What::sub, false, true);
  add("subc", What::sub, true, false);
  add("subc.cc", What::sub, true, true);
  for (const auto& [half, what] : {std::pair{".lo", What::mad_lo}, {".hi", What::mad_hi}}) {
    const std::string name = half;
    add("mad" + name + ".cc", what, false, true);
    add("madc" + name, what, true, false);
    add("madc" + name + ".cc", what, true, true);
  }
  return all;
}

std::uint64_t low_bits(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

Wide extended(std::uint64_t value, const Operation& op) {
  if (!op.is_signed) return value;
  if (op.bits == 32) return static_cast<Wide>(static_cast<SignedWide>(static_cast<int>(value)));
  return static_cast<Wide>(static_cast<SignedWide>(static_cast<std::int64_t>(value)));
}

struct Result {
  std::uint64_t value;
  bool carry;
};

/// The definition: one exact sum in twice the width; the flag is the bit above the result.
Result reference(const Operation& op, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                 bool carry) {
  const std::uint64_t mask = low_bits(op.bits);
  Wide x = a, y = b;
  if (op.what == What::sub) {
    y = ~b & mask;
    if (!op.reads) carry = true;
  } else {
    if (!op.reads) carry = false;
    if (op.what != What::add) {
      const Wide product = extended(a, op) * extended(b, op);
      x = (op.what == What::mad_hi ? product >> op.bits : product) & mask;
      y = c;
    }
  }
  const Wide sum = x + y + (carry ? 1 : 0);
  return {static_cast<std::uint64_t>(sum) & mask, (sum >> op.bits & 1) != 0};
}

/// Runs operations on rows 0 to 5 (a, b, c); the result goes to row 6, or where it is told.
class CarryMachine {
 public:
  TestWarp warp;

  void run(const Operation& op, unsigned d = 6, unsigned a = 0, unsigned b = 2, unsigned c = 4) {
    ptx::Instruction written;
    std::string_view rest = op.text;
    written.opcode = rest.substr(0, rest.find('.'));
    while ((rest.remove_prefix(std::min(rest.find('.'), rest.size())), !rest.empty())) {
      rest.remove_prefix(1);
      written.modifiers.push_back(rest.substr(0, rest.find('.')));
    }
    written.operands.resize(op.what == What::mad_lo || op.what == What::mad_hi ? 4 : 3);
    Instruction i;
    i.d = TestWarp::row(d);
    i.s[0] = TestWarp::row(a);
    i.s[1] = TestWarp::row(b);
    i.s[2] = TestWarp::row(c);
    warp.run(matcher_.match(written).execute, i);
  }
  void run(const std::string& text, unsigned d, unsigned a, unsigned b, unsigned c = 4) {
    for (const Operation& op : operations()) {
      if (op.text == text) return run(op, d, a, b, c);
    }
    FAIL() << text;
  }
  void set(unsigned row, unsigned bits, unsigned lane, std::uint64_t value) {
    if (bits == 64) warp.u64(row)[lane] = value;
    if (bits == 32) warp.u32(row)[lane] = static_cast<std::uint32_t>(value);
  }
  std::uint64_t get(unsigned row, unsigned bits, unsigned lane) {
    return bits == 64 ? warp.u64(row)[lane] : warp.u32(row)[lane];
  }

 private:
  Matcher matcher_;
};

/// Operands of which sums, differences and products are at, below and above the carry.
std::uint64_t operand(unsigned n, unsigned bits, std::mt19937_64& random) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  const std::uint64_t edges[] = {0,   1,       2,      ~std::uint64_t{0}, ~std::uint64_t{1},
                                 top, top - 1, top + 1};
  return (n % 16 < 8 ? edges[n % 8] : random() >> random() % bits) & low_bits(bits);
}

TEST(Carry, EveryConsumerAfterEveryProducer) {
  const auto all = operations();
  std::mt19937_64 random(1);
  CarryMachine machine;
  constexpr LaneMask active = 0xdfff'fffb;
  for (const Operation& first : all) {
    for (const Operation& second : all) {
      const bool before = random() % 2 != 0;
      machine.warp.context.active = active;
      machine.warp.context.carry = before ? kAllLanes : 0;
      Result one[kWarpSize], two[kWarpSize];
      std::uint64_t values[kWarpSize][3];
      const auto fill = [&](const Operation& op) {
        for (unsigned l = 0; l < kWarpSize; ++l) {
          for (unsigned n = 0; n < 3; ++n) {
            values[l][n] = operand(static_cast<unsigned>(random()), op.bits, random);
            machine.set(2 * n, op.bits, l, values[l][n]);
          }
          machine.set(6, op.bits, l, 77);
        }
      };
      fill(first);
      machine.run(first);
      bool flags[kWarpSize];
      for (unsigned l = 0; l < kWarpSize; ++l) {
        flags[l] = before;
        if ((active >> l & 1) == 0) continue;
        one[l] = reference(first, values[l][0], values[l][1], values[l][2], flags[l]);
        ASSERT_EQ(machine.get(6, first.bits, l), one[l].value) << first.text;
        if (first.writes) flags[l] = one[l].carry;
      }
      fill(second);
      machine.run(second);
      for (unsigned l = 0; l < kWarpSize; ++l) {
        if ((active >> l & 1) == 0) {
          EXPECT_EQ(machine.get(6, second.bits, l), 77u) << second.text << " writes lane " << l;
          EXPECT_EQ(machine.warp.context.carry >> l & 1, before ? 1u : 0u);
          continue;
        }
        two[l] = reference(second, values[l][0], values[l][1], values[l][2], flags[l]);
        ASSERT_EQ(machine.get(6, second.bits, l), two[l].value)
            << second.text << " after " << first.text << ", carry " << flags[l];
        if (second.writes) flags[l] = two[l].carry;
        ASSERT_EQ((machine.warp.context.carry >> l & 1) != 0, flags[l])
            << second.text << " after " << first.text;
      }
    }
  }
}

/// A number of four limbs, least significant first.
struct Limbs {
  std::uint64_t limb[4];
};

/// a - b and whether something was borrowed, by comparison of limbs and without a flag.
bool subtract(const Limbs& a, const Limbs& b, Limbs& d) {
  bool borrow = false;
  for (unsigned n = 0; n < 4; ++n) {
    d.limb[n] = a.limb[n] - b.limb[n] - (borrow ? 1 : 0);
    borrow = a.limb[n] < b.limb[n] || (a.limb[n] == b.limb[n] && borrow);
  }
  return borrow;
}

TEST(Carry, DifferencesOfFourLimbsAndTheirComparison) {
  std::mt19937_64 random(2);
  CarryMachine machine;
  Limbs a[kWarpSize], b[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    for (unsigned n = 0; n < 4; ++n) {
      a[l].limb[n] = operand(static_cast<unsigned>(random()), 64, random);
      b[l].limb[n] =
          l % 4 == 0 ? a[l].limb[n] : operand(static_cast<unsigned>(random()), 64, random);
    }
  }
  // Limb by limb through the same rows: the flag alone connects them.
  for (unsigned n = 0; n < 4; ++n) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      machine.set(0, 64, l, a[l].limb[n]);
      machine.set(2, 64, l, b[l].limb[n]);
    }
    machine.run(n == 0 ? "sub.cc.u64" : "subc.cc.u64", 6, 0, 2);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      Limbs d;
      subtract(a[l], b[l], d);
      EXPECT_EQ(machine.get(6, 64, l), d.limb[n]);
    }
  }
  // "Not less", as compilers ask for it, then "less" as a mask: both read what subc.cc left.
  for (unsigned l = 0; l < kWarpSize; ++l) machine.set(8, 32, l, 0);
  machine.run("addc.u32", 9, 8, 8);
  machine.run("subc.u32", 10, 8, 8);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    Limbs d;
    const bool less = subtract(a[l], b[l], d);
    EXPECT_EQ(machine.get(9, 32, l), less ? 0u : 1u);
    EXPECT_EQ(machine.get(10, 32, l), less ? ~std::uint32_t{0} : 0u);
  }
}

TEST(Carry, ProductsOfTwoLimbs) {
  std::mt19937_64 random(3);
  CarryMachine machine;
  std::uint64_t a[kWarpSize][2], b[kWarpSize][2];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    for (unsigned n = 0; n < 2; ++n) {
      a[l][n] = operand(static_cast<unsigned>(random()), 32, random);
      b[l][n] = operand(static_cast<unsigned>(random()), 32, random);
      machine.set(n, 32, l, a[l][n]);
      machine.set(2 + n, 32, l, b[l][n]);
    }
    for (unsigned n = 4; n < 9; ++n) machine.set(n, 32, l, 0);
  }
  constexpr unsigned zero = 8;
  machine.run("mad.lo.cc.u32", 4, 0, 2, zero);
  machine.run("madc.hi.u32", 5, 0, 2, zero);
  machine.run("mad.lo.cc.u32", 5, 0, 3, 5);
  machine.run("madc.hi.u32", 6, 0, 3, zero);
  machine.run("mad.lo.cc.u32", 5, 1, 2, 5);
  machine.run("madc.hi.cc.u32", 6, 1, 2, 6);
  machine.run("addc.u32", 7, zero, zero);
  machine.run("mad.lo.cc.u32", 6, 1, 3, 6);
  machine.run("madc.hi.u32", 7, 1, 3, 7);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const Wide product = Wide{a[l][1] << 32 | a[l][0]} * (b[l][1] << 32 | b[l][0]);
    for (unsigned n = 0; n < 4; ++n) {
      EXPECT_EQ(machine.get(4 + n, 32, l), static_cast<std::uint32_t>(product >> (32 * n)));
    }
  }
}

}  // namespace
}  // namespace raddle::isa
