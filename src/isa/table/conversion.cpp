#include "isa/semantics/conversion.h"

#include "isa/lower/rows.h"

namespace raddle::isa {

namespace {
// Integer types of at most 32 bits, and all of them: the width decides whether a conversion is
// cheap.
#define RADDLE_INTEGERS "(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64)"
#define RADDLE_NARROW_INTEGERS "(.u8|.u16|.u32|.s8|.s16|.s32)"
#define RADDLE_FLOATS "(.f32|.f16|.bf16)"
#define RADDLE_WHOLE "(.rni|.rzi|.rmi|.rpi)"
#define RADDLE_ROUNDING "{.rn|.rz|.rm|.rp|.rni|.rzi|.rmi|.rpi}"
#define RADDLE_CLAMPS "{.relu}{.satfinite}"
constexpr OperandForm wide(const char* roles) { return {roles, lower_convert, kTakesSpecials}; }
}  // namespace

std::span<const Row> conversion_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static const Row rows[] = {
      {"cvt", "{.sat}" RADDLE_NARROW_INTEGERS RADDLE_NARROW_INTEGERS, wide("d a:t2"), convert,
       compute, select_convert, "9.7.9.21"},
      {"cvt", "{.sat}(.u64|.s64)" RADDLE_INTEGERS, wide("d a:t2"), convert_wide, compute,
       select_convert, "9.7.9.21"},
      {"cvt", "{.sat}" RADDLE_NARROW_INTEGERS "(.u64|.s64)", wide("d a:t2"), convert_wide, compute,
       select_convert, "9.7.9.21"},
      {"cvt", RADDLE_WHOLE "{.ftz}{.sat}" RADDLE_NARROW_INTEGERS RADDLE_FLOATS, wide("d a:t2"),
       convert, compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_WHOLE "{.ftz}{.sat}(.u64|.s64)(.f32|.f16|.bf16|.f64)", wide("d a:t2"),
       convert_wide, compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_WHOLE "{.sat}" RADDLE_NARROW_INTEGERS ".f64", wide("d a:t2"), convert_wide,
       compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_ROUNDING "{.ftz}{.sat}" RADDLE_FLOATS RADDLE_NARROW_INTEGERS, wide("d a:t2"),
       convert, compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_ROUNDING "{.ftz}{.sat}(.f32|.f16|.bf16)(.u64|.s64)", wide("d a:t2"),
       convert_wide, compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_ROUNDING "{.sat}.f64" RADDLE_INTEGERS, wide("d a:t2"), convert_wide, compute,
       select_convert, "9.7.9.21"},
      {"cvt", RADDLE_ROUNDING "{.ftz}{.sat}" RADDLE_FLOATS RADDLE_FLOATS, wide("d a:t2"), convert,
       compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_ROUNDING "{.ftz}{.sat}.f64(.f64|.f32|.f16|.bf16)", wide("d a:t2"),
       convert_wide, compute, select_convert, "9.7.9.21"},
      {"cvt", RADDLE_ROUNDING "{.ftz}{.sat}(.f32|.f16|.bf16).f64", wide("d a:t2"), convert_wide,
       compute, select_convert, "9.7.9.21"},

      {"cvt", "(.rn|.rz)(.relu){.satfinite}(.f16|.bf16).f32", wide("d a:t2"), convert, compute,
       select_convert_clamped, "9.7.9.21"},
      {"cvt", "(.rn|.rz)(.satfinite)(.f16|.bf16).f32", wide("d a:t2"), convert, compute,
       select_convert_clamped, "9.7.9.21"},
      {"cvt", "(.rn|.rz)" RADDLE_CLAMPS "(.f16x2|.bf16x2).f32", wide("d a:t2 b:t2"), convert,
       compute, select_convert_pair, "9.7.9.21"},
      {"cvt", "(.rn|.rz|.rna)" RADDLE_CLAMPS ".tf32.f32", wide("d:b32 a:t2"), convert, compute,
       select_convert_to_tf32, "9.7.9.21"},
      {"cvt", ".rn.satfinite{.relu}(.e4m3x2|.e5m2x2).f32", wide("d a:t2 b:t2"), convert, compute,
       select_convert_pair, "9.7.9.21"},
      {"cvt", ".rn.satfinite{.relu}(.e4m3x2|.e5m2x2).f16x2", wide("d a:t2"), convert, compute,
       select_convert_half_pair, "9.7.9.21"},
      {"cvt", ".rn{.relu}.f16x2(.e4m3x2|.e5m2x2)", wide("d a:t2"), convert, compute,
       select_convert_from_fp8, "9.7.9.21"},

      // Formats of 6 and 4 bits, and powers of two (PTX 8.6).
      {"cvt", ".rn.satfinite{.relu}.e2m1x2.f32", wide("d a:t2 b:t2"), convert, compute,
       select_convert_pair, "9.7.9.21"},
      {"cvt", ".rn.satfinite{.relu}(.e2m3x2|.e3m2x2).f32", wide("d a:t2 b:t2"), convert, compute,
       select_convert_pair, "9.7.9.21"},
      {"cvt", ".rn{.relu}.f16x2.e2m1x2", wide("d a:t2"), convert, compute, select_convert_from_fp8,
       "9.7.9.21"},
      {"cvt", ".rn{.relu}.f16x2(.e2m3x2|.e3m2x2)", wide("d a:t2"), convert, compute,
       select_convert_from_fp8, "9.7.9.21"},
      {"cvt", "(.rz|.rp){.satfinite}.ue8m0x2.f32", wide("d a:t2 b:t2"), convert, compute,
       select_convert_to_powers, "9.7.9.21"},
      {"cvt", "(.rz|.rp){.satfinite}.ue8m0x2.bf16x2", wide("d a:t2"), convert, compute,
       select_convert_to_powers, "9.7.9.21"},
      {"cvt", ".rn.bf16x2.ue8m0x2", wide("d a:t2"), convert, compute, select_convert_from_powers,
       "9.7.9.21"},

      {"cvt", ".pack.sat(.u16|.s16).s32", wide("d:u32 a:t2 b:t2"), convert, compute,
       select_convert_pack, "9.7.9.22"},
      {"cvt", ".pack.sat(.u8|.s8).s32.b32", wide("d:u32 a:t2 b:t2 c:t3"), convert, compute,
       select_convert_pack, "9.7.9.22"},
      {"cvt", ".pack.sat(.u2|.s2|.u4|.s4).s32.b32", wide("d:u32 a:t1 b:t1 c:t2"), convert, compute,
       select_convert_pack_small, "9.7.9.22", "u2 s2 u4 s4"},
  };
  return rows;
}

#undef RADDLE_INTEGERS
#undef RADDLE_NARROW_INTEGERS
#undef RADDLE_FLOATS
#undef RADDLE_WHOLE
#undef RADDLE_ROUNDING
#undef RADDLE_CLAMPS

}  // namespace raddle::isa
