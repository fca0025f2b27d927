#include "isa/semantics/comparison.h"

#include "isa/lower/rows.h"

namespace raddle::isa {

namespace {
// Comparison operators for signed integers, unsigned integers, floating point and untyped bits.
#define RADDLE_SIGNED "(.eq|.ne|.lt|.le|.gt|.ge)"
#define RADDLE_UNSIGNED "(.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs)"
#define RADDLE_FLOAT "(.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan)"
#define RADDLE_BOOLEAN "(.and|.or|.xor)"
#define RADDLE_EQUALITY "(.eq|.ne)"
#define RADDLE_BITS "(.b16|.b32|.b64)"
#define RADDLE_SIGNED_TYPES "(.s16|.s32|.s64)"
#define RADDLE_UNSIGNED_TYPES "(.u16|.u32|.u64)"

constexpr OperandForm set(const char* roles) { return {roles, lower_set}; }
}  // namespace

std::span<const Row> comparison_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static const Row rows[] = {
      {"set", RADDLE_EQUALITY "(.u32|.s32|.f32|.f16|.bf16)" RADDLE_BITS, set("d a:t2 b:t2"),
       int_compare, compute, select_set, "9.7.6.1"},
      {"set", RADDLE_EQUALITY RADDLE_BOOLEAN "(.u32|.s32|.f32|.f16|.bf16)" RADDLE_BITS,
       set("d a:t2 b:t2 !c"), int_compare, compute, select_set, "9.7.6.1"},
      {"setp", RADDLE_EQUALITY RADDLE_BITS, "p|q a b", int_compare, compute, select_setp,
       "9.7.6.2"},
      {"setp", RADDLE_EQUALITY RADDLE_BOOLEAN RADDLE_BITS, "p|q a b !c", int_compare, compute,
       select_setp, "9.7.6.2"},
      {"set", RADDLE_SIGNED "(.u32|.s32|.f32|.f16|.bf16)" RADDLE_SIGNED_TYPES, set("d a:t2 b:t2"),
       int_compare, compute, select_set, "9.7.6.1"},
      {"set", RADDLE_UNSIGNED "(.u32|.s32|.f32|.f16|.bf16)" RADDLE_UNSIGNED_TYPES,
       set("d a:t2 b:t2"), int_compare, compute, select_set, "9.7.6.1"},
      {"set", RADDLE_FLOAT "{.ftz}(.u32|.s32|.f32|.f16|.bf16).f32", set("d a:t2 b:t2"), int_compare,
       compute, select_set, "9.7.6.1"},
      {"set", RADDLE_FLOAT "(.u32|.s32|.f32|.f16|.bf16).f64", set("d a:t2 b:t2"), fp64, compute,
       select_set, "9.7.6.1"},
      {"set", RADDLE_SIGNED RADDLE_BOOLEAN "(.u32|.s32|.f32|.f16|.bf16)" RADDLE_SIGNED_TYPES,
       set("d a:t2 b:t2 !c"), int_compare, compute, select_set, "9.7.6.1"},
      {"set", RADDLE_UNSIGNED RADDLE_BOOLEAN "(.u32|.s32|.f32|.f16|.bf16)" RADDLE_UNSIGNED_TYPES,
       set("d a:t2 b:t2 !c"), int_compare, compute, select_set, "9.7.6.1"},
      {"set", RADDLE_FLOAT RADDLE_BOOLEAN "{.ftz}(.u32|.s32|.f32|.f16|.bf16).f32",
       set("d a:t2 b:t2 !c"), int_compare, compute, select_set, "9.7.6.1"},
      {"set", RADDLE_FLOAT RADDLE_BOOLEAN "(.u32|.s32|.f32|.f16|.bf16).f64", set("d a:t2 b:t2 !c"),
       fp64, compute, select_set, "9.7.6.1"},

      {"setp", RADDLE_SIGNED RADDLE_SIGNED_TYPES, "p|q a b", int_compare, compute, select_setp,
       "9.7.6.2"},
      {"setp", RADDLE_UNSIGNED RADDLE_UNSIGNED_TYPES, "p|q a b", int_compare, compute, select_setp,
       "9.7.6.2"},
      {"setp", RADDLE_FLOAT "{.ftz}.f32", "p|q a b", int_compare, compute, select_setp, "9.7.6.2"},
      {"setp", RADDLE_FLOAT ".f64", "p|q a b", fp64, compute, select_setp, "9.7.6.2"},
      {"setp", RADDLE_SIGNED RADDLE_BOOLEAN RADDLE_SIGNED_TYPES, "p|q a b !c", int_compare, compute,
       select_setp, "9.7.6.2"},
      {"setp", RADDLE_UNSIGNED RADDLE_BOOLEAN RADDLE_UNSIGNED_TYPES, "p|q a b !c", int_compare,
       compute, select_setp, "9.7.6.2"},
      {"setp", RADDLE_FLOAT RADDLE_BOOLEAN "{.ftz}.f32", "p|q a b !c", int_compare, compute,
       select_setp, "9.7.6.2"},
      {"setp", RADDLE_FLOAT RADDLE_BOOLEAN ".f64", "p|q a b !c", fp64, compute, select_setp,
       "9.7.6.2"},

      {"selp", "(.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64)", "d a b !c", move,
       compute, select_selp, "9.7.6.3"},
      {"slct", "(.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64).s32", "d a b c:t2",
       int_compare, compute, select_slct, "9.7.6.4"},
      {"slct", "{.ftz}(.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64).f32", "d a b c:t2",
       int_compare, compute, select_slct, "9.7.6.4"},

      {"set", RADDLE_FLOAT "{.ftz}(.f16|.u16|.s16|.u32|.s32).f16", set("d a:t2 b:t2"), half,
       compute, select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT "(.bf16|.u16|.s16|.u32|.s32).bf16", set("d a:t2 b:t2"), half, compute,
       select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT "{.ftz}(.f16x2|.u32|.s32).f16x2", set("d a:t2 b:t2"), half, compute,
       select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT "(.bf16x2|.u32|.s32).bf16x2", set("d a:t2 b:t2"), half, compute,
       select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT RADDLE_BOOLEAN "{.ftz}(.f16|.u16|.s16|.u32|.s32).f16",
       set("d a:t2 b:t2 !c"), half, compute, select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT RADDLE_BOOLEAN "(.bf16|.u16|.s16|.u32|.s32).bf16", set("d a:t2 b:t2 !c"),
       half, compute, select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT RADDLE_BOOLEAN "{.ftz}(.f16x2|.u32|.s32).f16x2", set("d a:t2 b:t2 !c"),
       half, compute, select_set, "9.7.7.1"},
      {"set", RADDLE_FLOAT RADDLE_BOOLEAN "(.bf16x2|.u32|.s32).bf16x2", set("d a:t2 b:t2 !c"), half,
       compute, select_set, "9.7.7.1"},
      {"setp", RADDLE_FLOAT "{.ftz}.f16", "p a b", half, compute, select_setp, "9.7.7.2"},
      {"setp", RADDLE_FLOAT "{.ftz}.f16x2", "p|q a b", half, compute, select_setp, "9.7.7.2"},
      {"setp", RADDLE_FLOAT ".bf16", "p a b", half, compute, select_setp, "9.7.7.2"},
      {"setp", RADDLE_FLOAT ".bf16x2", "p|q a b", half, compute, select_setp, "9.7.7.2"},
      {"setp", RADDLE_FLOAT RADDLE_BOOLEAN "{.ftz}.f16", "p a b !c", half, compute, select_setp,
       "9.7.7.2"},
      {"setp", RADDLE_FLOAT RADDLE_BOOLEAN "{.ftz}.f16x2", "p|q a b !c", half, compute, select_setp,
       "9.7.7.2"},
      {"setp", RADDLE_FLOAT RADDLE_BOOLEAN ".bf16", "p a b !c", half, compute, select_setp,
       "9.7.7.2"},
      {"setp", RADDLE_FLOAT RADDLE_BOOLEAN ".bf16x2", "p|q a b !c", half, compute, select_setp,
       "9.7.7.2"},
  };
  return rows;
}

#undef RADDLE_SIGNED
#undef RADDLE_UNSIGNED
#undef RADDLE_FLOAT
#undef RADDLE_BOOLEAN
#undef RADDLE_EQUALITY
#undef RADDLE_BITS
#undef RADDLE_SIGNED_TYPES
#undef RADDLE_UNSIGNED_TYPES

}  // namespace raddle::isa
