// atom and red on half precision and bfloat16, single and packed: add, and for vectors min and max.
// They never flush subnormals.
#include "isa/semantics/atomic_lanes.h"
#include "isa/semantics/extremum.h"
#include "isa/semantics/small_float.h"

namespace raddle::isa {
namespace {

struct Sum {
  template <class Format>
  static Format of(Format a, Format b) {
    return narrow<Format>(add_to_odd(widen(a), widen(b)));
  }
};
template <bool maximum>
struct Extremum {
  template <class Format>
  static Format of(Format a, Format b) {
    return narrow<Format>(extremum<maximum, false>(widen(a), widen(b)));
  }
};

template <class Format>
struct Packed {
  Format low, high;
};

template <class Combine>
struct OnHalves {
  template <class Format>
  static Format result(Format a, Format b, Format) {
    return Combine::of(a, b);
  }
  template <class Format>
  static Packed<Format> result(Packed<Format> a, Packed<Format> b, Packed<Format>) {
    return {Combine::of(a.low, b.low), Combine::of(a.high, b.high)};
  }
};

template <class Operation>
Execute of_type(const Form& form, bool result) {
  switch (form.type) {
    case Type::f16:
      return with_result<F16, Operation>(form.space, result);
    case Type::bf16:
      return with_result<BF16, Operation>(form.space, result);
    case Type::f16x2:
      return with_result<Packed<F16>, Operation>(form.space, result);
    case Type::bf16x2:
      return with_result<Packed<BF16>, Operation>(form.space, result);
    default:
      return nullptr;
  }
}

}  // namespace

Execute select_half_atomic(const Form& form, bool result) {
  if (!form.noftz) return nullptr;
  switch (form.operation) {
    case Operation::add:
      return of_type<OnHalves<Sum>>(form, result);
    case Operation::min:
      return of_type<OnHalves<Extremum<false>>>(form, result);
    case Operation::max:
      return of_type<OnHalves<Extremum<true>>>(form, result);
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
