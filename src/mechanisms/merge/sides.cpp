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
  /// nullopt if one side is empty, or if it is the branch of a loop.
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
    for (const BlockId way : ways) {
      const std::vector<bool> reached = isa::reached_before(body_, {way}, meet);
      for (const BlockId block : body_.blocks()) {
        if (!reached[block] || block == meet) continue;
        const auto& code = body_.instructions(block);
        one.all.insert(one.all.end(), code.begin(), code.end());
      }
    }
    for (const auto& [way, side] :
         {std::pair(ways[0], &one.falls), std::pair(ways[1], &one.jumps)}) {
      one.why_not = put_in_order(body_, top, way, meet, *side);
      if (!one.why_not.empty()) return one;
    }
    one.meets_elsewhere = !lies_behind(meet, top, one);
    return one;
  }

  /// Whether `meet` is the first block behind `top` that belongs to neither side.
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

  const isa::FunctionBody& body_;
  const isa::Uniformity& uniformity_;
};

}  // namespace

std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity) {
  return Finding(body, uniformity).run();
}

}  // namespace raddle::mechanisms::merge
