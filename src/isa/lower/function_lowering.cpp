#include "isa/lower/function_lowering.h"

#include <algorithm>

#include "isa/barrier_operation.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

using Role = OperandSpec::Role;

unsigned bytes_of(ptx::Type type) { return type == ptx::Type::pred ? 0 : ptx::bits(type) / 8; }

std::uint32_t align(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

}  // namespace

std::vector<std::uint32_t> lay_out(const std::vector<ptx::Variable>& variables,
                                   std::uint32_t& end) {
  std::vector<std::uint32_t> offsets;
  for (const ptx::Variable& variable : variables) {
    end = align(end, std::max(1u, variable.alignment));
    offsets.push_back(end);
    end += static_cast<std::uint32_t>(variable.size);
  }
  return offsets;
}

FunctionLowering::FunctionLowering(const LinkedFunction& linked, Linkage& linkage, Matcher& matcher,
                                   Program& program)
    : linked_(linked),
      function_(*linked.function),
      module_(*linked.module),
      linkage_(linkage),
      matcher_(matcher),
      program_(program),
      out_(program.functions[linked.index]) {
  for (const ptx::Register& reg : function_.registers) {
    bytes_.push_back(static_cast<std::uint8_t>(bytes_of(reg.type)));
  }
}

void FunctionLowering::run() {
  out_.name = function_.name;
  out_.entry = function_.entry;
  for (unsigned d = 0, threads = 1; d < 3; ++d) {
    const std::uint32_t limit = std::max(function_.maxntid[d], function_.reqntid[d]);
    if (limit != 0) out_.max_threads = threads *= limit;
  }
  out_.min_blocks = function_.minnctapersm;
  for (const std::uint32_t size : function_.reqnctapercluster) {
    out_.cluster_blocks *= std::max(size, 1u);
  }
  lay_out_frame();
  lower_all();
  emit();
}

/// A kernel's parameters are the grid's; a function's, and what it passes on, are in its frame.
void FunctionLowering::lay_out_frame() {
  if (function_.entry) {
    parameter_offset_ = lay_out(function_.parameters, out_.parameter_bytes);
    for (std::size_t n = 0; n < function_.parameters.size(); ++n) {
      const ptx::Variable& v = function_.parameters[n];
      out_.parameters.push_back(
          {v.name, parameter_offset_[n], static_cast<std::uint32_t>(v.size), v.alignment});
    }
  } else {
    parameter_offset_ = lay_out(function_.parameters, frame_);
    return_offset_ = lay_out(function_.returns, frame_);
  }
  variable_offset_.resize(function_.variables.size());
  // Arrays come last, so that what lies past their end is past the frame's.
  for (const ptx::Space space : {ptx::Space::param, ptx::Space::local}) {
    for (std::size_t n = 0; n < function_.variables.size(); ++n) {
      const ptx::Variable& v = function_.variables[n];
      if (v.space != space) continue;
      frame_ = align(frame_, std::max(1u, v.alignment));
      variable_offset_[n] = frame_;
      frame_ += static_cast<std::uint32_t>(v.size);
    }
  }
}

void FunctionLowering::lower_all() {
  uses_alloca_ = std::any_of(function_.instructions.begin(), function_.instructions.end(),
                             [](const auto& i) { return i.opcode == "alloca"; });
  lower_prologue();
  for (const ptx::Instruction& instruction : function_.instructions) {
    start_.push_back(static_cast<std::uint32_t>(lir_.size()));
    at_ = &instruction;
    lower_instruction(instruction);
  }
  start_.push_back(static_cast<std::uint32_t>(lir_.size()));
  at_ = nullptr;
  lower_epilogue();
}

void FunctionLowering::lower_prologue() {
  if (function_.entry) return;
  for (std::size_t n = 0; n < function_.parameters.size(); ++n) {
    const ptx::Variable& v = function_.parameters[n];
    if (v.register_id == ptx::kNoId) continue;
    access_formal(false, v, parameter_offset_[n]);
  }
  if (uses_alloca_) {
    saved_stack_ = new_register(4);
    ptx::Instruction save;
    save.opcode = "stacksave";
    save.modifiers = {"u32"};
    LirInstruction lir = bare(matcher_.match(save).execute, Kind::compute, Class::move);
    lir.d = Ref::reg(saved_stack_);
    push(std::move(lir));
  }
}

/// The one way out of a .func, so that its lanes meet again before they return.
void FunctionLowering::lower_epilogue() {
  epilogue_ = static_cast<std::uint32_t>(lir_.size());
  for (std::uint32_t branch : to_epilogue_) lir_[branch].local_target = epilogue_;
  if (!function_.entry) {
    for (std::size_t n = 0; n < function_.returns.size(); ++n) {
      const ptx::Variable& v = function_.returns[n];
      if (v.register_id == ptx::kNoId) continue;
      access_formal(true, v, return_offset_[n]);
    }
    if (uses_alloca_) {
      ptx::Instruction restore;
      restore.opcode = "stackrestore";
      restore.modifiers = {"u32"};
      LirInstruction lir = bare(matcher_.match(restore).execute, Kind::compute, Class::move);
      lir.s[0] = Ref::reg(saved_stack_);
      push(std::move(lir));
    }
  }
  LirInstruction last =
      bare(execute_nothing, function_.entry ? Kind::exit : Kind::ret, Class::branch);
  last.falls_through = false;
  push(std::move(last));
}

void FunctionLowering::refuse_text(const std::string& text) const {
  throw InputError(module_.position(at_ != nullptr ? at_->at : function_.at), text);
}

LirInstruction FunctionLowering::bare(Execute execute, Kind kind, Class klass) const {
  LirInstruction lir;
  lir.out.execute = execute;
  lir.out.kind = kind;
  lir.out.klass = klass;
  lir.from = at_;
  return lir;
}

LirInstruction FunctionLowering::begin(const ptx::Instruction& instruction,
                                       const Match& match) const {
  LirInstruction lir = bare(match.execute, match.row->row->kind, match.row->row->klass);
  lir.guard = instruction.guard;
  lir.guard_negated = instruction.guard_negated;
  return lir;
}

void FunctionLowering::lower_instruction(const ptx::Instruction& instruction) {
  using Lower = void (FunctionLowering::*)(const ptx::Instruction&, const Match&);
  static const std::map<std::string_view, Lower> kSpecial = {
      {"mov", &FunctionLowering::lower_mov},     {"ld", &FunctionLowering::lower_load},
      {"ldu", &FunctionLowering::lower_load},    {"st", &FunctionLowering::lower_store},
      {"bra", &FunctionLowering::lower_branch},  {"brx", &FunctionLowering::lower_branch_table},
      {"call", &FunctionLowering::lower_call},   {"ret", &FunctionLowering::lower_return},
      {"exit", &FunctionLowering::lower_return}, {"alloca", &FunctionLowering::lower_alloca},
  };
  const Match* match = nullptr;
  try {
    match = &matcher_.match(instruction);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    refuse_text(error.what());
  }
  if (match->row->row->klass == Class::video) return lower_video(instruction, *match);
  refuse_part_selectors(instruction.operands);
  const std::string_view operands = match->row->row->operands;
  if (operands == "ignored") {
    push(begin(instruction, *match));
    lir_.back().out.execute = execute_nothing;
    return;
  }
  if (operands == "atom" || operands == "atom.cas") return lower_atomic(instruction, *match, true);
  if (operands == "red") return lower_atomic(instruction, *match, false);
  if (operands == "cp.async") return lower_cp_async(instruction, *match);
  if (operands == "line") return lower_line_hint(instruction, *match);
  if (operands == "matrix") return lower_matrix(instruction, *match);
  if (operands == "vector") return lower_vector_atomic(instruction, *match);
  if (operands == "unrounded") return lower_unrounded(instruction);
  if (operands == "f32x2") return lower_single_pair(instruction, *match);
  if (operands == "texture") return lower_texture(instruction, *match);
  if (operands == "surface") return lower_surface(instruction, *match);
  if (operands == "query") return lower_texture_query(instruction, *match);
  if (operands == "is_type") return lower_is_type(instruction, *match);
  if (operands == "mbarrier") return lower_mbarrier(instruction, *match);
  if (operands == "barrier") return lower_barrier(instruction, *match);
  if (operands == "cluster_wait") {
    if (!instruction.operands.empty()) refuse("barrier.cluster.wait takes no operands");
    LirInstruction lir = begin(instruction, *match);
    lir.out.execute = execute_nothing;
    lir.s[0] = constant(kClusterBarrier, 4);
    lir.s[1] = constant(0, 4);
    return push(std::move(lir));
  }
  if (operands == "policy" || operands == "rank") {
    LirInstruction lir = bare(match->execute, Kind::compute, Class::move);
    if (operands == "rank") {
      Form word;
      word.type = ptx::Type::u32;
      lir.out.execute = select_mov(word);
    }
    lir.guard = instruction.guard;
    lir.guard_negated = instruction.guard_negated;
    if (instruction.operands.empty()) refuse("'{}' needs a destination", instruction.opcode);
    if (operands == "rank") lir.s[0] = constant(0, 4);
    lir.d =
        destination(instruction.operands[0], operands == "rank" ? ptx::Type::u32 : ptx::Type::b64);
    return push(std::move(lir));
  }
  if (operands == "member_mask") {
    if (instruction.operands.size() != 1) refuse("bar.warp.sync needs one operand, a member mask");
    LirInstruction lir = begin(instruction, *match);
    lir.out.execute = execute_nothing;
    lir.s[3] = source(instruction.operands[0], ptx::Type::b32);
    return push(std::move(lir));
  }
  const auto special = kSpecial.find(instruction.opcode);
  if (special != kSpecial.end() && operands != "d a b") {
    return (this->*special->second)(instruction, *match);
  }
  lower_by_roles(instruction, *match);
}

/// mad.f32 as PTX up to 3.1 may write it, and ptxas compiles it for sm_20 and later (PTX ISA
/// 9.7.3.7): as fma.rn, with .ftz where the target is one that has no subnormals.
void FunctionLowering::lower_unrounded(const ptx::Instruction& instruction) {
  if (std::pair(module_.version_major, module_.version_minor) >= std::pair(3u, 2u)) {
    refuse("'mad.f32' needs a rounding modifier since PTX 3.2");
  }
  ptx::Instruction fused = instruction;
  fused.opcode = "fma";
  fused.modifiers.insert(fused.modifiers.begin(), "rn");
  const bool flushes = fused.modifiers[1] == "ftz";
  if (module_.sm < 20 && !flushes) fused.modifiers.insert(fused.modifiers.begin() + 1, "ftz");
  lower_by_roles(fused, matcher_.match(fused));
}

/// Only video instructions take parts of registers: a.b0.
void FunctionLowering::refuse_part_selectors(const std::vector<Operand>& operands) const {
  for (const Operand& operand : operands) {
    if (operand.kind == OperandKind::reg && !operand.name.empty()) {
      refuse("'.{}': only video instructions select a part of a register", operand.name);
    }
    refuse_part_selectors(operand.elements);
  }
}

/// Operands as the row's `operands` describe them.
void FunctionLowering::lower_by_roles(const ptx::Instruction& instruction, const Match& match) {
  const auto& specs = match.row->operands;
  const auto& operands = instruction.operands;
  const auto required = static_cast<std::size_t>(
      std::count_if(specs.begin(), specs.end(), [](const auto& s) { return !s.optional; }));
  if (operands.size() < required || operands.size() > specs.size()) {
    refuse("'{}' takes {} operands, not {}", instruction.opcode,
           required == specs.size() ? fmt::format("{}", required)
                                    : fmt::format("{} to {}", required, specs.size()),
           operands.size());
  }
  LirInstruction lir = begin(instruction, match);
  std::size_t optional_left = operands.size() - required, next = 0;
  for (const OperandSpec& spec : specs) {
    if (spec.optional) {
      if (optional_left == 0) {
        if (spec.role == Role::source) lir.s[spec.index] = constant(0, 4);
        continue;
      }
      --optional_left;
    }
    lower_role(spec, operands[next++], match, lir);
  }
  push(std::move(lir));
}

void FunctionLowering::lower_role(const OperandSpec& spec, const Operand& operand,
                                  const Match& match, LirInstruction& lir) {
  const ptx::Type type = spec.type(match.form);
  const bool converts = match.row->row->mnemonic == "cvt";
  switch (spec.role) {
    case Role::destination: {
      const Operand* value = &operand;
      if (operand.kind == OperandKind::pair) {
        if (spec.name != "d|p") refuse("a predicate destination is not allowed here");
        value = &operand.elements[0];
        if (operand.elements[1].kind != OperandKind::sink) lir.p = predicate(operand.elements[1]);
      }
      if (converts && value->kind == OperandKind::reg &&
          register_bytes(value->id) * 8u > ptx::bits(type)) {
        lir.d = Ref::reg(value->id);
      } else {
        lir.d = destination(*value, type);
      }
      if (converts) {
        lir.out.bytes = value->kind == OperandKind::reg ? bytes_[value->id]
                                                        : static_cast<std::uint8_t>(bytes_of(type));
      }
      break;
    }
    case Role::predicates: {
      const bool pair = operand.kind == OperandKind::pair;
      const Operand& first = pair ? operand.elements[0] : operand;
      if (first.kind != OperandKind::sink) lir.p = predicate(first);
      if (pair && operand.elements[1].kind != OperandKind::sink) {
        if (spec.name != "p|q") refuse("a second predicate destination is not allowed here");
        lir.q = predicate(operand.elements[1]);
      }
      break;
    }
    case Role::source:
      if (type == ptx::Type::pred) {
        lir.predicate_slot = spec.index;
        if (operand.kind == OperandKind::integer) {
          lir.predicate_source = kTruePredicate;
          lir.s[spec.index] =
              Ref::constant(operand.bits != 0 ? kTruePredicate : kTruePredicate | kConstantBit);
          lir.predicate_source = ptx::kNoId;
          break;
        }
        lir.predicate_source = predicate(operand);
        lir.predicate_negated = operand.negated;
        break;
      }
      if (converts && operand.kind == OperandKind::reg) {
        if (register_bytes(operand.id) * 8u < ptx::bits(type)) {
          check_register(operand.id, type, false);
        }
        lir.s[spec.index] = Ref::reg(operand.id);
        lir.out.elements = bytes_[operand.id];
        break;
      }
      if (converts) lir.out.elements = static_cast<std::uint8_t>(bytes_of(type));
      lir.s[spec.index] = source(operand, type);
      break;
    case Role::source_predicate:
      set_source_predicate(lir, operand);
      break;
    case Role::constant:
      lir.out.immediate = integer_constant(operand);
      break;
    case Role::address:
      address(lir, operand, match.form.space);
      break;
    case Role::other:
      refuse("the operand '{}' of '{}' is not supported", spec.name, match.row->row->mnemonic);
  }
}

}  // namespace raddle::isa
