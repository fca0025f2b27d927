#include "isa/semantics/logic.h"

namespace raddle::isa {

std::span<const Row> logic_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static constexpr std::string_view kBits = "(.b16|.b32|.b64)";
  static const Row rows[] = {
      {"and", kBits, "d a b", int_logic, compute, select_and, "9.7.8.1"},
      {"and", ".pred", "p a:pred !c", move, compute, select_and, "9.7.8.1"},
      {"or", kBits, "d a b", int_logic, compute, select_or, "9.7.8.2"},
      {"or", ".pred", "p a:pred !c", move, compute, select_or, "9.7.8.2"},
      {"xor", kBits, "d a b", int_logic, compute, select_xor, "9.7.8.3"},
      {"xor", ".pred", "p a:pred !c", move, compute, select_xor, "9.7.8.3"},
      {"not", kBits, "d a", int_logic, compute, select_not, "9.7.8.4"},
      {"not", ".pred", "p a:pred", move, compute, select_not, "9.7.8.4"},
      {"cnot", kBits, "d a", int_logic, compute, select_cnot, "9.7.8.5"},
      {"lop3", ".b32", "d_ a b c #e", int_logic, compute, select_lop3, "9.7.8.6"},
      {"lop3", "(.and|.or).b32", "d_|p! a b c #e !c", int_logic, compute, select_lop3_predicate,
       "9.7.8.6"},
      {"shf", ".l(.clamp|.wrap).b32", "d a b c:u32", int_shift, compute, select_shf_left, "9.7.8.7",
       "l"},
      {"shf", ".r(.clamp|.wrap).b32", "d a b c:u32", int_shift, compute, select_shf_right,
       "9.7.8.7", "r"},
      {"shl", kBits, "d a b:u32", int_shift, compute, select_shl, "9.7.8.8"},
      {"shr", "(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64)", "d a b:u32", int_shift, compute,
       select_shr, "9.7.8.9"},
      {"prmt", ".b32{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "d a b c", bit_field, compute, select_prmt,
       "9.7.9.7"},
  };
  return rows;
}

}  // namespace raddle::isa
