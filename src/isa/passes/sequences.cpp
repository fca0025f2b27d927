// How many machine instructions stand for one of PTX. Divisions, roots and functions of possibly
// denormal numbers are sequences, and 64-bit integers take an instruction for each half. The counts
// are those of the usual path (operands that are neither denormal nor near the ends of the range)
// in code by ptxas 13.0 for sm_75, whose instructions are those of sm_70; for sm_80 and sm_90 they
// are the same or differ by one. They say how long a scheduler issues an instruction
// (Instruction::unit), and change neither code nor results. isa/slow_path.h has the costs of other
// operands.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "isa/passes/built_in.h"
#include "isa/passes/sequences.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

struct Sequence {
  std::string_view mnemonic;
  unsigned count;
};

template <std::size_t n>
unsigned find(const std::array<Sequence, n>& sequences, std::string_view mnemonic) {
  const auto found =
      std::find_if(sequences.begin(), sequences.end(),
                   [&](const Sequence& sequence) { return sequence.mnemonic == mnemonic; });
  return found == sequences.end() ? 1 : found->count;
}

/// IADD3 and IADD3.X, LOP3 twice ...; a product of 64 bits takes four of 32.
unsigned of_double_word(const LirInstruction& lir) {
  constexpr std::array kHalves = {Sequence{"add", 2}, Sequence{"sub", 2},  Sequence{"neg", 2},
                                  Sequence{"abs", 4}, Sequence{"min", 4},  Sequence{"max", 4},
                                  Sequence{"and", 2}, Sequence{"or", 2},   Sequence{"xor", 2},
                                  Sequence{"not", 2}, Sequence{"shl", 2},  Sequence{"shr", 2},
                                  Sequence{"set", 2}, Sequence{"setp", 2}, Sequence{"selp", 2},
                                  Sequence{"clz", 7}, Sequence{"popc", 3}, Sequence{"brev", 2}};
  const std::string_view mnemonic = lir.opcode;
  const bool has_sign = is_signed(lir.form.type);
  if (mnemonic == "mul" || mnemonic == "mad") return lir.form.half == Half::hi ? 7 : 4;
  if (mnemonic == "div") return has_sign ? 84 : 68;
  if (mnemonic == "rem") return has_sign ? 80 : 64;
  return find(kHalves, mnemonic);
}

unsigned of_word(const LirInstruction& lir, bool constants) {
  constexpr std::array kSequences = {Sequence{"clz", 2}, Sequence{"mul24", 3}, Sequence{"mad24", 3},
                                     Sequence{"slct", 2}};
  const std::string_view mnemonic = lir.opcode;
  const bool has_sign = is_signed(lir.form.type);
  // A constant divisor does not lead to a product with a known reciprocal: only the part that
  // depends on the divisor alone disappears.
  const bool by_constant = lir.s[1].kind == Ref::Kind::constant;
  if (mnemonic == "div" && by_constant) return has_sign ? 18 : 14;
  if (mnemonic == "rem" && by_constant) return has_sign ? 16 : 13;
  if (lir.out.klass == Class::int_quotient)
    return (has_sign ? 11 : 8) + (mnemonic == "div" ? 1 : 0);
  if (mnemonic == "div") return has_sign ? 24 : 18;
  if (mnemonic == "rem") return has_sign ? 22 : 17;
  // SHF and SGXT, or a shift and LOP3; unknown operands first need their bytes extracted.
  if (mnemonic == "bfe") return constants ? 2 : 6;
  if (mnemonic == "bfi") return constants ? 2 : 7;
  return find(kSequences, mnemonic);
}

/// MUFU, with instructions around it that scale denormal operands or results (unless .ftz), or
/// round.
unsigned of_single(const LirInstruction& lir) {
  const std::string_view mnemonic = lir.opcode;
  const Form& form = lir.form;
  if (mnemonic == "sin" || mnemonic == "cos") return 2;
  if (mnemonic == "lg2" || mnemonic == "ex2" || mnemonic == "rsqrt") return form.ftz ? 1 : 4;
  if (mnemonic == "div") {
    if (form.approx) return form.ftz ? 2 : 5;
    if (form.full) return form.ftz ? 5 : 8;
    return 11;
  }
  if (mnemonic == "rcp") return !form.approx ? 11 : form.ftz ? 1 : 7;
  if (mnemonic == "sqrt") return !form.approx ? 11 : form.ftz ? 1 : 4;
  return mnemonic == "testp" ? 2 : 1;
}

unsigned of_double(const LirInstruction& lir) {
  constexpr std::array kSequences = {
      Sequence{"div", 17}, Sequence{"rcp", 12}, Sequence{"sqrt", 19}, Sequence{"rsqrt", 15},
      Sequence{"min", 6},  Sequence{"max", 6},  Sequence{"selp", 2}};
  const bool alone = lir.form.approx && lir.form.ftz;  // MUFU.RCP64H
  return alone ? 1 : find(kSequences, lir.opcode);
}

/// BREV runs in the unit that counts bits: control codes for sm_75 leave as many cycles after it as
/// after POPC, and its latency on Volta is that of POPC (PPT).
bool is_reversal(const LirInstruction& lir) {
  return lir.row != nullptr && lir.opcode == "brev" && lir.out.klass == Class::bit_field;
}

class Sequences : public Pass {
 public:
  explicit Sequences(const PassTarget& target) : known_(target.compute_major >= 7) {}
  const char* name() const override { return "sequences"; }
  const char* meaning() const override {
    return "instructions that are several of the machine's (divisions, roots, 64-bit integers) are "
           "issued for as many cycles, and reversals of bits run where bits are counted; on "
           "compute capability 7.0 and later, whose "
           "code is known";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    unsigned sequences = 0, more = 0;
    for (const BlockId block : known_ ? body.blocks() : std::vector<BlockId>{}) {
      for (const InstructionId id : body.instructions(block)) {
        if (is_reversal(body[id])) body.change(id).out.klass = Class::bit_count;
        const unsigned count = machine_instructions(body[id]);
        if (count == 1) continue;
        Instruction& out = body.change(id).out;
        out.unit = static_cast<std::uint8_t>(count - 1);
        out.slow_path = slow_path(body[id]);
        ++sequences;
        more += count - 1;
      }
    }
    notes.push_back(
        fmt::format("{} instructions stand for {} more in machine code", sequences, more));
  }

 private:
  bool known_;
};

}  // namespace

unsigned machine_instructions(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.out.kind != Kind::compute || !lir.parts.empty()) return 1;
  const std::string_view mnemonic = lir.opcode;
  // In cvt the type of the operands comes second; among integers both are moves.
  if (mnemonic == "cvt" || lir.form.half == Half::wide) return 1;
  switch (lir.form.type) {
    case Type::b64:
    case Type::u64:
    case Type::s64:
      return of_double_word(lir);
    case Type::u16:
    case Type::s16:
    case Type::b32:
    case Type::u32:
    case Type::s32: {
      const bool constants =
          lir.s[1].kind == Ref::Kind::constant || lir.s[2].kind == Ref::Kind::constant;
      return of_word(lir, constants);
    }
    case Type::f32:
      return of_single(lir);
    case Type::f64:
      return of_double(lir);
    default:
      return 1;
  }
}

SlowPath slow_path(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.out.kind != Kind::compute || !lir.parts.empty()) {
    return SlowPath::none;
  }
  const std::string_view mnemonic = lir.opcode;
  const Form& form = lir.form;
  const bool single = form.type == Type::f32;
  switch (form.type) {
    case Type::u64:
    case Type::s64:
      return mnemonic == "div" || mnemonic == "rem" ? SlowPath::always : SlowPath::none;
    case Type::f32:
    case Type::f64:
      if (form.approx || form.full) return SlowPath::none;
      if (mnemonic == "div") return single ? SlowPath::quotient : SlowPath::double_quotient;
      if (mnemonic == "rcp") return single ? SlowPath::reciprocal : SlowPath::double_reciprocal;
      if (mnemonic == "sqrt") return single ? SlowPath::root : SlowPath::double_root;
      return SlowPath::none;
    default:
      return SlowPath::none;
  }
}

std::shared_ptr<const Pass> machine_sequences(const PassTarget& target) {
  return std::make_shared<Sequences>(target);
}

}  // namespace raddle::isa
