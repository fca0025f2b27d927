#include "isa/semantics/logic.h"

#include "isa/semantics/compare_lanes.h"
#include "isa/semantics/select.h"
#include "isa/semantics/wide_integer.h"

namespace raddle::isa {
namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  template <class T>
  T operator()(T a) const {
    return a == 0;
  }
};

/// The operand a:pred (isa/table.h).
LaneMask predicate_operand(const WarpContext& w, const Instruction& i) {
  const LaneMask value = w.predicates[i.s[0] & ~kConstantBit];
  return (i.s[0] & kConstantBit) != 0 ? ~value : value;
}
/// The second operand is the instruction's source predicate.
template <class F>
void execute_predicate_logic(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, F{}(predicate_operand(w, i), source_predicate(w, i)));
}
void execute_predicate_not(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, ~predicate_operand(w, i));
}

template <class F>
Execute select_logic(const Form& f) {
  if (f.type == Type::pred) return execute_predicate_logic<F>;
  return for_type<u16, u32, u64>(f.type,
                                 []<class T>() -> Execute { return execute_lanes<F, T, T, T>; });
}

/// Bit (4a + 2b + c) of the table for each triple of bits a, b, c.
void lop3_lanes(const WarpContext& w, const Instruction& i, u32* results) {
  const u32* a = w.source<u32>(i.s[0]);
  const u32* b = w.source<u32>(i.s[1]);
  const u32* c = w.source<u32>(i.s[2]);
  u32 term[8];  // all ones where the table has a one
  for (unsigned t = 0; t < 8; ++t) term[t] = (i.immediate >> t & 1) != 0 ? ~u32{0} : 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const u32 if_not_a = (~b[l] & ((~c[l] & term[0]) | (c[l] & term[1]))) |
                         (b[l] & ((~c[l] & term[2]) | (c[l] & term[3])));
    const u32 if_a = (~b[l] & ((~c[l] & term[4]) | (c[l] & term[5]))) |
                     (b[l] & ((~c[l] & term[6]) | (c[l] & term[7])));
    results[l] = (~a[l] & if_not_a) | (a[l] & if_a);
  }
}

void execute_lop3(WarpContext& w, const Instruction& i) {
  alignas(64) u32 results[kWarpSize];
  lop3_lanes(w, i, results);
  store_lanes<u32>(w, i.d, results);
}

template <Operation combination>
void execute_lop3_predicate(WarpContext& w, const Instruction& i) {
  alignas(64) u32 results[kWarpSize];
  lop3_lanes(w, i, results);
  LaneMask nonzero = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) nonzero |= LaneMask{results[l] != 0} << l;
  const LaneMask predicate = source_predicate(w, i);
  store_lanes<u32>(w, i.d, results);
  store_predicate(w, i.p, combine<combination>(nonzero, predicate));
}

template <bool zero>
void execute_lop3_test(WarpContext& w, const Instruction& i) {
  alignas(64) u32 results[kWarpSize];
  lop3_lanes(w, i, results);
  LaneMask found = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) found |= LaneMask{(results[l] == 0) == zero} << l;
  store_predicate(w, i.p, found);
}

/// The shifted 64-bit value b:a; the upper word for a left shift, the lower for a right one.
template <bool wrap>
struct FunnelLeft {
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u32 n = wrap ? c & 31 : (c < 32 ? c : 32);
    return static_cast<u32>((((u64{b} << 32) | a) << n) >> 32);
  }
};
template <bool wrap>
struct FunnelRight {
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u32 n = wrap ? c & 31 : (c < 32 ? c : 32);
    return static_cast<u32>(((u64{b} << 32) | a) >> n);
  }
};

/// Amounts beyond the width count as the width.
struct ShiftLeft {
  template <class T>
  T operator()(T a, u32 n) const {
    return n < 8 * sizeof(T) ? static_cast<T>(Wrapping<T>{a} << n) : T{0};
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, u32 n) const {
    constexpr u32 last = 8 * sizeof(T) - 1;
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (n < last ? n : last));
    } else {
      return n <= last ? static_cast<T>(a >> n) : T{0};
    }
  }
};

/// Byte `selector & 7` of b:a, or eight copies of its sign bit when bit 3 of the selector is set.
u32 permuted_byte(u64 bytes, u32 selector) {
  const u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xff;
  const u32 sign = (byte >> 7) * 0xff;
  return (selector & 8) != 0 ? sign : byte;
}

/// The four selectors that a mode gives for c, one nibble each, lowest byte first (PTX ISA table of
/// prmt).
template <PermuteMode mode>
u32 permutation(u32 c) {
  if constexpr (mode == PermuteMode::none) return c;
  constexpr u16 table[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
      {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
      {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
      {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
      {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
      {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
  };
  return table[static_cast<unsigned>(mode) - 1][c & 3];
}

template <PermuteMode mode>
struct Permute {
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u64 bytes = (u64{b} << 32) | a;
    const u32 selectors = permutation<mode>(c);
    u32 result = 0;
    for (unsigned n = 0; n < 4; ++n) {
      result |= permuted_byte(bytes, selectors >> (4 * n)) << (8 * n);
    }
    return result;
  }
};

}  // namespace

Execute select_and(const Form& f) { return select_logic<And>(f); }
Execute select_or(const Form& f) { return select_logic<Or>(f); }
Execute select_xor(const Form& f) { return select_logic<Xor>(f); }
Execute select_not(const Form& f) {
  if (f.type == Type::pred) return execute_predicate_not;
  return for_type<u16, u32, u64>(f.type,
                                 []<class T>() -> Execute { return execute_lanes<Not, T, T>; });
}
Execute select_cnot(const Form& f) {
  return for_type<u16, u32, u64>(
      f.type, []<class T>() -> Execute { return execute_lanes<LogicalNot, T, T>; });
}
Execute select_lop3(const Form&) { return execute_lop3; }
Execute select_lop3_predicate(const Form& f) {
  return for_combination(f.operation, []<Operation combination>() -> Execute {
    return execute_lop3_predicate<combination>;
  });
}
Execute select_lop3_test(bool zero) {
  return zero ? execute_lop3_test<true> : execute_lop3_test<false>;
}
Execute select_shf_left(const Form& f) {
  return for_flag(f.wrap, []<bool wrap>() -> Execute {
    return execute_lanes<FunnelLeft<wrap>, u32, u32, u32, u32>;
  });
}
Execute select_shf_right(const Form& f) {
  return for_flag(f.wrap, []<bool wrap>() -> Execute {
    return execute_lanes<FunnelRight<wrap>, u32, u32, u32, u32>;
  });
}
Execute select_shl(const Form& f) {
  return for_type<u16, u32, u64>(
      f.type, []<class T>() -> Execute { return execute_lanes<ShiftLeft, T, T, u32>; });
}
Execute select_shr(const Form& f) {
  return for_type<u16, u32, u64, s16, s32, s64>(
      f.type, []<class T>() -> Execute { return execute_lanes<ShiftRight, T, T, u32>; });
}
Execute select_prmt(const Form& f) {
  Execute found = nullptr;
  [&]<PermuteMode... modes>() {
    ((modes == f.permute ? void(found = execute_lanes<Permute<modes>, u32, u32, u32, u32>)
                         : void()),
     ...);
  }.template operator()<PermuteMode::none, PermuteMode::f4e, PermuteMode::b4e, PermuteMode::rc8,
                        PermuteMode::ecl, PermuteMode::ecr, PermuteMode::rc16>();
  return found;
}

}  // namespace raddle::isa
