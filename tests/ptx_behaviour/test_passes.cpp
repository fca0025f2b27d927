#include "test_passes.h"

#include <algorithm>

namespace raddle::tests {
namespace {

using isa::BlockId;
using isa::FunctionBody;
using isa::InstructionId;

class SwapNeighbours : public isa::Pass {
 public:
  const char* name() const override { return "swap_neighbours"; }
  const char* meaning() const override { return "swap neighbours that are independent"; }
  void run(FunctionBody& body, isa::PassNotes&) const override {
    for (const BlockId block : body.blocks()) {
      const std::vector<InstructionId> before = body.instructions(block);
      for (std::size_t n = before.size(); n-- > 1;) {
        if (!isa::independent(body[before[n - 1]], body[before[n]])) continue;
        body.move(before[n], block, body.position(before[n - 1]));
      }
    }
  }
};

class CutBlocks : public isa::Pass {
 public:
  const char* name() const override { return "cut_blocks"; }
  const char* meaning() const override {
    return "cut blocks in two and jump from one to the other";
  }
  void run(FunctionBody& body, isa::PassNotes&) const override {
    const std::vector<BlockId> whole = body.blocks();
    for (const BlockId block : whole) {
      const std::size_t count = body.instructions(block).size();
      if (count < 2) continue;
      const InstructionId middle = body.instructions(block)[count / 2];
      const BlockId rest = body.split(block, count / 2);
      const BlockId between = body.add_block(block);
      body.insert(between, 0, body[middle]);
      body.insert(block, count / 2, body.make_branch(rest, ptx::kNoId, false, body[middle]));
    }
    body.drop_unreachable();
  }
};

/// A side of a branch that is arithmetic alone, and a jump at its end at most.
bool is_plain(const FunctionBody& body, BlockId block) {
  for (const InstructionId id : body.instructions(block)) {
    const bool last = id == body.instructions(block).back();
    const isa::LirInstruction& one = body[id];
    const bool leaves = last && one.out.kind == isa::Kind::branch && !one.falls_through;
    if (!leaves && (isa::has_side_effects(one) || one.effects != 0 || one.guard != ptx::kNoId)) {
      return false;
    }
  }
  return body.predecessors(block).size() == 1;
}

class MergeSides : public isa::Pass {
 public:
  explicit MergeSides(unsigned& merged) : merged_(merged) {}
  const char* name() const override { return "merge_sides"; }
  const char* meaning() const override { return "issue what both sides of a branch do as one"; }
  void run(FunctionBody& body, isa::PassNotes&) const override {
    for (const BlockId top : body.blocks()) try_diamond(body, top);
  }

 private:
  using Code = std::vector<isa::LirInstruction>;

  /// The side's instructions under the guard, taken out of it.
  static Code take(FunctionBody& body, BlockId side, std::uint32_t guard, bool negated) {
    Code code;
    for (const InstructionId id : std::vector(body.instructions(side))) {
      if (!body[id].jumps()) {
        code.push_back(body[id]);
        code.back().guard = guard;
        code.back().guard_negated = negated;
      }
      body.erase(id);
    }
    return code;
  }

  void try_diamond(FunctionBody& body, BlockId top) const {
    const auto sides = body.successors(top);
    if (body.instructions(top).empty() || sides.size() != 2) return;
    const InstructionId branch = body.instructions(top).back();
    const BlockId bottom = body.immediate_post_dominator(top);
    if (body[branch].indexed || body[branch].guard == ptx::kNoId) return;
    for (const BlockId side : sides) {
      if (side == bottom || !is_plain(body, side)) return;
      if (body.successors(side) != std::vector<BlockId>{bottom}) return;
    }
    const std::uint32_t condition = body[branch].guard;
    for (const BlockId side : sides) {
      for (const InstructionId id : body.instructions(side)) {
        bool writes_condition = false;
        body[id].for_each_write([&](std::uint32_t reg) { writes_condition |= reg == condition; });
        if (writes_condition) return;
      }
    }
    // Falls through where the guard is false.
    const bool negated = body[branch].guard_negated;
    const isa::LirInstruction line = body[branch];
    Code falls = take(body, sides[0], condition, !negated);
    Code jumps = take(body, sides[1], condition, negated);
    body.replace(branch, body.make_branch(bottom, ptx::kNoId, false, line));
    interleave(body, top, body.position(branch), falls, jumps);
  }

  /// The longest common subsequence of the two sides is issued as pairs.
  void interleave(FunctionBody& body, BlockId top, std::size_t at, const Code& a,
                  const Code& b) const {
    const auto same = [](const isa::LirInstruction& x, const isa::LirInstruction& y) {
      return x.row != nullptr && x.row == y.row && x.out.execute == y.out.execute;
    };
    std::vector<std::vector<unsigned>> longest(a.size() + 1, std::vector<unsigned>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
      for (std::size_t j = b.size(); j-- > 0;) {
        longest[i][j] = same(a[i], b[j]) ? longest[i + 1][j + 1] + 1
                                         : std::max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
      if (i < a.size() && j < b.size() && same(a[i], b[j])) {
        body.insert(top, at++, body.merge({a[i++], b[j++]}));
        ++merged_;
      } else if (j == b.size() || (i < a.size() && longest[i + 1][j] >= longest[i][j + 1])) {
        body.insert(top, at++, a[i++]);
      } else {
        body.insert(top, at++, b[j++]);
      }
    }
  }

  unsigned& merged_;
};

}  // namespace

std::shared_ptr<const isa::Pass> merge_sides(unsigned& merged) {
  return std::make_shared<MergeSides>(merged);
}
std::shared_ptr<const isa::Pass> swap_neighbours() { return std::make_shared<SwapNeighbours>(); }
std::shared_ptr<const isa::Pass> cut_blocks() { return std::make_shared<CutBlocks>(); }

}  // namespace raddle::tests
