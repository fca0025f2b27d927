// If-conversion: branches around a few instructions become guards. Values that only the side itself
// needs are computed by all lanes where that is harmless. (J. Allen et al., Conversion of Control
// Dependence to Data Dependence, 1983; assemblers do it where the sides are short.)
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "isa/passes/dependences.h"
#include "isa/passes/sequences.h"

namespace raddle::isa {
namespace {

/// Machine instructions of both sides together, including the jump that two sides need between
/// them: the most that ptxas guards on compute capability 7.0 and later (docs/machine_code.md).
constexpr std::size_t kMost = 20;
/// Instructions of both sides together on older GPUs: the CUDA C Programming Guide names 7.
constexpr std::size_t kMostOlder = 7;

class Conversion {
 public:
  Conversion(FunctionBody& body, bool counts_machine_instructions)
      : body_(body),
        machine_instructions_(counts_machine_instructions),
        live_in_(body.register_count(), 0),
        place_(body.register_count()) {
    BlockId most = 0;
    for (const BlockId block : body.blocks()) {
      most = std::max(most, block);
      for (const std::uint32_t reg : body.live_in(block)) ++live_in_[reg];
    }
    place_.assign(most + 1, 0);
    for (std::size_t n = 0; n < body.blocks().size(); ++n) place_[body.blocks()[n]] = n;
  }

  /// Returns how many branches were removed. No removal makes another one possible or impossible.
  std::size_t run() {
    std::vector<Plan> plans;
    for (const BlockId block : body_.blocks()) {
      if (auto plan = plan_for(block)) plans.push_back(std::move(*plan));
    }
    for (const Plan& plan : plans) carry_out(plan);
    return plans.size();
  }

 private:
  struct Side {
    BlockId block = kNoBlock;
    bool negated = false;             // its lanes read the condition negated
    std::vector<InstructionId> code;  // without the jump at its end
    InstructionId jump = kNoInstruction;
    BlockId next = kNoBlock;
    std::vector<bool> for_all_lanes = {}, alone = {};  // [code]
  };
  struct Plan {
    BlockId top = kNoBlock, bottom = kNoBlock;
    InstructionId branch = kNoInstruction;
    std::vector<Side> sides;
    bool jumps = false;  // the sides are not followed directly by `bottom`
  };

  /// A side that can be guarded: `top` is its only predecessor.
  std::optional<Side> side_of(BlockId top, BlockId block, bool negated) const {
    if (body_.predecessors(block) != std::vector<BlockId>{top}) return std::nullopt;
    const std::vector<BlockId> next = body_.successors(block);
    if (next.size() != 1 || next[0] == block || next[0] == top) return std::nullopt;
    if (body_.instructions(block).size() > kMost + 1) return std::nullopt;
    Side side{block, negated, body_.instructions(block), kNoInstruction, next[0]};
    if (!side.code.empty() && body_[side.code.back()].jumps()) {
      side.jump = side.code.back();
      if (body_[side.jump].indexed || body_[side.jump].guard != ptx::kNoId) return std::nullopt;
      side.code.pop_back();
    }
    return side;
  }

  std::optional<Plan> plan_for(BlockId top) const {
    if (body_.instructions(top).empty()) return std::nullopt;
    Plan plan{top, kNoBlock, body_.instructions(top).back(), {}};
    const LirInstruction& lir = body_[plan.branch];
    if (lir.out.kind != Kind::branch || lir.indexed || lir.guard == ptx::kNoId) return std::nullopt;
    const std::vector<BlockId> ways = body_.successors(top);
    if (ways.size() != 2) return std::nullopt;
    // Lanes without the condition fall through.
    const auto falls = side_of(top, ways[0], !lir.guard_negated);
    const auto jumps = side_of(top, ways[1], lir.guard_negated);
    if (falls && falls->next == ways[1]) {
      plan.sides = {*falls};
      plan.bottom = ways[1];
    } else if (jumps && jumps->next == ways[0]) {
      plan.sides = {*jumps};
      plan.bottom = ways[0];
    } else if (falls && jumps && falls->next == jumps->next) {
      plan.sides = {*falls, *jumps};
      plan.bottom = falls->next;
    } else {
      return std::nullopt;
    }
    // The sides will be empty.
    std::size_t place = place_[top] + 1;
    for (const Side& side : plan.sides) place += place_[side.block] == place ? 1 : 0;
    plan.jumps = place_[plan.bottom] != place;
    return can_be_guarded(plan) ? std::optional(plan) : std::nullopt;
  }

  bool can_be_guarded(Plan& plan) const {
    const std::uint32_t condition = body_[plan.branch].guard;
    std::size_t count = machine_instructions_ ? plan.sides.size() - 1 : 0;
    for (Side& side : plan.sides) {
      for (const InstructionId id : side.code) {
        const LirInstruction& lir = body_[id];
        if (lir.writes(condition) || lir.conditional() || !goes_by_lane(lir)) return false;
        side.alone.push_back(alone(side, lir));
        count += machine_instructions_ ? machine_instructions(lir) : 1;
        side.for_all_lanes.push_back(side.alone.back() && lir.out.kind == Kind::compute);
      }
    }
    return count <= (machine_instructions_ ? kMost : kMostOlder);
  }

  /// Whether only this side reads the result of the instruction: arithmetic may then run in all
  /// lanes.
  bool alone(const Side& side, const LirInstruction& lir) const {
    const auto& own = body_.live_in(side.block);
    bool alone = true;
    lir.for_each_write([&](std::uint32_t reg) {
      const unsigned here = std::binary_search(own.begin(), own.end(), reg) ? 1 : 0;
      alone &= live_in_[reg] == here;
    });
    return alone;
  }

  void carry_out(const Plan& plan) {
    const LirInstruction line = body_[plan.branch];
    std::size_t at = body_.instructions(plan.top).size() - 1;
    for (const Side& side : plan.sides) {
      for (std::size_t n = 0; n < side.code.size(); ++n) {
        body_.move(side.code[n], plan.top, at++);
        if (side.for_all_lanes[n]) continue;
        LirInstruction& lir = body_.change(side.code[n]);
        lir.guard = line.guard;
        lir.guard_negated = side.negated;
        lir.others_unread = side.alone[n];
      }
      if (side.jump != kNoInstruction) body_.erase(side.jump);
    }
    if (plan.jumps) {
      body_.replace(plan.branch, body_.make_branch(plan.bottom, ptx::kNoId, false, line));
    } else {
      body_.erase(plan.branch);
    }
  }

  FunctionBody& body_;
  const bool machine_instructions_;
  std::vector<unsigned> live_in_;   // [register] number of blocks
  std::vector<std::size_t> place_;  // [block] in the order of the code
};

/// Removes jumps of all lanes to the block that follows anyway.
std::size_t drop_jumps_to_next(FunctionBody& body) {
  std::vector<InstructionId> gone;
  const std::vector<BlockId>& blocks = body.blocks();
  for (std::size_t n = 0; n + 1 < blocks.size(); ++n) {
    if (body.instructions(blocks[n]).empty()) continue;
    const InstructionId last = body.instructions(blocks[n]).back();
    const LirInstruction& lir = body[last];
    if (lir.out.kind != Kind::branch || lir.indexed || lir.guard != ptx::kNoId) continue;
    std::size_t next = n + 1;
    while (next + 1 < blocks.size() && body.instructions(blocks[next]).empty() &&
           blocks[next] != lir.targets.at(0)) {
      ++next;
    }
    if (blocks[next] == lir.targets.at(0)) gone.push_back(last);
  }
  for (const InstructionId id : gone) body.erase(id);
  return gone.size();
}

class ShortBranches : public Pass {
 public:
  explicit ShortBranches(const PassTarget& target) : recent_(target.compute_major >= 7) {}
  const char* name() const override { return "short_branches"; }
  const char* meaning() const override {
    return "guard the instructions of short branches instead of jumping around them";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const std::size_t converted = Conversion(body, recent_).run();
    notes.push_back(fmt::format("{} branches became guards, {} jumps to what follows removed",
                                converted, drop_jumps_to_next(body)));
  }

 private:
  bool recent_;
};

}  // namespace

std::shared_ptr<const Pass> if_conversion(const PassTarget& target) {
  return std::make_shared<ShortBranches>(target);
}

}  // namespace raddle::isa
