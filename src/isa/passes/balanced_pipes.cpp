// Moves additions, moves and shifts to the multiplication pipe, where that pipe has less to do than
// the integer pipe. From Volta on the two pipes are separate, and machine code has such
// instructions as IMAD (IMAD.IADD, IMAD.MOV, IMAD.SHL). For HeCBench's chacha20 on sm_90, ptxas
// 13.0 writes 359 of 372 additions in this form, beside 838 logical operations, shifts and
// permutations that only the integer pipe executes.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "isa/passes/built_in.h"

namespace raddle::isa {
namespace {

constexpr Class kMultiplies = Class::int_mul;

/// The two units.
struct Units {
  PassTarget::Pipes integers, products;
  float all = 0;  // most pipes of any class in the unit of products

  explicit Units(const PassTarget& target)
      : integers(target.pipes_of(Class::int_add)), products(target.pipes_of(kMultiplies)) {
    for (const PassTarget::Pipes& of : target.pipes) {
      if (of.unit == products.unit) all = std::max(all, of.pipes);
    }
  }
};

/// For how many cycles a block keeps the two units busy.
struct Work {
  float integers = 0;
  float products = 0;  // only classes that have no more pipes than products
  float of_unit = 0;   // cycles of one pipe: all instructions in the unit of products

  /// One addition becomes a product.
  void move(const Units& units) {
    integers -= units.integers.interval / units.integers.pipes;
    products += units.products.interval / units.products.pipes;
    of_unit += units.products.interval;
  }
  float multiplying(const Units& units) const { return std::max(products, of_unit / units.all); }
};

class Balancing {
 public:
  Balancing(FunctionBody& body, const PassTarget& target)
      : body_(body), target_(target), units_(target) {}

  std::string run() {
    for (const BlockId block : body_.blocks()) balance(block);
    return fmt::format("{} of {} additions, moves and shifts go to the pipe of multiplications",
                       moved_, candidates_);
  }

 private:
  /// Moves instructions until the multiplication unit has as much to do as the integer unit. The
  /// moved ones are spread evenly over the block.
  void balance(BlockId block) {
    std::vector<InstructionId> movable;
    Work work = work_of(block, movable);
    candidates_ += movable.size();
    std::size_t moves = 0;
    while (moves < movable.size()) {
      work.move(units_);
      if (work.integers < work.multiplying(units_)) break;
      ++moves;
    }
    std::size_t due = 0;
    for (const InstructionId id : movable) {
      due += moves;
      if (due < movable.size()) continue;
      due -= movable.size();
      body_.change(id).out.klass = kMultiplies;
      ++moved_;
    }
  }

  Work work_of(BlockId block, std::vector<InstructionId>& movable) const {
    Work work;
    for (const InstructionId id : body_.instructions(block)) {
      const PassTarget::Pipes& of = target_.pipes_of(body_[id].out.klass);
      if (of.unit == units_.integers.unit) {
        work.integers += of.interval / of.pipes;
        if (may_move(body_[id])) movable.push_back(id);
      } else if (of.unit == units_.products.unit) {
        work.of_unit += of.interval;
        if (of.pipes <= units_.products.pipes) work.products += of.interval / of.pipes;
      }
    }
    return work;
  }

  /// Whether IMAD can do it: a 32-bit sum or difference of two registers, a copy, or a shift by a
  /// constant.
  bool may_move(const LirInstruction& lir) const {
    if (lir.row == nullptr || lir.out.kind != Kind::compute || !lir.parts.empty()) return false;
    if (lir.effects != 0 || !lir.d.is_register() || body_.register_bytes(lir.d.id) != 4)
      return false;
    if (lir.opcode == "mov") return lir.s[0].kind == Ref::Kind::constant || lir.s[0].is_register();
    if (lir.form.sat || lir.form.carry_out) return false;
    if (lir.opcode == "add" || lir.opcode == "sub") {
      return lir.out.klass == Class::int_add && in_register(lir.s[0]) && in_register(lir.s[1]);
    }
    return lir.opcode == "shl" && in_register(lir.s[0]) &&
           body_.constant_value(lir.s[1]).has_value();
  }

  /// IMAD.IADD has room for one constant, and its factor takes that.
  bool in_register(const Ref& ref) const {
    return ref.is_register() && !body_.in_constant_bank(ref.id);
  }

  FunctionBody& body_;
  const PassTarget& target_;
  Units units_;
  std::size_t moved_ = 0, candidates_ = 0;
};

class BalancedPipes : public Pass {
 public:
  explicit BalancedPipes(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "balanced_pipes"; }
  const char* meaning() const override {
    return "put additions, moves and shifts on the pipe of multiplications where the integer pipe "
           "has "
           "more to do; on compute capability 7.0 and later";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const bool apart = target_.pipes_of(kMultiplies).unit != target_.pipes_of(Class::int_add).unit;
    if (target_.compute_major >= 7 && apart) notes.push_back(Balancing(body, target_).run());
  }

 private:
  PassTarget target_;
};

}  // namespace

std::shared_ptr<const Pass> balanced_pipes(const PassTarget& target) {
  return std::make_shared<BalancedPipes>(target);
}

}  // namespace raddle::isa
