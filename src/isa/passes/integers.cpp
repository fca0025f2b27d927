// Integer arithmetic as in machine code. A product or shifted value that is only added to another
// value becomes one instruction with the sum (IMAD, LEA). Products by powers of two become shifts,
// and conversions among integers become moves, shifts or permutations of bytes. Floating-point
// products and sums stay separate, because joining them would round once instead of twice.
#include <fmt/core.h>

#include <bit>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool is_plain(const LirInstruction& lir, std::string_view mnemonic) {
  return lir.row != nullptr && lir.opcode == mnemonic && lir.out.kind == Kind::compute &&
         !lir.form.sat && !lir.form.carry_out && lir.parts.empty() && lir.effects == 0;
}

bool is_word(Type type) { return type == Type::u32 || type == Type::s32; }
bool is_double_word(Type type) { return type == Type::u64 || type == Type::s64; }
bool is_integer(Type type) {
  switch (type) {
    case Type::u8:
    case Type::s8:
    case Type::u16:
    case Type::s16:
    case Type::u32:
    case Type::s32:
    case Type::u64:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

class Rewriting {
 public:
  explicit Rewriting(FunctionBody& body) : body_(body), uses_(body) {}

  std::string run() {
    std::vector<InstructionId> gone;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        rewrite(id, block, gone);
        uses_.step(id);
      }
    }
    for (const InstructionId id : gone) body_.erase(id);
    return fmt::format(
        "{} products added in one instruction, {} products are shifts, {} conversions are moves",
        joined_, shifted_, converted_);
  }

 private:
  void rewrite(InstructionId id, BlockId block, std::vector<InstructionId>& gone) {
    const LirInstruction& lir = body_[id];
    if (is_plain(lir, "add")) return join(id, block, gone);
    if (is_plain(lir, "mul") && lir.form.half == Half::lo) return shift(id);
    if (is_plain(lir, "cvt")) return convert(id);
  }

  void join(InstructionId id, BlockId block, std::vector<InstructionId>& gone) {
    for (unsigned operand = 0; operand < 2; ++operand) {
      const LirInstruction& sum = body_[id];
      if (!sum.s[operand].is_register()) continue;
      const std::uint32_t reg = sum.s[operand].id;
      const InstructionId made = uses_.maker_of_several(reg, block);
      if (made == kNoInstruction) continue;
      // When several sums share one product, each sum of 64 bits would take two instructions.
      const bool alone = uses_.alone(reg);
      if (!alone && body_[made].form.half != Half::wide) continue;
      auto whole = product_and_sum(body_[made], sum, sum.s[1 - operand]);
      if (!whole) continue;
      whole->guard = sum.guard;
      whole->guard_negated = sum.guard_negated;
      body_.replace(id, std::move(*whole));
      if (alone) gone.push_back(made);
      ++joined_;
      return;
    }
  }

  std::optional<LirInstruction> product_and_sum(const LirInstruction& product,
                                                const LirInstruction& sum, const Ref& other) {
    const Type type = sum.form.type;
    std::optional<LirInstruction> whole;
    if (is_plain(product, "mul") && product.form.half == Half::lo && is_word(type) &&
        is_word(product.form.type)) {
      whole = body_.make("mad", {"lo", "u32"}, sum);
      whole->s[1] = product.s[1];
    } else if (is_plain(product, "mul") && product.form.half == Half::wide &&
               is_double_word(type) && is_word(product.form.type)) {
      whole = body_.make("mad", {"wide", product.form.type == Type::s32 ? "s32" : "u32"}, sum);
      whole->s[1] = product.s[1];
    } else if (is_plain(product, "shl") && is_word(type) && ptx::bits(product.form.type) == 32) {
      const auto by = body_.constant_value(product.s[1]);
      if (!by || *by > 31) return std::nullopt;
      whole = body_.make("mad", {"lo", "u32"}, sum);
      whole->out.klass = Class::int_shift;  // LEA, ISCADD
      whole->s[1] = body_.constant(std::uint64_t{1} << *by, 4);
    }
    if (!whole) return std::nullopt;
    // Machine code has room for one constant.
    const bool constants =
        whole->s[1].kind == Ref::Kind::constant || product.s[0].kind == Ref::Kind::constant;
    if (constants && other.kind == Ref::Kind::constant && whole->out.klass != Class::int_shift) {
      return std::nullopt;
    }
    whole->d = sum.d;
    whole->s[0] = product.s[0];
    whole->s[2] = other;
    return whole;
  }

  void shift(InstructionId id) {
    const LirInstruction& product = body_[id];
    const unsigned bits = ptx::bits(product.form.type);
    if (bits != 32 && bits != 64) return;
    for (unsigned operand = 0; operand < 2; ++operand) {
      const auto factor = body_.constant_value(product.s[operand]);
      if (!factor || !std::has_single_bit(*factor)) continue;
      LirInstruction instead = body_.make("shl", {bits == 64 ? "b64" : "b32"}, product);
      instead.guard = product.guard;
      instead.guard_negated = product.guard_negated;
      instead.d = product.d;
      instead.s[0] = product.s[1 - operand];
      instead.s[1] = body_.constant(static_cast<std::uint64_t>(std::countr_zero(*factor)), 4);
      body_.replace(id, std::move(instead));
      ++shifted_;
      return;
    }
  }

  void convert(InstructionId id) {
    const LirInstruction& lir = body_[id];
    const bool among_integers = is_integer(lir.form.type) && is_integer(lir.form.type2);
    if (!among_integers || lir.form.satfinite || lir.form.relu) return;
    if (lir.out.klass != Class::convert && lir.out.klass != Class::convert_wide) return;
    body_.change(id).out.klass = Class::int_logic;
    ++converted_;
  }

  FunctionBody& body_;
  OnlyUses uses_;
  unsigned joined_ = 0, shifted_ = 0, converted_ = 0;
};

class Integers : public Pass {
 public:
  const char* name() const override { return "integers"; }
  const char* meaning() const override {
    return "multiply and add integers in one instruction, shift instead of multiplying by powers "
           "of two, convert among integers by moves";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    notes.push_back(Rewriting(body).run());
  }
};

}  // namespace

std::shared_ptr<const Pass> integer_arithmetic() { return std::make_shared<Integers>(); }

}  // namespace raddle::isa
