// Convergence barriers. On compute capability 7.0 and later, machine code says where diverged lanes
// reconverge: BSSY before the branch names the lanes that take part, and BSYNC at the meeting point
// waits for them. Each is an instruction to issue and changes no results; here lanes reconverge
// where the control-flow graph says. There is no barrier where all lanes of a warp are known to go
// the same way (uniformity.h), and none where lanes need not reconverge before the kernel ends,
// because only arithmetic and stores are left. Both rules were found with ptxas 11.8
// (docs/machine_code.md).
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "isa/passes/built_in.h"
#include "isa/passes/convergence.h"
#include "isa/passes/definitions.h"
#include "isa/passes/uniformity.h"
#include "isa/semantics/movement.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool is_parameter(const LirInstruction& lir) {
  return lir.row != nullptr && lir.opcode == "ld" &&
         (lir.form.space == Space::param || lir.form.space == Space::constant);
}

/// Whether the compiler wrote a guard. Guards from if-conversion come later in an assembler, too.
bool was_guarded(const LirInstruction& lir) {
  return lir.from != nullptr && lir.from->guard != ptx::kNoId && !lir.jumps();
}

/// Whether lanes can execute the instruction one after the other without loss: arithmetic, plain
/// stores, jumps.
bool is_light(const LirInstruction& lir) {
  if (was_guarded(lir) || lir.effects != 0 || is_parameter(lir)) return false;
  if (!std::all_of(lir.parts.begin(), lir.parts.end(), is_light)) return false;
  switch (lir.out.kind) {
    case Kind::compute: {
      bool reads = lir.s[0].kind != Ref::Kind::none || !lir.parts.empty();
      lir.for_each_read([&](std::uint32_t) { reads = true; });
      return reads || lir.row == nullptr;  // without operands: it reads a special register
    }
    case Kind::memory:
      return lir.memory.access == MemoryBehaviour::Access::store &&
             (lir.memory.order == Order::none || lir.memory.order == Order::weak);
    case Kind::branch:
    case Kind::exit:
      return true;
    default:
      return false;
  }
}

/// Divergent branches that reconverge in one place.
struct Meeting {
  BlockId meet = kNoBlock;
  BlockId enter = kNoBlock;       // block with BSSY at its end
  std::vector<BlockId> arriving;  // predecessors of `meet` within the region
};

class Convergence {
 public:
  Convergence(FunctionBody& body, bool clears) : body_(body), clears_(clears) {}

  unsigned run() {
    if (!branches()) return 0;
    std::map<BlockId, BlockId> enter;  // [meeting block] dominator of its branches
    const Uniformity uniformity(body_);
    for (const BlockId block : uniformity.parting()) {
      const BlockId meet = meeting_of(block);
      if (meet == kNoBlock || meet == body_.blocks().front()) continue;
      const auto [found, is_new] = enter.try_emplace(meet, block);
      if (!is_new) found->second = common_dominator(found->second, block);
    }
    std::vector<Meeting> meetings;
    for (const auto& [meet, from] : enter) {
      if (from != kNoBlock && is_worth(meet)) meetings.push_back(meeting(meet, from));
    }
    unsigned made = 0;
    for (const Meeting& one : meetings) made += one.enter != kNoBlock && carry_out(one) ? 1 : 0;
    return made;
  }

 private:
  bool branches() const {
    return std::any_of(body_.blocks().begin(), body_.blocks().end(), [&](BlockId block) {
      const auto& inside = body_.instructions(block);
      return !inside.empty() && body_[inside.back()].jumps() &&
             (body_[inside.back()].guard != ptx::kNoId || body_[inside.back()].indexed);
    });
  }

  /// The block where lanes that diverge at the end of `block` reconverge. Blocks that only lead to
  /// the next block do not count.
  BlockId meeting_of(BlockId block) const {
    BlockId meet = body_.immediate_post_dominator(block);
    for (std::size_t steps = 0; meet != kNoBlock && steps < body_.blocks().size(); ++steps) {
      const auto& inside = body_.instructions(meet);
      const bool leads_on = inside.empty() || (inside.size() == 1 && always_jumps(inside.front()));
      if (!leads_on) return meet;
      meet = body_.successors(meet).at(0);
    }
    return kNoBlock;
  }

  bool always_jumps(InstructionId id) const {
    const LirInstruction& lir = body_[id];
    return lir.out.kind == Kind::branch && lir.guard == ptx::kNoId && !lir.indexed;
  }

  BlockId common_dominator(BlockId a, BlockId b) const {
    while (a != kNoBlock && !body_.dominates(a, b)) a = body_.immediate_dominator(a);
    return a;
  }

  /// Whether any code from `meet` to the end of the function runs better with reconverged lanes.
  bool is_worth(BlockId meet) const {
    const std::vector<bool> rest = reached_before(body_, {meet}, kNoBlock);
    std::vector<bool> read(body_.register_count(), false), elsewhere = read;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        if (rest[block] && !is_light(body_[id])) return true;
        body_[id].for_each_read(
            [&](std::uint32_t reg) { (rest[block] ? read : elsewhere)[reg] = true; });
      }
    }
    return reads_parameter(read, elsewhere);
  }

  /// Whether the rest alone reads some parameter or constant: an assembler reads it there, from its
  /// bank.
  bool reads_parameter(const std::vector<bool>& read, const std::vector<bool>& elsewhere) const {
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        if (loads_for(body_[id], read, elsewhere)) return true;
      }
    }
    return false;
  }

  bool loads_for(const LirInstruction& lir, const std::vector<bool>& read,
                 const std::vector<bool>& elsewhere) const {
    for (const LirInstruction& part : lir.parts) {
      if (loads_for(part, read, elsewhere)) return true;
    }
    if (!is_parameter(lir)) return false;
    bool found = false;
    lir.for_each_write([&](std::uint32_t reg) {
      found |= read[reg] && (body_.in_constant_bank(reg) || !elsewhere[reg]);
    });
    return found;
  }

  Meeting meeting(BlockId meet, BlockId from) const {
    Meeting made{meet, from, {}};
    // BSSY stands before a loop that lanes leave on their way to the meeting point.
    while (made.enter != kNoBlock &&
           reached_before(body_, body_.successors(made.enter), meet)[made.enter]) {
      made.enter = body_.immediate_dominator(made.enter);
    }
    if (made.enter == kNoBlock) return made;
    const std::vector<bool> within = reached_before(body_, {made.enter}, meet);
    for (const BlockId block : body_.predecessors(meet)) {
      if (within[block]) made.arriving.push_back(block);
    }
    return made;
  }

  bool carry_out(const Meeting& meeting) {
    const auto& entering = body_.instructions(meeting.enter);
    if (entering.empty()) return false;
    const LirInstruction line = body_[entering.back()];
    const std::size_t end = entering.size() - (line.jumps() ? 1 : 0);
    body_.insert(meeting.enter, end, barrier_set(line, clears_));
    const BlockId made = body_.add_block(place_for(meeting));
    body_.insert(made, 0, barrier_wait(meeting.meet, line));
    for (const BlockId block : meeting.arriving) {
      if (body_.instructions(block).empty()) continue;
      const InstructionId last = body_.instructions(block).back();
      for (std::uint32_t& target : body_.change(last).targets) {
        if (target == meeting.meet) target = made;
      }
    }
    return true;
  }

  /// The block behind which BSYNC can lie so that lanes that fall through still reach the right
  /// place.
  BlockId place_for(const Meeting& meeting) const {
    const auto& order = body_.blocks();
    const auto meet = std::find(order.begin(), order.end(), meeting.meet);
    const auto falls = [&](BlockId block) {
      const auto& inside = body_.instructions(block);
      return inside.empty() || body_[inside.back()].falls_through;
    };
    if (meet != order.begin()) {
      const BlockId before = *(meet - 1);
      const bool within = std::find(meeting.arriving.begin(), meeting.arriving.end(), before) !=
                          meeting.arriving.end();
      if (within || !falls(before)) return before;
    }
    for (auto at = meet; at != order.end(); ++at) {
      if (!falls(*at)) return *at;
    }
    return order.back();
  }

  FunctionBody& body_;
  const bool clears_;
};

class ConvergenceBarriers : public Pass {
 public:
  explicit ConvergenceBarriers(const PassTarget& target)
      : known_(target.compute_major >= 7), clears_(target.compute_major == 7) {}
  const char* name() const override { return "convergence"; }
  const char* meaning() const override {
    return "issue BSSY before branches at which lanes of a warp may part, and BSYNC where they "
           "meet; "
           "on compute capability 7.0 and later";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const unsigned count = known_ ? Convergence(body, clears_).run() : 0;
    notes.push_back(fmt::format("{} pairs of BSSY and BSYNC", count));
  }

 private:
  bool known_, clears_;
};

}  // namespace

LirInstruction barrier_set(const LirInstruction& line, bool clears) {
  LirInstruction lir = bare(execute_nothing, Kind::compute, Class::branch, line.from);
  lir.out.unit = clears ? 1 : 0;
  return lir;
}

LirInstruction barrier_wait(BlockId meet, const LirInstruction& line) {
  LirInstruction lir = bare(execute_nothing, Kind::branch, Class::branch, line.from);
  lir.targets = {meet};
  lir.falls_through = false;
  lir.out.immediate = kBarrierWait;
  return lir;
}

bool is_barrier_set(const LirInstruction& lir) {
  return lir.row == nullptr && lir.out.kind == Kind::compute && lir.out.klass == Class::branch;
}

bool is_barrier_wait(const LirInstruction& lir) {
  return lir.row == nullptr && lir.out.kind == Kind::branch && lir.out.immediate == kBarrierWait;
}

std::shared_ptr<const Pass> convergence_barriers(const PassTarget& target) {
  return std::make_shared<ConvergenceBarriers>(target);
}

}  // namespace raddle::isa
