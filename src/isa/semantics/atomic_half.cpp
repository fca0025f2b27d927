// atom.add and red.add on half precision and bfloat16, single and packed: never flush subnormals.
#include "isa/semantics/atomic_lanes.h"
#include "isa/semantics/small_float.h"

namespace raddle::isa {
namespace {

template <class Format>
Format sum(Format a, Format b) {
  return narrow<Format>(add_to_odd(widen(a), widen(b)));
}

template <class Format>
struct Packed {
  Format low, high;
};

struct AddSmall {
  template <class Format>
  static Format result(Format a, Format b, Format) {
    return sum(a, b);
  }
  template <class Format>
  static Packed<Format> result(Packed<Format> a, Packed<Format> b, Packed<Format>) {
    return {sum(a.low, b.low), sum(a.high, b.high)};
  }
};

}  // namespace

Execute select_half_atomic(const Form& form, bool result) {
  if (form.operation != Operation::add || !form.noftz) return nullptr;
  switch (form.type) {
    case Type::f16:
      return with_result<F16, AddSmall>(form.space, result);
    case Type::bf16:
      return with_result<BF16, AddSmall>(form.space, result);
    case Type::f16x2:
      return with_result<Packed<F16>, AddSmall>(form.space, result);
    case Type::bf16x2:
      return with_result<Packed<BF16>, AddSmall>(form.space, result);
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
