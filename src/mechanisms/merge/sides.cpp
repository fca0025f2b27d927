#include "mechanisms/merge/sides.h"

#include <algorithm>
#include <optional>
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
    for (const auto& [way, side] :
         {std::pair(ways[0], &one.falls), std::pair(ways[1], &one.jumps)}) {
      one.why_not = put_in_order(body_, top, way, meet, *side);
      if (!one.why_not.empty()) return one;
    }
    if (!lies_behind(meet, top, one)) {
      one.last_jump = jump_to(meet, one);
      if (!one.last_jump) one.why_not = "where its sides meet lies elsewhere";
    }
    return one;
  }

  /// Whether `meet` is the next block behind `top` that is of neither side.
  bool lies_behind(BlockId meet, BlockId top, const Divergence& one) const {
    const auto& blocks = body_.blocks();
    auto behind = std::find(blocks.begin(), blocks.end(), top) + 1;
    while (behind != blocks.end() && is_of_sides(*behind, one)) ++behind;
    return behind != blocks.end() && *behind == meet;
  }
  bool is_of_sides(BlockId block, const Divergence& one) const {
    const auto& code = body_.instructions(block);
    if (code.empty()) return false;
    const InstructionId id = code.back();
    const auto is = [&](const BranchSide& side) {
      return side.contains(id) ||
             std::find(side.jumps.begin(), side.jumps.end(), id) != side.jumps.end();
    };
    return is(one.falls) || is(one.jumps);
  }
  std::optional<InstructionId> jump_to(BlockId meet, const Divergence& one) const {
    for (const BranchSide* side : {&one.jumps, &one.falls}) {
      for (const InstructionId id : side->jumps) {
        if (body_[id].targets == std::vector<BlockId>{meet}) return id;
      }
    }
    return std::nullopt;
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
