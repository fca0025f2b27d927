#include "isa/passes/constant_evaluation.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "isa/semantics/lanes.h"
#include "isa/table.h"
#include "isa/warp_context.h"

namespace raddle::isa {
namespace {

template <std::size_t n>
bool contains(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_scalar(Type type) {
  switch (type) {
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::f32:
    case Type::f64:
    case Type::pred:
    case Type::none:
      return true;
    default:
      return false;
  }
}

bool rounds_to_nearest(const Form& form) {
  return form.rounding == Rounding::none || form.rounding == Rounding::rn;
}

/// Sums and products, except those with a single rounding (fma); instructions with a unit of their
/// own, but not sequences of several instructions.
bool is_computed_float(std::string_view name, const Form& form) {
  static constexpr std::string_view kArithmetic[] = {"add", "sub", "mul"};
  static constexpr std::string_view kOthers[] = {"neg", "abs", "min", "max", "slct", "set"};
  static constexpr std::string_view kApproximations[] = {"rcp", "rsqrt", "sqrt", "lg2",
                                                         "ex2", "sin",   "cos",  "div"};
  if (contains(kArithmetic, name)) return rounds_to_nearest(form);
  return contains(kOthers, name) ||
         ((form.approx || form.full) && form.type == Type::f32 && contains(kApproximations, name));
}

bool is_computed_integer(std::string_view name, const Form& form) {
  static constexpr std::string_view kNames[] = {
      "add",  "sub", "mul",   "mul24", "mad24", "min",  "max", "abs", "neg",
      "popc", "clz", "bfind", "brev",  "bfe",   "bfi",  "and", "or",  "xor",
      "not",  "shl", "cnot",  "shr",   "shf",   "slct", "set"};
  return contains(kNames, name) || (name == "mad" && form.half != Half::hi);
}

constexpr unsigned kOperandBytes = 8 * kWarpSize;  // of one row with the widest values

}  // namespace

bool is_computed_of_constants(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.out.kind != Kind::compute || lir.effects != 0) return false;
  if (lir.reads_d || !lir.parts.empty() || !lir.list.empty() || lir.form.vector != 1) return false;
  if (std::any_of(lir.writes_s.begin(), lir.writes_s.end(), [](bool writes) { return writes; })) {
    return false;
  }
  const Form& form = lir.form;
  if (!is_scalar(form.type) || !is_scalar(form.type2) || form.carry_out) return false;
  const std::string_view name = lir.opcode;
  if (name == "mov" || name == "setp" || name == "selp") return true;
  // A conversion from an integer to a double stays.
  if (name == "cvt") return form.type != Type::f64 || ptx::is_float(form.type2);
  return ptx::is_float(form.type) || ptx::is_float(form.type2) ? is_computed_float(name, form)
                                                               : is_computed_integer(name, form);
}

ConstantResults compute_of_constants(const LirInstruction& lir, const ConstantOperands& operands) {
  constexpr std::uint16_t kP = kFirstPredicate, kQ = kP + 1;
  alignas(64) std::byte rows[5 * kOperandBytes] = {};
  LaneMask predicates[kQ + 1] = {kAllLanes};
  WarpContext warp;
  warp.rows = rows;
  warp.predicates = predicates;
  warp.active = 1;
  Instruction instruction = lir.out;
  instruction.d = 0;
  for (unsigned n = 0; n < 4; ++n) {
    instruction.s[n] = (n + 1) * kOperandBytes;
    std::memcpy(rows + instruction.s[n], &operands.s[n], sizeof operands.s[n]);
  }
  if (lir.form.type == Type::pred) {
    instruction.s[lir.predicate_slot] =
        kTruePredicate | (operands.predicate_source ? 0 : kConstantBit);
  }
  instruction.source_predicate = kTruePredicate;
  instruction.source_flip = operands.source_predicate ? 0 : kAllLanes;
  instruction.p = lir.p == ptx::kNoId ? kSinkPredicate : kP;
  instruction.q = lir.q == ptx::kNoId ? kSinkPredicate : kQ;
  lir.out.execute(warp, instruction);
  ConstantResults results;
  std::memcpy(&results.d, rows, sizeof results.d);
  results.p = lane_in(predicates[kP], 0);
  results.q = lane_in(predicates[kQ], 0);
  return results;
}

}  // namespace raddle::isa
