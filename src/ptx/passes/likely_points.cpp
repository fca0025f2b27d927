// Likely reconvergence points: where the paths of a branch reconverge if they leave no loop around
// it before.
//
// Fung and Aamodt (HPCA 2011) let the compiler decide which paths are unlikely. Without a profile
// these are the paths out of loops (T. Ball, J. Larus: Branch Prediction for Free, PLDI 1993). So
// the point is the immediate post-dominator in the graph of the loop alone.
#include <algorithm>

#include "ptx/passes/passes.h"

namespace raddle::ptx {
namespace {

/// The blocks of a natural loop, whose back edges lead to one header; `body[0]` is the header.
struct Loop {
  std::vector<std::uint32_t> body;
};

bool dominates(const std::vector<std::uint32_t>& dominators, std::uint32_t a, std::uint32_t b) {
  while (b != a && b != kExitBlock) b = dominators[b];
  return b == a;
}

/// Natural loops, smaller ones first. Back edges to the same header belong to one loop.
std::vector<Loop> natural_loops(const ControlFlowGraph& cfg) {
  const auto dominators = immediate_dominators(cfg);
  std::vector<Loop> loops;
  std::vector<bool> in(cfg.blocks.size());
  for (std::uint32_t header = 0; header < cfg.blocks.size(); ++header) {
    std::vector<std::uint32_t> latches;
    for (const std::uint32_t before : cfg.blocks[header].predecessors) {
      if (dominates(dominators, header, before)) latches.push_back(before);
    }
    if (latches.empty()) continue;
    Loop loop{{header}};
    in.assign(in.size(), false);
    in[header] = true;
    const auto add = [&](std::uint32_t block) {
      if (!in[block]) loop.body.push_back(block);
      in[block] = true;
    };
    for (const std::uint32_t latch : latches) add(latch);
    for (std::size_t n = 1; n < loop.body.size(); ++n) {
      for (const std::uint32_t before : cfg.blocks[loop.body[n]].predecessors) {
        // Unreachable blocks may jump into a loop.
        if (dominates(dominators, header, before)) add(before);
      }
    }
    loops.push_back(std::move(loop));
  }
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop& a, const Loop& b) { return a.body.size() < b.body.size(); });
  return loops;
}

/// One round of the loop: its blocks, numbered as in `body`; an edge back to the header counts as
/// an exit.
ControlFlowGraph round_of(const ControlFlowGraph& cfg, const Loop& loop) {
  std::vector<std::uint32_t> number(cfg.blocks.size(), kExitBlock);
  for (std::uint32_t n = 0; n < loop.body.size(); ++n) number[loop.body[n]] = n;
  ControlFlowGraph round;
  round.blocks.resize(loop.body.size());
  for (std::uint32_t n = 0; n < loop.body.size(); ++n) {
    for (const std::uint32_t next : cfg.blocks[loop.body[n]].successors) {
      if (next == loop.body[0]) round.blocks[n].exits = true;
      if (next == loop.body[0] || number[next] == kExitBlock) continue;
      round.blocks[n].successors.push_back(number[next]);
      round.blocks[number[next]].predecessors.push_back(n);
    }
  }
  return round;
}

}  // namespace

std::vector<std::uint32_t> likely_convergence_points(
    const ControlFlowGraph& cfg, const std::vector<std::uint32_t>& post_dominators) {
  std::vector<std::uint32_t> points(cfg.blocks.size(), kExitBlock);
  std::vector<bool> decided(cfg.blocks.size(), false);
  for (const Loop& loop : natural_loops(cfg)) {
    const ControlFlowGraph round = round_of(cfg, loop);
    const auto meets = immediate_post_dominators(round);
    for (std::uint32_t n = 0; n < loop.body.size(); ++n) {
      const std::uint32_t block = loop.body[n];
      const auto& inside = round.blocks[n];
      if (decided[block] || inside.successors.size() + inside.exits < 2) continue;
      decided[block] = true;
      const std::uint32_t point = loop.body[meets[n] == kExitBlock ? 0 : meets[n]];
      if (point != post_dominators[block]) points[block] = point;
    }
  }
  return points;
}

}  // namespace raddle::ptx
