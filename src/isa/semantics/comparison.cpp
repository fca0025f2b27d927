// setp and set: a comparison's result as predicates (PTX ISA 9.7.6.2, 9.7.7.2) and as a number
// (9.7.6.1, 9.7.7.1).
#include "isa/semantics/comparison.h"

#include "isa/semantics/compare_lanes.h"

namespace raddle::isa {
namespace {

template <Compare op, bool ftz, Operation combination, class T>
void execute_setp(WarpContext& w, const Instruction& i) {
  const LaneMask result = compare_lanes<op, ftz, T>(w, i);
  const LaneMask predicate = source_predicate(w, i);
  store_predicate(w, i.p, combine<combination>(result, predicate));
  store_predicate(w, i.q, combine<combination>(~result, predicate));
}

/// The low halves' result goes to p, the high halves' to q.
template <Compare op, bool ftz, Operation combination, class T>
void execute_setp_packed(WarpContext& w, const Instruction& i) {
  const HalfMasks result = compare_halves<op, ftz, T>(w, i);
  const LaneMask predicate = source_predicate(w, i);
  store_predicate(w, i.p, combine<combination>(result.low, predicate));
  store_predicate(w, i.q, combine<combination>(result.high, predicate));
}

template <class T, bool packed>
Execute select_setp_of(const Form& f) {
  return for_ftz<T>(f.ftz, [&]<bool ftz>() -> Execute {
    return for_compare_of<T>(f.type, f.compare, [&]<Compare op>() -> Execute {
      return for_combination(f.operation, []<Operation combination>() -> Execute {
        if constexpr (packed) {
          return execute_setp_packed<op, ftz, combination, T>;
        } else {
          return execute_setp<op, ftz, combination, T>;
        }
      });
    });
  });
}

/// Combines bits of set's results: one bit a lane for words, two for halves.
LaneMask combine(Operation combination, LaneMask result, LaneMask predicate) {
  if (combination == Operation::op_or) return result | predicate;
  if (combination == Operation::op_xor) return result ^ predicate;
  return result & predicate;
}

Operation combination_of(const Instruction& i) { return static_cast<Operation>(i.extra); }

template <Compare op, bool ftz, class T>
void execute_set(WarpContext& w, const Instruction& i) {
  const LaneMask truth =
      combine(combination_of(i), compare_lanes<op, ftz, T>(w, i), source_predicate(w, i));
  const auto value = static_cast<u32>(i.immediate);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) results[l] = value & lane_bits<u32>(truth, l);
  store_lanes<u32>(w, i.d, results);
}

template <Compare op, bool ftz, class T>
void execute_set_packed(WarpContext& w, const Instruction& i) {
  const HalfMasks result = compare_halves<op, ftz, T>(w, i);
  const LaneMask predicate = source_predicate(w, i);
  const LaneMask low = combine(combination_of(i), result.low, predicate);
  const LaneMask high = combine(combination_of(i), result.high, predicate);
  const auto value = static_cast<u32>(i.immediate);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = value & ((lane_bits<u32>(low, l) & 0xffff) | lane_bits<u32>(high, l) << 16);
  }
  store_lanes<u32>(w, i.d, results);
}

template <class T, bool packed>
Execute select_set_of(const Form& f) {
  return for_ftz<T>(f.ftz, [&]<bool ftz>() -> Execute {
    return for_compare_of<T>(f.type2, f.compare, []<Compare op>() -> Execute {
      if constexpr (packed) return execute_set_packed<op, ftz, T>;
      if constexpr (!packed) return execute_set<op, ftz, T>;
    });
  });
}

}  // namespace

Execute select_setp(const Form& f) {
  if (f.type == Type::f16x2) return select_setp_of<F16, true>(f);
  if (f.type == Type::bf16x2) return select_setp_of<BF16, true>(f);
  return for_type<u16, u32, u64, s16, s32, s64, float, double, F16, BF16>(
      f.type, [&]<class T>() -> Execute { return select_setp_of<T, false>(f); });
}

Execute select_set(const Form& f) {
  const bool small = f.type2 == Type::f16 || f.type2 == Type::bf16;
  switch (f.type) {  // possible result types for the operands
    case Type::u32:
    case Type::s32:
      break;
    case Type::f32:
      if (small) return nullptr;
      break;
    case Type::u16:
    case Type::s16:
      if (!small) return nullptr;
      break;
    case Type::f16:
      if (f.type2 == Type::bf16) return nullptr;
      break;
    case Type::bf16:
      if (f.type2 == Type::f16) return nullptr;
      break;
    case Type::f16x2:
    case Type::bf16x2:
      if (f.type != f.type2) return nullptr;
      break;
    default:
      return nullptr;
  }
  if (f.type2 == Type::f16x2) return select_set_of<F16, true>(f);
  if (f.type2 == Type::bf16x2) return select_set_of<BF16, true>(f);
  return for_type<u16, u32, u64, s16, s32, s64, float, double, F16, BF16>(
      f.type2, [&]<class T>() -> Execute { return select_set_of<T, false>(f); });
}

std::uint32_t true_value(const Form& f) {
  switch (f.type) {
    case Type::u16:
    case Type::s16:
      return 0xffff;
    case Type::f32:
      return 0x3f80'0000;
    case Type::f16:
      return 0x3c00;
    case Type::bf16:
      return 0x3f80;
    case Type::f16x2:
      return 0x3c00'3c00;
    case Type::bf16x2:
      return 0x3f80'3f80;
    default:
      return 0xffff'ffff;
  }
}

}  // namespace raddle::isa
