#include "isa/semantics/select.h"
#include "isa/semantics/video.h"

namespace raddle::isa {
namespace {

/// Element `n` of `bits` bits, extended. The sum of the products wraps, so 32 bits are enough.
template <unsigned bits, bool is_signed>
u32 element(u32 word, unsigned n) {
  const u32 top = word << (32 - bits - n * bits);
  return is_signed ? static_cast<u32>(static_cast<s32>(top) >> (32 - bits)) : top >> (32 - bits);
}

/// c plus the sum of four products of bytes.
template <bool a_signed, bool b_signed>
struct Dot4 {
  u32 operator()(u32 a, u32 b, u32 c) const {
    for (unsigned n = 0; n < 4; ++n) c += element<8, a_signed>(a, n) * element<8, b_signed>(b, n);
    return c;
  }
};

/// c plus the sum of two products: halves of a with the lower or upper bytes of b.
template <bool a_signed, bool b_signed, bool high>
struct Dot2 {
  u32 operator()(u32 a, u32 b, u32 c) const {
    for (unsigned n = 0; n < 2; ++n) {
      c += element<16, a_signed>(a, n) * element<8, b_signed>(b, n + (high ? 2 : 0));
    }
    return c;
  }
};

}  // namespace

Execute select_dp4a(const Form& f) {
  return for_flag(f.type == Type::s32, [&]<bool a_signed>() -> Execute {
    return for_flag(f.type2 == Type::s32, []<bool b_signed>() -> Execute {
      return execute_lanes<Dot4<a_signed, b_signed>, u32, u32, u32, u32>;
    });
  });
}

Execute select_dp2a(const Form& f) {
  return for_flag(f.half == Half::hi, [&]<bool high>() -> Execute {
    return for_flag(f.type == Type::s32, [&]<bool a_signed>() -> Execute {
      return for_flag(f.type2 == Type::s32, []<bool b_signed>() -> Execute {
        return execute_lanes<Dot2<a_signed, b_signed, high>, u32, u32, u32, u32>;
      });
    });
  });
}

}  // namespace raddle::isa
