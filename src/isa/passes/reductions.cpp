// Atomics with an unused result become reductions: the L2 cache acknowledges them and returns no
// value (RED instead of ATOM in code for compute capability 7.0 and later). Exchanges and
// compare-and-swaps stay, and so do atomics of shared memory, which have no such form.
#include <fmt/core.h>

#include "isa/passes/built_in.h"
#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool has_reduction(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.opcode != "atom" || !lir.list.empty()) return false;
  if (lir.from == nullptr || lir.from->opcode != "atom") return false;
  const Form& form = lir.form;
  const bool weak = form.order == Order::none || form.order == Order::relaxed;
  return weak && form.vector <= 1 && lir.memory.space != Space::shared &&
         form.operation != Operation::cas && form.operation != Operation::exch;
}

class Reductions : public Pass {
 public:
  explicit Reductions(const PassTarget& target) : known_(target.compute_major >= 7) {}
  const char* name() const override { return "reductions"; }
  const char* meaning() const override {
    return "atomics on global memory whose result nobody reads become reductions, to which the L2 "
           "cache sends no value back; on compute capability 7.0 and later, whose code is known";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    unsigned made = 0;
    for (const BlockId block : body.blocks()) {
      for (const InstructionId id : body.instructions(block)) {
        if (!has_reduction(body[id]) || body.live_after(id)[body[id].d.id]) continue;
        if (!known_) {
          body.change(id).out.extra |= kUnread;
          continue;
        }
        const LirInstruction red = body.make("red", body[id].from->modifiers, body[id]);
        LirInstruction& lir = body.change(id);
        Form form = lir.form;
        form.space = lir.memory.space;
        lir.out.execute = select_atomic(form, false);
        lir.d = {};
        lir.row = red.row;
        lir.opcode = red.opcode;
        lir.form = red.form;
        ++made;
      }
    }
    notes.push_back(fmt::format("{} atomics became reductions", made));
  }

 private:
  bool known_;
};

}  // namespace

std::shared_ptr<const Pass> reductions(const PassTarget& target) {
  return std::make_shared<Reductions>(target);
}

}  // namespace raddle::isa
