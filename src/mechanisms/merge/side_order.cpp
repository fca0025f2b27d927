#include "mechanisms/merge/side_order.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/pass.h"
#include "isa/passes/uniformity.h"

namespace raddle::mechanisms::merge {
namespace {

using isa::BlockId;
using isa::InstructionId;

/// Atomic operations and ordered accesses are allowed, too: they stay with their side.
bool may_be_in_sequence(const isa::LirInstruction& lir) {
  const bool by_lane = (lir.effects & isa::kReadsLanes) == 0 && lir.list.empty();
  return isa::goes_by_lane(lir) || (lir.out.kind == isa::Kind::memory && by_lane);
}

std::string text_of(const isa::LirInstruction& lir) {
  if (lir.from == nullptr) return "an instruction that was added";
  const auto& at = lir.from->at;
  const bool source = at.source_line != 0;
  return fmt::format("{} in {} {}", lir.from->opcode, source ? "line" : "PTX line",
                     source ? at.source_line : at.line);
}

class Ordering {
 public:
  Ordering(const isa::FunctionBody& body, BlockId top, BlockId way, BlockId meet, BranchSide& side)
      : body_(body), top_(top), way_(way), meet_(meet), side_(side) {
    const std::vector<bool> reached = isa::reached_before(body, {way}, meet);
    for (const BlockId block : body.blocks()) {
      if (reached[block] && block != meet) blocks_.push_back(block);
    }
  }

  std::string run() {
    if (std::string why_not = refusal(); !why_not.empty()) return why_not;
    const std::vector<BlockId> once = executed_once();
    const auto begin_of = [&](std::size_t n) { return n < once.size() ? once[n] : meet_; };
    bool whole = add_piece(isa::kNoBlock, begin_of(0));
    for (std::size_t n = 0; n < once.size() && whole; ++n) {
      for (const InstructionId id : body_.instructions(once[n])) {
        if (!body_[id].jumps()) side_.code.push_back({id, 0});
      }
      whole = add_piece(once[n], begin_of(n + 1));
    }
    return whole ? "" : "the code of a side does not lie in one piece";
  }

 private:
  bool in_side(BlockId block) const {
    return std::find(blocks_.begin(), blocks_.end(), block) != blocks_.end();
  }

  std::string refusal() const {
    for (const BlockId block : blocks_) {
      for (const BlockId before : body_.predecessors(block)) {
        const bool entered = before == top_ && block == way_;
        if (!entered && !in_side(before)) return "something else jumps into a side";
      }
      for (const InstructionId id : body_.instructions(block)) {
        if (!body_[id].jumps() && !may_be_in_sequence(body_[id])) {
          return fmt::format("a side waits for others, calls or ends: {}", text_of(body_[id]));
        }
      }
    }
    return "";
  }

  bool in_loop(BlockId block) const {
    std::vector<BlockId> open = body_.successors(block), seen;
    while (!open.empty()) {
      const BlockId next = open.back();
      open.pop_back();
      if (next == block) return true;
      if (!in_side(next) || std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
      seen.push_back(next);
      for (const BlockId behind : body_.successors(next)) open.push_back(behind);
    }
    return false;
  }

  /// The blocks in the order in which lanes execute them.
  std::vector<BlockId> executed_once() const {
    std::vector<BlockId> once;
    for (const BlockId block : blocks_) {
      if (body_.post_dominates(block, way_) && !in_loop(block)) once.push_back(block);
    }
    std::sort(once.begin(), once.end(),
              [&](BlockId a, BlockId b) { return a != b && body_.dominates(a, b); });
    return once;
  }

  bool falls_through(BlockId block) const {
    const auto& code = body_.instructions(block);
    return code.empty() || body_[code.back()].falls_through;
  }
  /// The block that follows without a jump; kNoBlock: none.
  BlockId behind(BlockId block) const {
    return falls_through(block) ? body_.successors(block).at(0) : isa::kNoBlock;
  }

  /// Adds the code between `from`, or the start of the side, and `next`. Returns false if its
  /// blocks do not follow one another by fall-through.
  bool add_piece(BlockId from, BlockId next) {
    std::vector<InstructionId> code;
    BlockId expected = from == isa::kNoBlock ? way_ : behind(from);
    if (from != isa::kNoBlock && !body_.instructions(from).empty()) {
      const InstructionId last = body_.instructions(from).back();
      const std::vector<BlockId> ways = body_.successors(from);
      if (body_[last].jumps() && ways.size() == 1) {
        side_.jumps.push_back(last);
        expected = ways[0];
      } else if (body_[last].jumps()) {
        code.push_back(last);
      }
    }
    for (const BlockId block : blocks_) {
      if (!is_between(block, from, next)) continue;
      if (expected != isa::kNoBlock && expected != block) return false;
      const auto& more = body_.instructions(block);
      code.insert(code.end(), more.begin(), more.end());
      expected = behind(block);
    }
    if (expected != isa::kNoBlock && expected != next) return false;
    if (!code.empty()) ++side_.pieces;
    for (const InstructionId id : code) side_.code.push_back({id, side_.pieces});
    return true;
  }
  bool is_between(BlockId block, BlockId from, BlockId next) const {
    if (block == from || (from != isa::kNoBlock && !body_.dominates(from, block))) return false;
    return next == meet_ || !body_.dominates(next, block);
  }

  const isa::FunctionBody& body_;
  const BlockId top_, way_, meet_;
  BranchSide& side_;
  std::vector<BlockId> blocks_;  // of the side, in code order
};

}  // namespace

bool BranchSide::contains(InstructionId id) const {
  return std::any_of(code.begin(), code.end(), [&](const Step& step) { return step.id == id; });
}

std::string put_in_order(const isa::FunctionBody& body, BlockId top, BlockId way, BlockId meet,
                         BranchSide& side) {
  return Ordering(body, top, way, meet, side).run();
}

}  // namespace raddle::mechanisms::merge
