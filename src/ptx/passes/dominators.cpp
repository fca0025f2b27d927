// Immediate post-dominators: the dominators of the reversed graph, from a virtual exit. Dominators
// are the post-dominators of the reversed graph, in which only the first block leads to the exit.
// K. Cooper, T. Harvey, K. Kennedy: A Simple, Fast Dominance Algorithm (2001).
#include <algorithm>

#include "ptx/passes/endless_loops.h"
#include "ptx/passes/passes.h"

namespace raddle::ptx {
namespace {

constexpr std::uint32_t kUnvisited = ~std::uint32_t{0};

class PostDominators {
 public:
  /// `leaves_loops`: loops without an exit count as if they had one.
  explicit PostDominators(const ControlFlowGraph& cfg, bool leaves_loops = true)
      : cfg_(cfg), exit_(static_cast<std::uint32_t>(cfg.blocks.size())), leaves_(exit_, false) {
    for (std::uint32_t b = 0; b < exit_; ++b) leaves_[b] = cfg.blocks[b].exits;
    if (!leaves_loops) return;
    for (const std::uint32_t b : endless_loop_latches(cfg)) leaves_[b] = true;
  }

  std::vector<std::uint32_t> solve() {
    number_blocks();
    parent_.assign(exit_ + 1, kUnvisited);
    parent_[exit_] = exit_;
    for (bool changed = true; changed;) {
      changed = false;
      // Reverse postorder of the reversed graph, without the exit itself.
      for (std::size_t i = order_.size() - 1; i-- > 0;) {
        const std::uint32_t block = order_[i];
        const std::uint32_t parent = meet_successors(block);
        if (parent_[block] != parent) {
          parent_[block] = parent;
          changed = true;
        }
      }
    }
    std::vector<std::uint32_t> result(exit_, kExitBlock);
    for (std::uint32_t b = 0; b < exit_; ++b) {
      if (parent_[b] != exit_ && parent_[b] != kUnvisited) result[b] = parent_[b];
    }
    return result;
  }

 private:
  /// Postorder of the walk from the exit against the direction of the edges.
  void number_blocks() {
    number_.assign(exit_ + 1, kUnvisited);
    std::vector<bool> seen(exit_, false);
    struct Visit {
      std::uint32_t block;
      std::size_t next = 0;
    };
    std::vector<Visit> stack;
    for (std::uint32_t root = 0; root < exit_; ++root) {
      if (!leaves_[root] || seen[root]) continue;
      seen[root] = true;
      stack.push_back({root});
      while (!stack.empty()) {
        Visit& visit = stack.back();
        const auto& before = cfg_.blocks[visit.block].predecessors;
        if (visit.next == before.size()) {
          number_[visit.block] = static_cast<std::uint32_t>(order_.size());
          order_.push_back(visit.block);
          stack.pop_back();
          continue;
        }
        const std::uint32_t next = before[visit.next++];
        if (seen[next]) continue;
        seen[next] = true;
        stack.push_back({next});
      }
    }
    number_[exit_] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(exit_);
  }

  /// The nearest block that all known paths out of `block` share.
  std::uint32_t meet_successors(std::uint32_t block) const {
    std::uint32_t result = leaves_[block] ? exit_ : kUnvisited;
    for (const std::uint32_t successor : cfg_.blocks[block].successors) {
      if (parent_[successor] == kUnvisited) continue;
      result = result == kUnvisited ? successor : intersect(result, successor);
    }
    return result;
  }

  std::uint32_t intersect(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (number_[a] < number_[b]) a = parent_[a];
      while (number_[b] < number_[a]) b = parent_[b];
    }
    return a;
  }

  const ControlFlowGraph& cfg_;
  const std::uint32_t exit_;
  std::vector<bool> leaves_;           // blocks with an edge to the exit
  std::vector<std::uint32_t> order_;   // postorder, the exit last
  std::vector<std::uint32_t> number_;  // position in order_
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::vector<std::uint32_t> immediate_post_dominators(const ControlFlowGraph& cfg) {
  return PostDominators(cfg).solve();
}

std::vector<std::uint32_t> immediate_dominators(const ControlFlowGraph& cfg) {
  ControlFlowGraph reversed = cfg;
  for (ControlFlowGraph::Block& block : reversed.blocks) {
    std::swap(block.successors, block.predecessors);
    block.exits = false;
  }
  reversed.blocks[0].exits = true;
  return PostDominators(reversed, false).solve();
}

}  // namespace raddle::ptx
