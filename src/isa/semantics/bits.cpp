// Counting, finding and moving bits (PTX ISA 9.7.1.14 to 9.7.1.22).
#include "isa/semantics/integer.h"
#include "isa/semantics/select.h"
#include "isa/semantics/wide_integer.h"

namespace raddle::isa {
namespace {

struct PopulationCount {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(std::popcount(a));
  }
};
struct CountLeadingZeros {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(std::countl_zero(a));
  }
};

/// Position of the highest bit that differs from the sign (unsigned: the highest set bit), or the
/// shift that brings it to the top; all ones when there is none.
template <bool shift_amount>
struct FindLeading {
  template <class T>
  u32 operator()(T a) const {
    using U = Wrapping<T>;
    const U bits = static_cast<U>(a < 0 ? T(~a) : a);
    const u32 shift = static_cast<u32>(std::countl_zero(bits));
    if (bits == 0) return ~u32{0};
    return shift_amount ? shift : u32{8 * sizeof(T) - 1} - shift;
  }
};

/// The n-th set bit of `mask` from position `base` upwards (n > 0), downwards (n < 0), or the one
/// at `base` (n = 0).
struct FindNthSet {
  u32 operator()(u32 mask, u32 base, s32 n) const {
    if (base > 31) return ~u32{0};
    if (n == 0) return (mask >> base & 1) != 0 ? base : ~u32{0};
    s64 left = n < 0 ? -s64{n} : n;
    const int step = n < 0 ? -1 : 1;
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
      if ((mask >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
    }
    return ~u32{0};
  }
};

struct ReverseBits {
  template <class T>
  T operator()(T a) const {
    constexpr T ones = static_cast<T>(~T{0});
    a = ((a >> 1) & (ones / 3)) | ((a & (ones / 3)) << 1);
    a = ((a >> 2) & (ones / 5)) | ((a & (ones / 5)) << 2);
    a = ((a >> 4) & (ones / 17)) | ((a & (ones / 17)) << 4);
    if constexpr (sizeof(T) == 4) {
      return __builtin_bswap32(a);
    } else {
      return __builtin_bswap64(a);
    }
  }
};

/// Position or length of a field: 0 to 255 according to PTX ISA 9.7.1.20. For 64 bits ptxas makes a
/// sequence of instructions that uses larger values as they are (NVIDIA H200).
template <class T>
u32 in_field(u32 operand) {
  return sizeof(T) == 8 ? operand : operand & 0xff;
}

/// `length` bits of a from `position`, extended by zeros or by the sign: the field's own top bit,
/// or that of a where the field reaches beyond a.
struct ExtractField {
  template <class T>
  T operator()(T a, u32 position, u32 length) const {
    using U = Wrapping<T>;
    constexpr u32 size = 8 * sizeof(T);
    position = in_field<T>(position);
    length = in_field<T>(length);
    const U bits = static_cast<U>(a);
    const U field = position < size ? bits >> position : 0;
    const U mask = length >= size ? ~U{0} : (U{1} << length) - 1;
    const u64 last = u64{position} + length - 1;
    const u64 top = last < size ? last : size - 1;
    const bool negative = std::is_signed_v<T> && length != 0 && (bits >> top & 1) != 0;
    // Bits of the field beyond a are copies of the sign, too.
    const U present = position < size ? ~U{0} >> position : 0;
    return static_cast<T>(negative ? (field & mask) | ~(mask & present) : field & mask);
  }
};

/// b, with `length` bits from `position` on replaced by the low bits of a.
struct InsertField {
  template <class T>
  T operator()(T a, T b, u32 position, u32 length) const {
    constexpr u32 size = 8 * sizeof(T);
    position = in_field<T>(position);
    length = in_field<T>(length);
    const T ones = length >= size ? static_cast<T>(~T{0}) : (T{1} << length) - 1;
    const T mask = position < size ? ones << position : 0;
    const T field = position < size ? a << position : 0;
    return (field & mask) | (b & ~mask);
  }
};

/// `width` ones from `position`.
template <bool wrap>
struct BitMask {
  u32 operator()(u32 position, u32 width) const {
    if constexpr (wrap) {
      position &= 31;
      width &= 31;
    }
    const u32 ones = width >= 32 ? ~u32{0} : (u32{1} << width) - 1;
    return position < 32 ? ones << position : 0;
  }
};

/// The low `width` bits, sign- or zero-extended. Zero width gives zero.
template <bool wrap>
struct ExtendFrom {
  template <class T>
  T operator()(T a, u32 width) const {
    if constexpr (wrap) width &= 31;
    if (width == 0) return 0;
    if (width >= 32) return a;
    const u32 unused = 32 - width;
    return static_cast<T>(static_cast<T>(static_cast<u32>(a) << unused) >> unused);
  }
};

}  // namespace

Execute select_popc(const Form& f) {
  return for_type<u32, u64>(
      f.type, []<class T>() -> Execute { return execute_lanes<PopulationCount, u32, T>; });
}
Execute select_clz(const Form& f) {
  return for_type<u32, u64>(
      f.type, []<class T>() -> Execute { return execute_lanes<CountLeadingZeros, u32, T>; });
}
Execute select_bfind(const Form& f) {
  return for_flag(f.shiftamt, [&]<bool shift>() -> Execute {
    return for_type<u32, u64, s32, s64>(
        f.type, []<class T>() -> Execute { return execute_lanes<FindLeading<shift>, u32, T>; });
  });
}
Execute select_fns(const Form&) { return execute_lanes<FindNthSet, u32, u32, u32, s32>; }
Execute select_brev(const Form& f) {
  return for_type<u32, u64>(f.type,
                            []<class T>() -> Execute { return execute_lanes<ReverseBits, T, T>; });
}
Execute select_bfe(const Form& f) {
  return for_type<u32, u64, s32, s64>(
      f.type, []<class T>() -> Execute { return execute_lanes<ExtractField, T, T, u32, u32>; });
}
Execute select_bfi(const Form& f) {
  return for_type<u32, u64>(
      f.type, []<class T>() -> Execute { return execute_lanes<InsertField, T, T, T, u32, u32>; });
}
Execute select_bmsk(const Form& f) {
  return for_flag(
      f.wrap, []<bool wrap>() -> Execute { return execute_lanes<BitMask<wrap>, u32, u32, u32>; });
}
Execute select_szext(const Form& f) {
  return for_flag(f.wrap, [&]<bool wrap>() -> Execute {
    return for_type<u32, s32>(
        f.type, []<class T>() -> Execute { return execute_lanes<ExtendFrom<wrap>, T, T, u32>; });
  });
}

}  // namespace raddle::isa
