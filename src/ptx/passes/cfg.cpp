// Basic blocks: maximal sequences of instructions that control enters only at the beginning and
// leaves only at the end.
#include <algorithm>

#include "ptx/passes/passes.h"

namespace raddle::ptx {
namespace {

/// Which instructions begin a block.
std::vector<bool> find_leaders(const FlowFunction& function) {
  const std::size_t count = function.instructions.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const FlowInstruction& instruction = function.instructions[i];
    if (!instruction.falls_through || !instruction.targets.empty()) leader[i + 1] = true;
    for (const std::uint32_t target : instruction.targets) {
      if (target < count) leader[target] = true;
    }
  }
  return leader;
}

}  // namespace

ControlFlowGraph build_cfg(const FlowFunction& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  const std::vector<bool> leader = find_leaders(function);
  ControlFlowGraph cfg;
  cfg.block_of.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leader[i]) cfg.blocks.emplace_back().first = i;
    cfg.blocks.back().end = i + 1;
    cfg.block_of[i] = static_cast<std::uint32_t>(cfg.blocks.size() - 1);
  }
  if (count == 0) cfg.blocks.emplace_back();  // an empty body: control leaves it at once

  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    ControlFlowGraph::Block& block = cfg.blocks[b];
    const auto follow = [&](std::uint32_t instruction) {
      if (instruction >= count) {  // after the last instruction the function returns
        block.exits = true;
        return;
      }
      const std::uint32_t successor = cfg.block_of[instruction];
      auto& known = block.successors;
      if (std::find(known.begin(), known.end(), successor) == known.end()) {
        known.push_back(successor);
        cfg.blocks[successor].predecessors.push_back(b);
      }
    };
    if (count == 0) {
      block.exits = true;
      continue;
    }
    const FlowInstruction& last = function.instructions[block.end - 1];
    if (last.falls_through) follow(block.end);
    for (const std::uint32_t target : last.targets) follow(target);
    if (!last.falls_through && last.targets.empty()) block.exits = true;
  }
  return cfg;
}

}  // namespace raddle::ptx
