// The .approx and .full forms as the assembler makes them on all GPUs since Volta: an instruction
// of the multifunction unit between instructions that scale. Without .ftz, the scaling keeps
// subnormal operands and results, which the unit itself treats as zero.
#include <algorithm>

#include "isa/semantics/approximations.h"
#include "isa/semantics/float.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/half.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

constexpr float kSmallestNormal = 0x1p-126f, kLarge = 0x1p126f;

/// Applies `function` to the bits of x; the result is a float.
template <auto function>
float evaluate(float x) {
  return std::bit_cast<float>(function(std::bit_cast<u32>(x)));
}
constexpr auto kRcp = evaluate<approximate_rcp<Single>>;
constexpr auto kRsqrt = evaluate<approximate_rsqrt<Single>>;
constexpr auto kSqrt = evaluate<approximate_sqrt>;
constexpr auto kLg2 = evaluate<approximate_lg2>;
constexpr auto kEx2 = evaluate<approximate_ex2>;

/// Forms with .ftz, and forms that are the same with and without it.
template <auto function>
struct Plain {
  float operator()(float a) const { return evaluate<function>(a); }
};

template <bool ftz>
struct Multiply {
  float operator()(float a, float b) const { return finish<ftz, false>(flush<ftz>(a) * b); }
};

// Scales subnormal operands to normal ones, and results back.
struct Rcp {
  float operator()(float a) const {
    const float magnitude = std::fabs(a);
    const float scale = magnitude < kSmallestNormal ? 0x1p24f : magnitude > kLarge ? 0.25f : 1.0f;
    return canonical(kRcp(a * scale) * scale);
  }
};
template <auto root>
struct Root {
  float operator()(float a) const {
    const bool small = std::fabs(a) < kSmallestNormal;
    constexpr float kScale = root == kRsqrt ? 0x1p12f : 0x1p-12f;
    return canonical(root(small ? a * 0x1p24f : a) * (small ? kScale : 1.0f));
  }
};
struct Lg2 {
  float operator()(float a) const {
    const bool small = std::fabs(a) < kSmallestNormal;
    return canonical(kLg2(small ? a * 0x1p24f : a) - (small ? 24.0f : 0.0f));
  }
};
struct Ex2 {
  float operator()(float a) const {
    const bool small = a < -126;
    const float root = kEx2(small ? a * 0.5f : a);
    return canonical(root * (small ? root : 1.0f));
  }
};

/// b with a magnitude above 2^126 gives zero, or NaN for an infinite a (PTX ISA 9.7.3.8).
template <bool ftz>
struct DivApproximate {
  float operator()(float a, float b) const {
    const float scale = !ftz && std::fabs(b) < kSmallestNormal ? 0x1p24f : 1.0f;
    return Multiply<ftz>{}(a * scale, kRcp(b * scale));
  }
};
template <bool ftz>
struct DivFull {
  float operator()(float a, float b) const {
    const float magnitude = std::fabs(b);
    const bool small = !ftz && magnitude < kSmallestNormal;
    const float scale = magnitude > kLarge ? 0.25f : small ? 0x1p24f : 1.0f;
    const float scaled = flush<ftz>(flush<ftz>(a) * scale);
    return Multiply<ftz>{}(scaled, kRcp(b * scale));
  }
};

/// The function of the upper half of a double; the lower half of the result is zero (PTX ISA
/// 9.7.3.14, 9.7.3.17).
template <auto function>
struct Coarse {
  double operator()(double a) const {
    const auto upper = static_cast<u32>(std::bit_cast<u64>(a) >> 32);
    return std::bit_cast<double>(u64{function(upper)} << 32);
  }
};
/// rsqrt.approx.f64: a third-order step on the coarse value, with ordinary instructions.
struct RsqrtDouble {
  double operator()(double a) const {
    const bool small = std::fabs(a) < 0x1p-1022;
    const double x = small ? a * 0x1p54 : a;
    const double coarse = Coarse<approximate_rsqrt<UpperDouble>>{}(x);
    const double error = std::fma(x, -(coarse * coarse), 1.0);
    const double fine = std::fma(std::fma(error, 0.375, 0.5), coarse * error, coarse);
    const double ordinary = small ? fine * 0x1p27 : fine;
    const bool finite = a > 0 && a < __builtin_inf();
    const double negative = std::bit_cast<double>(u64{0xfff8'0000'0000'0000u});
    const double edge = a == 0 ? std::copysign(__builtin_inf(), a) : a < 0 ? negative : 0.0;
    return finite ? ordinary : a != a ? a + a : edge;
  }
};

template <auto function>
Execute select_plain() {
  return execute_lanes<Plain<function>, float, float>;
}
template <auto function, class Scaled>
Execute select_scaled(const Form& f) {
  return f.ftz ? select_plain<function>() : execute_lanes<Scaled, float, float>;
}

// Formats of 16 bits: the function of single precision, truncated to the format (NVIDIA H200).

/// The value as bits of single precision.
inline u32 widened(F16 a) {
  const u32 magnitude = a.bits & 0x7fffu;
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const u32 special = Single::kInfinity | magnitude << 13;
  const u32 bits = magnitude < F16::kInfinity ? std::bit_cast<u32>(scaled) : special;
  return bits | (a.bits & 0x8000u) << 16;
}
inline u32 widened(BF16 a) { return u32{a.bits} << 16; }

template <class Format>
u32 cut_to(u32 bits) {
  if constexpr (std::is_same_v<Format, BF16>) return bits >> 16;
  const u32 magnitude = bits & ~kSignBit;
  // Subnormals count steps of 2^-24; other values lose the exponents that the format lacks.
  const bool subnormal = magnitude < 0x3880'0000u;
  const float steps = std::bit_cast<float>(subnormal ? magnitude : 0) * 0x1p24f;
  const u32 normal = std::min<u32>((magnitude - (112u << 23)) >> 13, F16::kInfinity);
  const u32 cut = subnormal ? static_cast<u32>(static_cast<s32>(steps)) : normal;
  return magnitude > Single::kInfinity ? F16::kNan : cut | (bits >> 16 & 0x8000u);
}

/// In separate steps, because the vectorizer cannot handle one loop with all of them.
template <auto function, class Format, unsigned halves>
void execute_small(WarpContext& w, const Instruction& i) {
  alignas(64) u32 values[halves * kWarpSize], results[kWarpSize];
  const u32* s = w.source<u32>(i.s[0]);
  for (unsigned half = 0; half < halves; ++half) {
    u32* to = values + half * kWarpSize;
    for (unsigned l = 0; l < kWarpSize; ++l) {
      to[l] = widened(Format{static_cast<u16>(s[l] >> 16 * half)});
    }
  }
  for (u32& value : values) value = function(value);
  for (u32& value : values) value = cut_to<Format>(value);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = values[l] | (halves == 2 ? values[(halves - 1) * kWarpSize + l] << 16 : 0);
  }
  store_lanes<u32>(w, i.d, results);
}

template <auto function>
Execute select_small(Type type) {
  return type == Type::f16     ? execute_small<function, F16, 1>
         : type == Type::f16x2 ? execute_small<function, F16, 2>
         : type == Type::bf16  ? execute_small<function, BF16, 1>
                               : execute_small<function, BF16, 2>;
}

}  // namespace

Execute select_approximate_div(const Form& f) {
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    if (f.full) return execute_lanes<DivFull<ftz>, float, float, float>;
    return execute_lanes<DivApproximate<ftz>, float, float, float>;
  });
}
Execute select_approximate_rcp(const Form& f) {
  if (f.type == Type::f32) return select_scaled<approximate_rcp<Single>, Rcp>(f);
  return execute_lanes<Coarse<approximate_rcp<UpperDouble>>, double, double>;
}
Execute select_approximate_sqrt(const Form& f) {
  return select_scaled<approximate_sqrt, Root<kSqrt>>(f);
}
Execute select_rsqrt(const Form& f) {
  if (f.type == Type::f32) return select_scaled<approximate_rsqrt<Single>, Root<kRsqrt>>(f);
  if (f.ftz) return execute_lanes<Coarse<approximate_rsqrt<UpperDouble>>, double, double>;
  return execute_lanes<RsqrtDouble, double, double>;
}
Execute select_lg2(const Form& f) { return select_scaled<approximate_lg2, Lg2>(f); }
Execute select_ex2(const Form& f) { return select_scaled<approximate_ex2, Ex2>(f); }
Execute select_sin(const Form&) { return select_plain<approximate_sine<0>>(); }
Execute select_cos(const Form&) { return select_plain<approximate_sine<1>>(); }
Execute select_tanh(const Form&) { return select_plain<approximate_tanh>(); }

// .ftz is part of the name of ex2 on bf16, and would change nothing on f16.
Execute select_htanh(const Form& f) { return select_small<approximate_tanh>(f.type); }
Execute select_hex2(const Form& f) { return select_small<approximate_ex2>(f.type); }

}  // namespace raddle::isa
