#include "isa/semantics/half.h"

namespace raddle::isa {

std::span<const Row> half_rows() {
  constexpr Class half = Class::half;
  constexpr Class special = Class::special;
  constexpr Kind compute = Kind::compute;
  // The toolkit's headers write `.noftz`, which means the same as no word.
  static constexpr std::string_view kHalf = "{.rn}{.ftz|.noftz}{.sat}(.f16|.f16x2)";
  static constexpr std::string_view kBfloat = "{.rn}{.noftz}(.bf16|.bf16x2)";
  static const Row rows[] = {
      {"add", kHalf, "d a b", half, compute, select_hadd, "9.7.4.1"},
      {"add", kBfloat, "d a b", half, compute, select_hadd, "9.7.4.1"},
      {"sub", kHalf, "d a b", half, compute, select_hsub, "9.7.4.2"},
      {"sub", kBfloat, "d a b", half, compute, select_hsub, "9.7.4.2"},
      {"mul", kHalf, "d a b", half, compute, select_hmul, "9.7.4.3"},
      {"mul", kBfloat, "d a b", half, compute, select_hmul, "9.7.4.3"},
      {"fma", ".rn{.ftz|.noftz}{.sat}(.f16|.f16x2)", "d a b c", half, compute, select_hfma,
       "9.7.4.4"},
      {"fma", ".rn{.ftz}.relu(.f16|.f16x2)", "d a b c", half, compute, select_hfma, "9.7.4.4"},
      {"fma", ".rn{.relu}(.bf16|.bf16x2)", "d a b c", half, compute, select_hfma, "9.7.4.4"},
      {"neg", "{.ftz}(.f16|.f16x2)", "d a", half, compute, select_hneg, "9.7.4.5"},
      {"neg", "(.bf16|.bf16x2)", "d a", half, compute, select_hneg, "9.7.4.5"},
      {"abs", "{.ftz}(.f16|.f16x2)", "d a", half, compute, select_habs, "9.7.4.6"},
      {"abs", "(.bf16|.bf16x2)", "d a", half, compute, select_habs, "9.7.4.6"},
      {"min", "{.ftz}{.NaN}(.f16|.f16x2)", "d a b", half, compute, select_hmin, "9.7.4.7"},
      {"min", "{.ftz}{.NaN}.xorsign.abs(.f16|.f16x2)", "d a b", half, compute, select_hmin,
       "9.7.4.7"},
      {"min", "{.NaN}(.bf16|.bf16x2)", "d a b", half, compute, select_hmin, "9.7.4.7"},
      {"min", "{.NaN}.xorsign.abs(.bf16|.bf16x2)", "d a b", half, compute, select_hmin, "9.7.4.7"},
      {"max", "{.ftz}{.NaN}(.f16|.f16x2)", "d a b", half, compute, select_hmax, "9.7.4.8"},
      {"max", "{.ftz}{.NaN}.xorsign.abs(.f16|.f16x2)", "d a b", half, compute, select_hmax,
       "9.7.4.8"},
      {"max", "{.NaN}(.bf16|.bf16x2)", "d a b", half, compute, select_hmax, "9.7.4.8"},
      {"max", "{.NaN}.xorsign.abs(.bf16|.bf16x2)", "d a b", half, compute, select_hmax, "9.7.4.8"},
      {"tanh", ".approx(.f16|.f16x2|.bf16|.bf16x2)", "d a", special, compute, select_htanh,
       "9.7.4.9"},
      {"ex2", ".approx(.f16|.f16x2)", "d a", special, compute, select_hex2, "9.7.4.10"},
      {"ex2", ".approx.ftz(.bf16|.bf16x2)", "d a", special, compute, select_hex2, "9.7.4.10"},
  };
  return rows;
}

}  // namespace raddle::isa
