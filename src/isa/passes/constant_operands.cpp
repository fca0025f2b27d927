#include "isa/passes/constant_operands.h"

#include <string_view>
#include <vector>

#include "isa/passes/definitions.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// 32 or 64 for integer operations of this width without saturation and carry; else 0.
unsigned plain_bits(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.out.kind != Kind::compute || lir.effects != 0) return 0;
  if (!lir.parts.empty() || lir.form.sat || lir.form.carry_out || lir.p != ptx::kNoId) return 0;
  switch (lir.form.type) {
    case Type::b32:
    case Type::u32:
    case Type::s32:
      return 32;
    case Type::b64:
    case Type::u64:
    case Type::s64:
      return 64;
    default:
      return 0;
  }
}

class Simplification {
 public:
  using Simpler = std::optional<LirInstruction>;

  Simplification(FunctionBody& body, const LirInstruction& lir, const KnownOperands& known,
                 unsigned bits)
      : body_(body), lir_(lir), known_(known), bits_(bits) {}

  Simpler run() {
    const std::string_view name = lir_.opcode;
    if (name == "selp" && lir_.source_predicate == ptx::kNoId) {
      return move(lir_.s[lir_.source_negated ? 1 : 0]);
    }
    if (name == "mul") return product();
    if (name == "mad") return product_and_sum();
    if (name == "add" || name == "or" || name == "xor") {
      if (is(0, 0)) return move(lir_.s[1]);
      if (is(1, 0)) return move(lir_.s[0]);
    }
    if ((name == "sub" || name == "shl" || name == "shr") && is(1, 0)) return move(lir_.s[0]);
    if (name == "or" && (is(0, ones()) || is(1, ones()))) return number(ones(), bits_);
    if (name == "and") {
      if (is(0, 0) || is(1, 0)) return number(0, bits_);
      if (is(0, ones())) return move(lir_.s[1]);
      if (is(1, ones())) return move(lir_.s[0]);
    }
    return std::nullopt;
  }

 private:
  std::uint64_t ones() const { return bits_ == 64 ? ~std::uint64_t{0} : 0xFFFFFFFF; }
  bool is(unsigned n, std::uint64_t value) const { return known_[n] == value; }
  bool wide() const { return lir_.form.half == Half::wide; }
  unsigned bits_of_result() const { return wide() ? 2 * bits_ : bits_; }

  Simpler move(const Ref& from) const { return move_of(body_, lir_, from); }
  Simpler number(std::uint64_t value, unsigned bits) const {
    return move(body_.constant(value, bits / 8));
  }

  Simpler product() const {
    if (lir_.form.half == Half::hi || (wide() && bits_ != 32)) return std::nullopt;
    if (is(0, 0) || is(1, 0)) return number(0, bits_of_result());
    if (wide()) return std::nullopt;
    if (is(0, 1)) return move(lir_.s[1]);
    if (is(1, 1)) return move(lir_.s[0]);
    return std::nullopt;
  }

  std::uint64_t product_of_constants() const {
    if (!wide() || !is_signed(lir_.form.type)) return *known_[0] * *known_[1];
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::int32_t>(*known_[0])) *
        static_cast<std::int32_t>(*known_[1]));
  }

  Simpler product_and_sum() const {
    if (lir_.form.half == Half::hi || (wide() && bits_ != 32)) return std::nullopt;
    if (is(0, 0) || is(1, 0)) return move(lir_.s[2]);
    if (known_[0] && known_[1]) {
      const std::uint64_t product = product_of_constants();
      return sum(lir_.s[2], body_.constant(product, bits_of_result() / 8));
    }
    if (is(2, 0)) {
      Simpler alone =
          same_line(wide() ? body_.make("mul", {"wide", ptx::name(lir_.form.type)}, lir_)
                           : body_.make("mul", {"lo", ptx::name(lir_.form.type)}, lir_));
      alone->s[0] = lir_.s[0];
      alone->s[1] = lir_.s[1];
      return alone;
    }
    if (wide()) return std::nullopt;
    if (is(0, 1)) return sum(lir_.s[1], lir_.s[2]);
    if (is(1, 1)) return sum(lir_.s[0], lir_.s[2]);
    return std::nullopt;
  }

  LirInstruction same_line(LirInstruction made) const {
    made.guard = lir_.guard;
    made.guard_negated = lir_.guard_negated;
    made.others_unread = lir_.others_unread;
    made.d = lir_.d;
    return made;
  }

  Simpler sum(const Ref& a, const Ref& b) const {
    Simpler made = same_line(body_.make("add", {bits_of_result() == 64 ? "s64" : "s32"}, lir_));
    made->s[0] = a;
    made->s[1] = b;
    return made;
  }

  FunctionBody& body_;
  const LirInstruction& lir_;
  const KnownOperands& known_;
  unsigned bits_;
};

/// Joins two operations of the same kind with one constant each.
class ConstantJoining {
 public:
  explicit ConstantJoining(FunctionBody& body) : body_(body), uses_(body) {}

  unsigned run() {
    std::vector<InstructionId> gone;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        const InstructionId first = join(id, block);
        if (first != kNoInstruction) gone.push_back(first);
        uses_.step(id);
      }
    }
    for (const InstructionId id : gone) body_.erase(id);
    return static_cast<unsigned>(gone.size());
  }

 private:
  InstructionId join(InstructionId id, BlockId block) {
    const LirInstruction& second = body_[id];
    const unsigned bits = plain_bits(second);
    if (bits == 0 || !second.s[0].is_register() || !body_.constant_value(second.s[1])) {
      return kNoInstruction;
    }
    const InstructionId made = uses_.maker(second.s[0].id, block);
    if (made == kNoInstruction) return kNoInstruction;
    const LirInstruction& first = body_[made];
    if (plain_bits(first) != bits || !first.s[0].is_register()) return kNoInstruction;
    const auto a = body_.constant_value(first.s[1]), b = body_.constant_value(second.s[1]);
    if (!a || first.conditional()) return kNoInstruction;
    const auto both = joined(first, second, *a, *b, bits);
    if (!both) return kNoInstruction;
    const Ref base = first.s[0];
    LirInstruction& changed = body_.change(id);
    changed.s[0] = base;
    changed.s[1] = body_.constant(*both, is_shift(second) ? 4 : bits / 8);
    return made;
  }

  static bool is_shift(const LirInstruction& lir) {
    return lir.opcode == "shl" || lir.opcode == "shr";
  }

  /// The constant with which the second operation does the work of both.
  static std::optional<std::uint64_t> joined(const LirInstruction& first,
                                             const LirInstruction& second, std::uint64_t a,
                                             std::uint64_t b, unsigned bits) {
    const std::string_view one = first.opcode, two = second.opcode;
    const bool sums = (one == "add" || one == "sub") && (two == "add" || two == "sub");
    if (sums) return one == two ? b + a : b - a;
    if (one != two) return std::nullopt;
    if (one == "and") return a & b;
    if (one == "or") return a | b;
    if (one == "xor") return a ^ b;
    const bool low = first.form.half == Half::lo && second.form.half == Half::lo;
    if (one == "mul" && low) return a * b;
    const bool alike = one == "shl" || is_signed(first.form.type) == is_signed(second.form.type);
    if (is_shift(first) && alike && a < bits && b < bits && a + b < bits) return a + b;
    return std::nullopt;
  }

  FunctionBody& body_;
  OnlyUses uses_;
};

}  // namespace

std::optional<Ref> copied_constant(const FunctionBody& body, const LirInstruction& lir) {
  if (lir.conditional() || lir.out.kind != Kind::compute || !lir.d.is_register()) return {};
  if (lir.row == nullptr || lir.opcode != "mov" || lir.form.vector != 1) return {};
  if (lir.s[0].kind != Ref::Kind::constant) return {};
  if (lir.writes_s[1] || lir.s[1].kind != Ref::Kind::none) return {};
  const unsigned bits = ptx::bits(lir.form.type);
  if (bits < 16 || bits > 64 || body.register_bytes(lir.d.id) * 8 != bits) return {};
  return lir.s[0];
}

LirInstruction move_of(FunctionBody& body, const LirInstruction& lir, const Ref& from) {
  const unsigned bytes = body.register_bytes(lir.d.id);
  LirInstruction move = body.make("mov", {bytes == 8 ? "b64" : bytes == 4 ? "b32" : "b16"}, lir);
  move.guard = lir.guard;
  move.guard_negated = lir.guard_negated;
  move.others_unread = lir.others_unread;
  move.d = lir.d;
  move.s[0] = from;
  return move;
}

std::optional<LirInstruction> without_neutral(FunctionBody& body, const LirInstruction& lir,
                                              const KnownOperands& known) {
  const unsigned bits = plain_bits(lir);
  if (bits == 0) return std::nullopt;
  const bool any = known[0] || known[1] || known[2] || lir.opcode == "selp";
  return any ? Simplification(body, lir, known, bits).run() : std::nullopt;
}

unsigned join_constants(FunctionBody& body) { return ConstantJoining(body).run(); }

}  // namespace raddle::isa
