#include "test_passes.h"

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

}  // namespace

std::shared_ptr<const isa::Pass> swap_neighbours() { return std::make_shared<SwapNeighbours>(); }
std::shared_ptr<const isa::Pass> cut_blocks() { return std::make_shared<CutBlocks>(); }

}  // namespace raddle::tests
