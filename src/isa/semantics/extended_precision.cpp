// Arithmetic with the carry flag (PTX ISA 9.7.2): WarpContext::carry holds CC.CF of each lane. A
// difference a - b is the sum a + ~b + 1, and the flag is the carry of that sum: set when there is
// no borrow. The manual calls the flag a borrow. Both views agree as long as only subc follows
// sub.cc; ptxas computes sub.cc followed by addc (which compilers write) with the carry.
#include "isa/semantics/integer.h"
#include "isa/semantics/select.h"
#include "isa/semantics/wide_integer.h"

namespace raddle::isa {
namespace {

/// A sum or difference with its carry out.
template <class T>
struct WithCarry {
  T value;
  bool carry;
};

template <class T>
WithCarry<T> add_with_carry(T a, T b, bool carry) {
  const T partial = a + b;
  const T sum = partial + T{carry};
  return {sum, partial < a || sum < partial};
}
/// kCarry is the carry with which an operation starts when it does not read the flag.
template <class T>
struct AddCarry {
  static constexpr bool kCarry = false;
  WithCarry<T> operator()(bool carry, T a, T b) const { return add_with_carry(a, b, carry); }
};
template <class T>
struct SubCarry {
  static constexpr bool kCarry = true;
  WithCarry<T> operator()(bool carry, T a, T b) const {
    return add_with_carry(a, static_cast<T>(~b), carry);
  }
};
/// The signedness of the product only matters for its upper half; the carry of the sum only depends
/// on the bits.
template <class Product, bool high>
struct MadCarry {
  using T = Wrapping<Product>;
  static constexpr bool kCarry = false;
  WithCarry<T> operator()(bool carry, T a, T b, T c) const {
    const auto x = static_cast<Product>(a);
    const auto y = static_cast<Product>(b);
    const Product product = high ? high_product(x, y) : low_product(x, y);
    return add_with_carry(static_cast<T>(product), c, carry);
  }
};

/// Runs F lane by lane; reads CC.CF if `carry_in`, and writes it if `carry_out`.
template <class F, bool carry_in, bool carry_out, class T, class... S>
void execute_with_carry(WarpContext& w, const Instruction& i) {
  alignas(64) Stored<T> results[kWarpSize];
  LaneMask carry = 0;
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    [&](const Stored<S>*... s) {
      for (unsigned l = 0; l < kWarpSize; ++l) {
        const auto result = F{}(carry_in ? lane_in(w.carry, l) : F::kCarry, unpack<S>(s[l])...);
        results[l] = pack<T>(result.value);
        carry |= LaneMask{result.carry} << l;
      }
    }(w.source<Stored<S>>(i.s[n])...);
  }(std::index_sequence_for<S...>{});
  store_lanes<T>(w, i.d, results);
  if constexpr (carry_out) w.carry = (w.carry & ~w.active) | (carry & w.active);
}

template <template <class> class F, bool carry_in>
Execute select_sum(const Form& f) {
  return for_flag(f.carry_out, [&]<bool out>() -> Execute {
    return for_type<u32, u64, s32, s64>(f.type, []<class T>() -> Execute {
      using U = Wrapping<T>;
      return execute_with_carry<F<U>, carry_in, out, U, U, U>;
    });
  });
}

template <bool carry_in>
Execute select_product_sum(const Form& f) {
  return for_flag(f.carry_out, [&]<bool out>() -> Execute {
    return for_flag(f.half == Half::hi, [&]<bool high>() -> Execute {
      return for_type<u32, u64, s32, s64>(f.type, []<class T>() -> Execute {
        using U = Wrapping<T>;
        return execute_with_carry<MadCarry<T, high>, carry_in, out, U, U, U, U>;
      });
    });
  });
}

}  // namespace

Execute select_add_carry_out(const Form& f) { return select_sum<AddCarry, false>(f); }
Execute select_sub_carry_out(const Form& f) { return select_sum<SubCarry, false>(f); }
Execute select_mad_carry_out(const Form& f) { return select_product_sum<false>(f); }
Execute select_addc(const Form& f) { return select_sum<AddCarry, true>(f); }
Execute select_subc(const Form& f) { return select_sum<SubCarry, true>(f); }
Execute select_madc(const Form& f) { return select_product_sum<true>(f); }

}  // namespace raddle::isa
