// R. Tarjan: Depth-First Search and Linear Graph Algorithms (1972), without recursion.
#include "ptx/passes/endless_loops.h"

#include <algorithm>

namespace raddle::ptx {
namespace {

class Components {
 public:
  explicit Components(const ControlFlowGraph& cfg)
      : cfg_(cfg),
        index_(cfg.blocks.size(), 0),
        low_(cfg.blocks.size(), 0),
        component_(cfg.blocks.size(), kNone) {}

  std::vector<std::uint32_t> latches() {
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      if (index_[b] == 0) visit_from(b);
    }
    std::sort(latches_.begin(), latches_.end());
    return std::move(latches_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Visit {
    std::uint32_t block;
    std::size_t next = 0;
  };

  void enter(std::uint32_t block) {
    index_[block] = low_[block] = ++entered_;
    open_.push_back(block);
    visits_.push_back({block});
  }

  void visit_from(std::uint32_t root) {
    enter(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const std::uint32_t block = visit.block;
      const auto& successors = cfg_.blocks[block].successors;
      if (visit.next < successors.size()) {
        const std::uint32_t next = successors[visit.next++];
        if (index_[next] == 0) {
          enter(next);
        } else if (component_[next] == kNone) {
          low_[block] = std::min(low_[block], index_[next]);
        }
        continue;
      }
      visits_.pop_back();
      if (!visits_.empty()) {
        const std::uint32_t parent = visits_.back().block;
        low_[parent] = std::min(low_[parent], low_[block]);
      }
      if (low_[block] == index_[block]) close_component(block);
    }
  }

  /// `root` and the open blocks that were entered after it are one component.
  void close_component(std::uint32_t root) {
    const auto begin = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    for (auto block = begin; block != open_.end(); ++block) component_[*block] = root;
    bool endless = true;
    std::uint32_t latch = kNone;
    for (auto block = begin; block != open_.end(); ++block) {
      endless &= !cfg_.blocks[*block].exits;
      for (const std::uint32_t next : cfg_.blocks[*block].successors) {
        endless &= component_[next] == root;
        if (next <= *block && (latch == kNone || *block > latch)) latch = *block;
      }
    }
    open_.erase(begin, open_.end());
    if (endless && latch != kNone) latches_.push_back(latch);
  }

  const ControlFlowGraph& cfg_;
  std::vector<std::uint32_t> index_, low_, component_;
  std::vector<std::uint32_t> open_, latches_;
  std::vector<Visit> visits_;
  std::uint32_t entered_ = 0;
};

}  // namespace

std::vector<std::uint32_t> endless_loop_latches(const ControlFlowGraph& cfg) {
  return Components(cfg).latches();
}

}  // namespace raddle::ptx
