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
    std::vector<BlockId> blocks;
    one.why_not = follow(ways[0], top, meet, blocks, one.falls);
    if (one.why_not.empty()) one.why_not = follow(ways[1], top, meet, blocks, one.jumps);
    if (!one.why_not.empty()) return one;
    auto behind = std::find(body_.blocks().begin(), body_.blocks().end(), top) + 1;
    while (behind != body_.blocks().end() &&
           std::find(blocks.begin(), blocks.end(), *behind) != blocks.end()) {
      ++behind;
    }
    one.jumps_behind = behind == body_.blocks().end() || *behind != meet;
    return one;
  }

  /// From block to block up to `meet`. Why its side cannot be joined, if it cannot.
  std::string follow(BlockId block, BlockId before, BlockId meet, std::vector<BlockId>& blocks,
                     BranchSide& side) const {
    while (block != meet) {
      if (body_.predecessors(block) != std::vector<BlockId>{before}) {
        return "something else jumps into a side";
      }
      blocks.push_back(block);
      const std::vector<BlockId> next = body_.successors(block);
      if (next.size() != 1) return "a side has branches of its own";
      for (const InstructionId id : body_.instructions(block)) {
        const isa::LirInstruction& lir = body_[id];
        if (lir.jumps() && lir.guard == ptx::kNoId && !lir.indexed) {
          side.jumps.push_back(id);
        } else if (lir.jumps() || !isa::goes_by_lane(lir)) {
          return "a side waits for others, calls or ends";
        } else {
          side.code.push_back(id);
        }
      }
      before = block;
      block = next[0];
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
