// set: a comparison's result as a number (PTX ISA 9.7.6.1, 9.7.7.1).
#include "isa/semantics/compare_lanes.h"
#include "isa/semantics/comparison.h"

namespace raddle::isa {
namespace {

/// All ones for integers, 1.0 for floating point.
template <class D>
constexpr D true_value() {
  if constexpr (std::is_integral_v<D>) return static_cast<D>(~D{0});
  if constexpr (std::is_same_v<D, float>) return 1.0f;
  if constexpr (std::is_same_v<D, F16>) return F16{0x3c00};
  if constexpr (std::is_same_v<D, BF16>) return BF16{0x3f80};
}

template <class D>
[[gnu::noinline]] void store_truth(WarpContext& w, const Instruction& i, LaneMask truth) {
  alignas(64) Stored<D> results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = lane_in(truth, l) ? pack<D>(true_value<D>()) : Stored<D>{0};
  }
  store_lanes<D>(w, i.d, results);
}

template <class D, Compare op, bool ftz, Operation combination, class T>
void execute_set(WarpContext& w, const Instruction& i) {
  const LaneMask result = compare_lanes<op, ftz, T>(w, i);
  store_truth<D>(w, i, combine<combination>(result, source_predicate(w, i)));
}

template <class D, class T>
Execute select_set_of(const Form& f) {
  return for_ftz<T>(f.ftz, [&]<bool ftz>() -> Execute {
    return for_compare_of<T>(f.type2, f.compare, [&]<Compare op>() -> Execute {
      return for_combination(f.operation, []<Operation combination>() -> Execute {
        return execute_set<D, op, ftz, combination, T>;
      });
    });
  });
}

template <class D>
[[gnu::noinline]] void store_truth_pair(WarpContext& w, const Instruction& i, HalfMasks truth) {
  constexpr u32 kTrue = std::bit_cast<u16>(true_value<D>());
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = (truth.low >> l & 1) * kTrue | (truth.high >> l & 1) * kTrue << 16;
  }
  store_lanes<u32>(w, i.d, results);
}

/// On pairs of T: 1.0 or all ones in each half.
template <class D, Compare op, bool ftz, Operation combination, class T>
void execute_set_packed(WarpContext& w, const Instruction& i) {
  const HalfMasks result = compare_halves<op, ftz, T>(w, i);
  const LaneMask predicate = source_predicate(w, i);
  store_truth_pair<D>(
      w, i,
      {combine<combination>(result.low, predicate), combine<combination>(result.high, predicate)});
}

template <class T>
Execute select_set_packed(const Form& f) {
  const bool integer = f.type == Type::u32 || f.type == Type::s32;
  if (!integer && f.type != f.type2) return nullptr;
  return for_flag(integer, [&]<bool ones>() -> Execute {
    using D = std::conditional_t<ones, u16, T>;
    return for_ftz<T>(f.ftz, [&]<bool ftz>() -> Execute {
      return for_compare_of<T>(f.type2, f.compare, [&]<Compare op>() -> Execute {
        return for_combination(f.operation, []<Operation combination>() -> Execute {
          return execute_set_packed<D, op, ftz, combination, T>;
        });
      });
    });
  });
}

}  // namespace

Execute select_set(const Form& f) {
  if (f.type2 == Type::f16x2) return select_set_packed<F16>(f);
  if (f.type2 == Type::bf16x2) return select_set_packed<BF16>(f);
  switch (f.type) {
    case Type::u32:
    case Type::s32:
      return for_type<u16, u32, u64, s16, s32, s64, float, double, F16, BF16>(
          f.type2, [&]<class T>() -> Execute { return select_set_of<u32, T>(f); });
    case Type::f32:
      return for_type<u16, u32, u64, s16, s32, s64, float, double>(
          f.type2, [&]<class T>() -> Execute { return select_set_of<float, T>(f); });
    case Type::u16:
    case Type::s16:
      return for_type<F16, BF16>(f.type2,
                                 [&]<class T>() -> Execute { return select_set_of<u16, T>(f); });
    case Type::f16:
      return for_type<u16, u32, u64, s16, s32, s64, float, double, F16>(
          f.type2, [&]<class T>() -> Execute { return select_set_of<F16, T>(f); });
    case Type::bf16:
      return for_type<u16, u32, u64, s16, s32, s64, float, double, BF16>(
          f.type2, [&]<class T>() -> Execute { return select_set_of<BF16, T>(f); });
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
