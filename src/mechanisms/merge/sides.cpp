#include "mechanisms/merge/sides.h"

#include <algorithm>

#include "isa/passes/pass.h"

namespace raddle::mechanisms::merge {
namespace {

using isa::BlockId;
using isa::InstructionId;

class Finding {
 public:
  Finding(const isa::FunctionBody& body, const isa::Uniformity& uniformity)
      : body_(body), uniformity_(uniformity) {}

  std::vector<Divergence> run() const {
    std::vector<Divergence> found;
    for (const BlockId block : body_.blocks()) {
      if (body_.instructions(block).empty()) continue;
      const isa::LirInstruction& branch = body_[body_.instructions(block).back()];
      if (branch.out.kind != isa::Kind::branch || branch.guard == ptx::kNoId) continue;
      if (branch.indexed || body_.successors(block).size() != 2) continue;
      if (auto one = at(block)) found.push_back(std::move(*one));
    }
    return found;
  }

 private:
  /// nullopt: one side is empty, or it is the branch of a loop.
  std::optional<Divergence> at(BlockId top) const {
    const std::vector<BlockId> ways = body_.successors(top);
    const BlockId meet = body_.immediate_post_dominator(top);
    const bool from_top = std::all_of(ways.begin(), ways.end(), [&](BlockId way) {
      return body_.immediate_dominator(way) == top && way != meet;
    });
    if (!from_top) return std::nullopt;
    Divergence one;
    one.branch = body_.instructions(top).back();
    if (meet == isa::kNoBlock) {
      one.why_not = "its sides do not meet again";
      return one;
    }
    const auto& parting = uniformity_.parting();
    if (std::find(parting.begin(), parting.end(), top) == parting.end()) {
      one.why_not = "all lanes of a warp go the same way";
      return one;
    }
    std::vector<BlockId> all;
    for (const auto& [way, side] :
         {std::pair(ways[0], &one.falls), std::pair(ways[1], &one.jumps)}) {
      const std::vector<BlockId> blocks = reached(way, meet);
      one.why_not = take(blocks, top, *side);
      if (!one.why_not.empty()) return one;
      all.insert(all.end(), blocks.begin(), blocks.end());
    }
    auto behind = std::find(body_.blocks().begin(), body_.blocks().end(), top) + 1;
    while (behind != body_.blocks().end() && in(all, *behind)) ++behind;
    one.jumps_behind = behind == body_.blocks().end() || *behind != meet;
    return one;
  }

  static bool in(const std::vector<BlockId>& blocks, BlockId block) {
    return std::find(blocks.begin(), blocks.end(), block) != blocks.end();
  }

  /// What control comes to from `from` before `meet`, in the order in which it lies.
  std::vector<BlockId> reached(BlockId from, BlockId meet) const {
    const std::vector<bool> is = isa::reached_before(body_, {from}, meet);
    std::vector<BlockId> blocks;
    for (const BlockId block : body_.blocks()) {
      if (is[block] && block != meet) blocks.push_back(block);
    }
    // It is entered where it begins, so that has to lie first.
    const auto entry = std::find(blocks.begin(), blocks.end(), from);
    if (entry != blocks.end() && entry != blocks.begin()) blocks.clear();
    return blocks;
  }

  /// Why a side cannot be joined, if it cannot.
  std::string take(const std::vector<BlockId>& blocks, BlockId top, BranchSide& side) const {
    if (blocks.empty()) return "the code of a side does not begin where it is entered";
    for (const BlockId block : blocks) {
      for (const BlockId before : body_.predecessors(block)) {
        const bool entered = before == top && block == blocks.front();
        if (!entered && !in(blocks, before)) return "something else jumps into a side";
      }
      const std::vector<BlockId> next = body_.successors(block);
      const bool leaves = block == blocks.back();
      if (next.size() != 1) return "a side has branches of its own";
      for (const InstructionId id : body_.instructions(block)) {
        const isa::LirInstruction& lir = body_[id];
        if (lir.jumps() && leaves) {
          side.jump.push_back(id);
        } else if (lir.jumps() || !isa::goes_by_lane(lir)) {
          return "a side waits for others, calls or ends";
        } else {
          side.code.push_back(id);
        }
      }
    }
    return "";
  }

  const isa::FunctionBody& body_;
  const isa::Uniformity& uniformity_;
};

}  // namespace

std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity) {
  return Finding(body, uniformity).run();
}

}  // namespace raddle::mechanisms::merge
