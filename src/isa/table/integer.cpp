#include "isa/semantics/integer.h"

#include "isa/lower/rows.h"

namespace raddle::isa {

std::span<const Row> integer_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static constexpr std::string_view kAll = "(.u16|.u32|.u64|.s16|.s32|.s64)";
  static constexpr std::string_view kSigned = "(.s16|.s32|.s64)";
  static constexpr std::string_view kWords = "(.u32|.s32|.u64|.s64)";
  static constexpr OperandForm kField{"d a b:u32 c:u32", lower_bit_field};
  static constexpr OperandForm kFieldInto{"d a b c:u32 e:u32", lower_bit_field};
  static const Row rows[] = {
      {"add", kAll, "d a b", int_add, compute, select_add, "9.7.1.1"},
      {"add", "(.u16x2|.s16x2)", "d a b", int_add, compute, select_add, "9.7.1.1"},
      {"add", ".sat.s32", "d a b", int_add, compute, select_add, "9.7.1.1"},
      {"sub", kAll, "d a b", int_add, compute, select_sub, "9.7.1.2"},
      {"sub", ".sat.s32", "d a b", int_add, compute, select_sub, "9.7.1.2"},
      {"mul", "(.lo)(.u16|.s16|.u32|.s32)", "d a b", int_mul, compute, select_mul, "9.7.1.3"},
      {"mul", "(.lo)(.u64|.s64)", "d a b", int_mul_wide, compute, select_mul, "9.7.1.3"},
      {"mul", "(.hi)(.u16|.s16|.u32|.s32|.u64|.s64)", "d a b", int_mul_wide, compute, select_mul,
       "9.7.1.3"},
      {"mul", ".wide(.u16|.s16)", "d:w a b", int_mul, compute, select_mul, "9.7.1.3"},
      {"mul", ".wide(.u32|.s32)", "d:w a b", int_mul_wide, compute, select_mul, "9.7.1.3"},
      {"mad", "(.lo)(.u16|.s16|.u32|.s32)", "d a b c", int_mul, compute, select_mad, "9.7.1.4"},
      {"mad", "(.lo)(.u64|.s64)", "d a b c", int_mul_wide, compute, select_mad, "9.7.1.4"},
      {"mad", "(.hi)(.u16|.s16|.u32|.s32|.u64|.s64)", "d a b c", int_mul_wide, compute, select_mad,
       "9.7.1.4"},
      {"mad", ".hi.sat.s32", "d a b c", int_mul_wide, compute, select_mad, "9.7.1.4"},
      {"mad", ".wide(.u16|.s16)", "d:w a b c:w", int_mul, compute, select_mad, "9.7.1.4"},
      {"mad", ".wide(.u32|.s32)", "d:w a b c:w", int_mul_wide, compute, select_mad, "9.7.1.4"},
      {"mul24", "(.hi|.lo)(.u32|.s32)", "d a b", int_mul, compute, select_mul24, "9.7.1.5"},
      {"mad24", "(.hi|.lo)(.u32|.s32)", "d a b c", int_mul, compute, select_mad24, "9.7.1.6"},
      {"mad24", ".hi.sat.s32", "d a b c", int_mul, compute, select_mad24, "9.7.1.6"},
      {"sad", kAll, "d a b c", int_add, compute, select_sad, "9.7.1.7"},
      {"div", kAll, "d a b", int_div, compute, select_div, "9.7.1.8"},
      {"rem", kAll, "d a b", int_div, compute, select_rem, "9.7.1.9"},
      {"abs", kSigned, "d a", int_add, compute, select_abs, "9.7.1.10"},
      {"neg", kSigned, "d a", int_add, compute, select_neg, "9.7.1.11"},
      {"min", kAll, "d a b", int_compare, compute, select_min, "9.7.1.12"},
      {"min", "(.u16x2)", "d a b", int_compare, compute, select_min, "9.7.1.12"},
      {"min", ".s16x2", "d a b", int_compare, compute, select_min, "9.7.1.12"},
      {"min", ".relu(.s16x2|.s32)", "d a b", int_compare, compute, select_min, "9.7.1.12"},
      {"min", "(.s16x2|.s32).relu", "d a b", int_compare, compute, select_min, "9.7.1.12"},
      {"max", kAll, "d a b", int_compare, compute, select_max, "9.7.1.13"},
      {"max", "(.u16x2)", "d a b", int_compare, compute, select_max, "9.7.1.13"},
      {"max", ".s16x2", "d a b", int_compare, compute, select_max, "9.7.1.13"},
      {"max", ".relu(.s16x2|.s32)", "d a b", int_compare, compute, select_max, "9.7.1.13"},
      {"max", "(.s16x2|.s32).relu", "d a b", int_compare, compute, select_max, "9.7.1.13"},

      {"popc", "(.b32|.b64)", "d:u32 a", bit_count, compute, select_popc, "9.7.1.14"},
      {"clz", "(.b32|.b64)", "d:u32 a", leading_zeros, compute, select_clz, "9.7.1.15"},
      {"bfind", "{.shiftamt}(.u32|.u64|.s32|.s64)", "d:u32 a", bit_count, compute, select_bfind,
       "9.7.1.16"},
      {"fns", ".b32", "d a b:u32 c:s32", bit_field, compute, select_fns, "9.7.1.17"},
      {"brev", "(.b32|.b64)", "d a", bit_field, compute, select_brev, "9.7.1.18"},
      {"bfe", kWords, kField, bit_field, compute, select_bfe, "9.7.1.19"},
      {"bfi", "(.b32|.b64)", kFieldInto, bit_field, compute, select_bfi, "9.7.1.20"},
      {"szext", "(.clamp|.wrap)(.u32|.s32)", "d a b:u32", bit_field, compute, select_szext,
       "9.7.1.21"},
      {"bmsk", "(.clamp|.wrap).b32", "d a:u32 b:u32", bit_field, compute, select_bmsk, "9.7.1.22"},

      {"add", ".cc(.u32|.s32|.u64|.s64)", "d a b", int_add, compute, select_add_carry_out,
       "9.7.2.1"},
      {"addc", "{.cc}(.u32|.s32|.u64|.s64)", "d a b", int_add, compute, select_addc, "9.7.2.2", "",
       kReadsCarry},
      {"sub", ".cc(.u32|.s32|.u64|.s64)", "d a b", int_add, compute, select_sub_carry_out,
       "9.7.2.3"},
      {"subc", "{.cc}(.u32|.s32|.u64|.s64)", "d a b", int_add, compute, select_subc, "9.7.2.4", "",
       kReadsCarry},
      {"mad", "(.hi|.lo).cc(.u32|.s32|.u64|.s64)", "d a b c", int_mul_wide, compute,
       select_mad_carry_out, "9.7.2.5"},
      {"madc", "(.hi|.lo){.cc}(.u32|.s32|.u64|.s64)", "d a b c", int_mul_wide, compute, select_madc,
       "9.7.2.6", "", kReadsCarry},
  };
  return rows;
}

}  // namespace raddle::isa
