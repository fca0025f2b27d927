// atom and red (PTX ISA 9.7.13.5, 9.7.13.6). Lanes take effect in lane order.
#include "isa/semantics/atomic_lanes.h"

namespace raddle::isa {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class Unsigned, class Signed>
Execute select_integer(const Form& form, bool result) {
  const bool is_signed = ptx::is_signed(form.type), bare = ptx::is_untyped(form.type);
  switch (form.operation) {
    case Operation::op_and:
      return bare ? with_result<Unsigned, And>(form.space, result) : nullptr;
    case Operation::op_or:
      return bare ? with_result<Unsigned, Or>(form.space, result) : nullptr;
    case Operation::op_xor:
      return bare ? with_result<Unsigned, Xor>(form.space, result) : nullptr;
    case Operation::exch:
      return bare && result ? with_result<Unsigned, Exchange>(form.space, result) : nullptr;
    case Operation::cas:
      return bare && result ? with_result<Unsigned, CompareAndSwap>(form.space, result) : nullptr;
    case Operation::add:
      return bare ? nullptr : with_result<Unsigned, Add>(form.space, result);
    case Operation::inc:
      return form.type == Type::u32 ? with_result<Unsigned, Increment>(form.space, result)
                                    : nullptr;
    case Operation::dec:
      return form.type == Type::u32 ? with_result<Unsigned, Decrement>(form.space, result)
                                    : nullptr;
    case Operation::min:
      if (bare) return nullptr;
      return is_signed ? with_result<Signed, Minimum>(form.space, result)
                       : with_result<Unsigned, Minimum>(form.space, result);
    case Operation::max:
      if (bare) return nullptr;
      return is_signed ? with_result<Signed, Maximum>(form.space, result)
                       : with_result<Unsigned, Maximum>(form.space, result);
    default:
      return nullptr;
  }
}

}  // namespace

Execute select_atomic(const Form& form, bool result) {
  const bool adds = form.operation == Operation::add;
  const bool half = form.type == Type::f16 || form.type == Type::f16x2 || form.type == Type::bf16 ||
                    form.type == Type::bf16x2;
  if (form.noftz && !half) return nullptr;
  if (form.cache_hint && form.space == Space::shared) return nullptr;
  if (form.vector > 1 && (form.vector * ptx::bits(form.type) > 128 || half != form.noftz)) {
    return nullptr;
  }
  switch (form.type) {
    case Type::b32:
    case Type::u32:
    case Type::s32:
      return select_integer<u32, s32>(form, result);
    case Type::b64:
    case Type::u64:
    case Type::s64:
      if (adds && form.type == Type::s64) return nullptr;
      return select_integer<u64, s64>(form, result);
    case Type::b128:
      return select_wide_atomic(form, result);
    case Type::b16:
      return form.operation == Operation::cas && result
                 ? with_result<u16, CompareAndSwap>(form.space, result)
                 : nullptr;
    case Type::f32:
      return adds ? with_result<float, AddFlushing>(form.space, result) : nullptr;
    case Type::f64:
      return adds ? with_result<double, Add>(form.space, result) : nullptr;
    default:
      return select_half_atomic(form, result);
  }
}

}  // namespace raddle::isa
