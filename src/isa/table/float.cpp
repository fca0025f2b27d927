#include "isa/semantics/float.h"

#include "isa/lower/rows.h"

namespace raddle::isa {

namespace {
/// The semantics of one half of a .f32x2.
template <Select single>
Execute select_of_half(const Form& form) {
  Form half = form;
  half.type = Type::f32;
  return single(half);
}
/// mad.f32 without a rounding modifier is fused on GPUs since sm_20.
Execute select_unrounded_mad(const Form& form) {
  Form rounded = form;
  rounded.rounding = Rounding::rn;
  return select_ffma(rounded);
}
}  // namespace

std::span<const Row> float_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static constexpr std::string_view kSingle = "{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32";
  static constexpr std::string_view kDouble = "{.rn|.rz|.rm|.rp}.f64";
  static constexpr std::string_view kMixed = "{.rn|.rz|.rm|.rp}{.sat}.f32(.f16|.bf16)";
  static constexpr std::string_view kRoundedSingle = "(.rn|.rz|.rm|.rp){.ftz}.f32";
  static constexpr std::string_view kRoundedDouble = "(.rn|.rz|.rm|.rp).f64";
  static constexpr std::string_view kExtremum3 = "{.ftz}{.NaN}{.abs}.f32";
  static constexpr OperandForm kPair{"d:b64 a:b64 b:b64", lower_single_pair};
  static constexpr OperandForm kPairs{"d:b64 a:b64 b:b64 c:b64", lower_single_pair};
  static constexpr OperandForm kUnrounded{"d a b c", lower_unrounded};
  static const Row rows[] = {
      {"testp", "(.finite|.infinite|.number|.notanumber|.normal|.subnormal).f32", "p a", fp32,
       compute, select_testp, "9.7.3.1"},
      {"testp", "(.finite|.infinite|.number|.notanumber|.normal|.subnormal).f64", "p a", fp64,
       compute, select_testp, "9.7.3.1"},
      {"copysign", ".f32", "d a b", int_logic, compute, select_copysign, "9.7.3.2"},
      {"copysign", ".f64", "d a b", int_logic, compute, select_copysign, "9.7.3.2"},
      {"add", kSingle, "d a b", fp32, compute, select_fadd, "9.7.3.3"},
      {"add", kDouble, "d a b", fp64, compute, select_fadd, "9.7.3.3"},
      {"sub", kSingle, "d a b", fp32, compute, select_fsub, "9.7.3.4"},
      {"sub", kDouble, "d a b", fp64, compute, select_fsub, "9.7.3.4"},
      {"mul", kSingle, "d a b", fp32, compute, select_fmul, "9.7.3.5"},
      {"mul", kDouble, "d a b", fp64, compute, select_fmul, "9.7.3.5"},
      {"fma", "(.rn|.rz|.rm|.rp){.ftz}{.sat}.f32", "d a b c", fp32, compute, select_ffma,
       "9.7.3.6"},
      {"fma", kRoundedDouble, "d a b c", fp64, compute, select_ffma, "9.7.3.6"},
      {"mad", "(.rn|.rz|.rm|.rp){.ftz}{.sat}.f32", "d a b c", fp32, compute, select_ffma,
       "9.7.3.7"},
      {"mad", kRoundedDouble, "d a b c", fp64, compute, select_ffma, "9.7.3.7"},
      // Forms before PTX 3.2.
      {"mad", "{.ftz}{.sat}.f32", kUnrounded, fp32, compute, select_unrounded_mad, "9.7.3.7"},
      {"div", "(.approx|.full){.ftz}.f32", "d a b", special, compute, select_fdiv, "9.7.3.8"},
      {"div", kRoundedSingle, "d a b", fp32_div, compute, select_fdiv, "9.7.3.8"},
      {"div", kRoundedDouble, "d a b", fp64_div, compute, select_fdiv, "9.7.3.8"},
      {"abs", "{.ftz}.f32", "d a", fp32, compute, select_fabs, "9.7.3.9"},
      {"abs", ".f64", "d a", fp64, compute, select_fabs, "9.7.3.9"},
      {"neg", "{.ftz}.f32", "d a", fp32, compute, select_fneg, "9.7.3.10"},
      {"neg", ".f64", "d a", fp64, compute, select_fneg, "9.7.3.10"},
      {"min", "{.ftz}{.NaN}.f32", "d a b", int_compare, compute, select_fmin, "9.7.3.11"},
      {"min", "{.ftz}{.NaN}.xorsign.abs.f32", "d a b", int_compare, compute, select_fmin,
       "9.7.3.11"},
      {"min", kExtremum3, "d a b c", int_compare, compute, select_fmin3, "9.7.3.11"},
      {"min", ".f64", "d a b", fp64, compute, select_fmin, "9.7.3.11"},
      {"max", "{.ftz}{.NaN}.f32", "d a b", int_compare, compute, select_fmax, "9.7.3.12"},
      {"max", "{.ftz}{.NaN}.xorsign.abs.f32", "d a b", int_compare, compute, select_fmax,
       "9.7.3.12"},
      {"max", kExtremum3, "d a b c", int_compare, compute, select_fmax3, "9.7.3.12"},
      {"max", ".f64", "d a b", fp64, compute, select_fmax, "9.7.3.12"},
      {"rcp", ".approx{.ftz}.f32", "d a", special, compute, select_rcp, "9.7.3.13"},
      {"rcp", kRoundedSingle, "d a", fp32_rcp, compute, select_rcp, "9.7.3.13"},
      {"rcp", kRoundedDouble, "d a", fp64_div, compute, select_rcp, "9.7.3.13"},
      {"rcp", ".approx.ftz.f64", "d a", special, compute, select_rcp, "9.7.3.14"},
      {"sqrt", ".approx{.ftz}.f32", "d a", special, compute, select_sqrt, "9.7.3.15"},
      {"sqrt", kRoundedSingle, "d a", fp32_sqrt, compute, select_sqrt, "9.7.3.15"},
      {"sqrt", kRoundedDouble, "d a", fp64_sqrt, compute, select_sqrt, "9.7.3.15"},
      {"rsqrt", ".approx{.ftz}.f32", "d a", special, compute, select_rsqrt, "9.7.3.16"},
      {"rsqrt", ".approx.f64", "d a", fp64_sqrt, compute, select_rsqrt, "9.7.3.16"},
      {"rsqrt", ".approx.ftz.f64", "d a", special, compute, select_rsqrt, "9.7.3.17"},
      {"sin", ".approx{.ftz}.f32", "d a", special, compute, select_sin, "9.7.3.18"},
      {"cos", ".approx{.ftz}.f32", "d a", special, compute, select_cos, "9.7.3.19"},
      {"lg2", ".approx{.ftz}.f32", "d a", special, compute, select_lg2, "9.7.3.20"},
      {"ex2", ".approx{.ftz}.f32", "d a", special, compute, select_ex2, "9.7.3.21"},
      {"tanh", ".approx.f32", "d a", special, compute, select_tanh, "9.7.3.22"},

      // Pairs of single-precision values in 64-bit registers: lower/vector.cpp.
      {"add", "{.rn|.rz|.rm|.rp}{.ftz}.f32x2", kPair, fp32, compute, select_of_half<select_fadd>,
       "9.7.3.3"},
      {"sub", "{.rn|.rz|.rm|.rp}{.ftz}.f32x2", kPair, fp32, compute, select_of_half<select_fsub>,
       "9.7.3.4"},
      {"mul", "{.rn|.rz|.rm|.rp}{.ftz}.f32x2", kPair, fp32, compute, select_of_half<select_fmul>,
       "9.7.3.5"},
      {"fma", "(.rn|.rz|.rm|.rp){.ftz}.f32x2", kPairs, fp32, compute, select_of_half<select_ffma>,
       "9.7.3.6"},

      {"add", kMixed, "d a:t2 b", fp32, compute, select_fadd_mixed, "9.7.5.1"},
      {"sub", kMixed, "d a:t2 b", fp32, compute, select_fsub_mixed, "9.7.5.2"},
      {"fma", "(.rn|.rz|.rm|.rp){.sat}.f32(.f16|.bf16)", "d a:t2 b:t2 c", fp32, compute,
       select_ffma_mixed, "9.7.5.3"},
  };
  return rows;
}

}  // namespace raddle::isa
