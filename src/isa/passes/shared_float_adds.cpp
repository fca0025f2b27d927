// Additions of floating-point numbers to shared memory are loops: load, add, compare and swap, and
// repeat while another lane was faster. Hardware adds only integers there (from compute capability
// 5.0 on). In machine code the swap is ATOMS.CAST.SPIN, which takes no longer if lanes want the
// same word. Older GPUs lock all shared atomics, which shared.atomic_passes describes.
#include <fmt/core.h>

#include "isa/passes/built_in.h"
#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool is_loop(const LirInstruction& lir) {
  if (lir.row == nullptr || (lir.opcode != "atom" && lir.opcode != "red")) return false;
  const Form& form = lir.form;
  const bool one = form.vector <= 1 && lir.list.empty() && lir.memory.space == Space::shared;
  return one && form.operation == Operation::add &&
         (form.type == Type::f32 || form.type == Type::f64);
}

/// Properties that the instructions of the loop share.
struct Words {
  unsigned bytes;
  const char *bits, *real;
};

class AddingLoops {
 public:
  explicit AddingLoops(FunctionBody& body) : body_(body) {}

  /// Replaces the addition, and returns the block after the loop, with the instructions that
  /// followed.
  BlockId expand(BlockId block, InstructionId id) {
    const LirInstruction add = body_[id];
    const Words words =
        ptx::bytes(add.form.type) == 8 ? Words{8, "b64", "f64"} : Words{4, "b32", "f32"};
    const BlockId rest = body_.split(block, body_.position(id));
    body_.erase(id);
    const BlockId loop = body_.add_block(block), done = body_.add_block(loop);
    if (add.guard != ptx::kNoId) {
      append(block, body_.make_branch(rest, add.guard, !add.guard_negated, add));
    }
    const Ref old = fill(loop, add, words);
    if (add.d.is_register()) {
      LirInstruction move = body_.make("mov", {words.bits}, add);
      move.d = add.d;
      move.s[0] = old;
      append(done, std::move(move));
    }
    return rest;
  }

 private:
  void append(BlockId block, LirInstruction lir) {
    body_.insert(block, body_.instructions(block).size(), std::move(lir));
  }

  /// Fills the loop, and returns the value that was in memory before.
  Ref fill(BlockId loop, const LirInstruction& add, const Words& words) {
    const Ref seen = Ref::reg(body_.new_register(words.bytes));
    const Ref sum = Ref::reg(body_.new_register(words.bytes));
    const Ref old = Ref::reg(body_.new_register(words.bytes));
    const std::uint32_t lost = body_.new_register(0);
    LirInstruction load =
        at_address(body_.make("ld", {"volatile", "shared", words.bits}, add), add);
    load.d = seen;
    load.out.execute = select_load(Space::shared, load.form.type, words.bytes);
    load.memory.access = MemoryBehaviour::Access::load;
    append(loop, std::move(load));
    LirInstruction plus = body_.make("add", {"rn", words.real}, add);
    plus.d = sum;
    plus.s[0] = seen;
    plus.s[1] = add.s[1];
    append(loop, std::move(plus));
    LirInstruction swap = at_address(body_.make("atom", {"shared", "cas", words.bits}, add), add);
    swap.d = old;
    swap.s[1] = seen;
    swap.s[2] = sum;
    append(loop, std::move(swap));
    LirInstruction differs = body_.make("setp", {"ne", words.bits}, add);
    differs.p = lost;
    differs.s[0] = old;
    differs.s[1] = seen;
    append(loop, std::move(differs));
    append(loop, body_.make_branch(loop, lost, false, add));
    return old;
  }

  static LirInstruction at_address(LirInstruction lir, const LirInstruction& add) {
    lir.s[0] = add.s[0];
    lir.out.immediate = add.out.immediate;
    lir.out.extra |= add.out.extra | kJoined;
    lir.out.bytes = add.out.bytes;
    lir.out.elements = 1;
    lir.out.klass = Class::shared_memory;
    lir.memory.space = Space::shared;
    return lir;
  }

  FunctionBody& body_;
};

class SharedFloatAdds : public Pass {
 public:
  explicit SharedFloatAdds(const PassTarget& target) : loops_(target.compute_major >= 5) {}
  const char* name() const override { return "shared_float_adds"; }
  const char* meaning() const override {
    return "additions of floating-point numbers to shared memory become loops that compare and "
           "swap; on compute capability 5.0 and later, whose hardware adds only integers there";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    unsigned made = 0;
    AddingLoops loops(body);
    std::vector<BlockId> blocks = loops_ ? body.blocks() : std::vector<BlockId>{};
    while (!blocks.empty()) {
      const BlockId block = blocks.back();
      blocks.pop_back();
      for (const InstructionId id : body.instructions(block)) {
        if (!is_loop(body[id])) continue;
        blocks.push_back(loops.expand(block, id));
        ++made;
        break;
      }
    }
    notes.push_back(fmt::format("{} additions became loops", made));
  }

 private:
  bool loops_;
};

}  // namespace

std::shared_ptr<const Pass> shared_float_adds(const PassTarget& target) {
  return std::make_shared<SharedFloatAdds>(target);
}

}  // namespace raddle::isa
