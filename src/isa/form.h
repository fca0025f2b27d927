// The modifiers of an instruction by meaning: what the dotted words after a mnemonic say.
#pragma once

#include <cstdint>

#include "ptx/types.h"

namespace raddle::isa {

using ptx::Space;
using ptx::Type;

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rs, rni, rzi, rmi, rpi };
enum class Compare : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
/// Operations that a word names: of the combination in setp and set, atom, red, redux, bar.red,
/// vote.
enum class Operation : std::uint8_t {
  none,
  op_and,
  op_or,
  op_xor,
  add,
  inc,
  dec,
  min,
  max,
  exch,
  cas,
  popc,
  all,
  any,
  uni,
  ballot
};
enum class Half : std::uint8_t { none, lo, hi, wide };  // mul.lo, mul.hi, mul.wide
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };
enum class Order : std::uint8_t {
  none,
  weak,
  relaxed,
  acquire,
  release,
  acq_rel,
  sc,
  is_volatile,
  mmio
};
enum class CacheOperator : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt, nc };
enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class TestProperty : std::uint8_t {
  none,
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal
};
enum class PermuteMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };

/// One matched instruction form. Fields that the form does not mention keep their defaults.
struct Form {
  Type type = Type::none;  // types in the order in which they are written: cvt.<type>.<type2>
  Type type2 = Type::none;
  Type type3 = Type::none;
  std::uint8_t vector = 1;  // .v2 .v4 .v8
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  Operation operation = Operation::none;  // setp's boolean, atom's operation, ...
  Half half = Half::none;
  Space space = Space::generic;   // the state space that is written, generic without one
  Space space2 = Space::generic;  // cvta.to, cp.async source
  Scope scope = Scope::none;
  Order order = Order::none;
  CacheOperator cache = CacheOperator::none;
  ShuffleMode shuffle = ShuffleMode::none;
  TestProperty property = TestProperty::none;
  PermuteMode permute = PermuteMode::none;
  bool ftz = false, sat = false, satfinite = false, relu = false;
  bool approx = false, full = false;
  bool nan = false, xorsign_abs = false, abs = false;
  bool carry_out = false;                              // .cc
  bool shiftamt = false, clamp = false, wrap = false;  // bfind, shf, bmsk
  bool sync = false, aligned = false, uniform = false, to = false, noftz = false;
  bool arrive = false, reduce = false;  // bar.arrive, bar.red
  bool oob = false, pack = false;
  bool cache_hint = false;  // .L2::cache_hint: the last operand is a cache policy
  /// Words that only one family has: bit i is set when the row's i-th `extra` word was written.
  std::uint32_t extra = 0;
};

}  // namespace raddle::isa
