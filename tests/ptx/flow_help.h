// Hand-made flow functions for tests of the passes.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

using Ids = std::vector<std::uint32_t>;

/// An instruction that goes on to the next one.
inline FlowInstruction compute(Ids writes, Ids reads) {
  FlowInstruction instruction;
  instruction.writes = std::move(writes);
  instruction.reads = std::move(reads);
  return instruction;
}
inline FlowInstruction guarded(FlowInstruction instruction) {
  instruction.conditional = true;
  return instruction;
}
inline FlowInstruction jump(std::uint32_t target) {
  FlowInstruction instruction;
  instruction.falls_through = false;
  instruction.targets = {target};
  return instruction;
}
inline FlowInstruction branch(std::uint32_t target, Ids reads = {}) {
  FlowInstruction instruction;
  instruction.targets = {target};
  instruction.reads = std::move(reads);
  return instruction;
}
inline FlowInstruction leave(Ids reads = {}) {
  FlowInstruction instruction;
  instruction.falls_through = false;
  instruction.reads = std::move(reads);
  return instruction;
}

/// `general`: rows of each general register; then come `predicates` predicates.
inline FlowFunction flow(std::vector<FlowInstruction> instructions, Ids general = {},
                         unsigned predicates = 0) {
  FlowFunction function;
  function.instructions = std::move(instructions);
  for (const std::uint32_t rows : general) {
    function.registers.push_back({FlowRegister::File::general, static_cast<std::uint8_t>(rows)});
  }
  function.registers.resize(general.size() + predicates, {FlowRegister::File::predicate, 1});
  return function;
}

/// A graph of one-instruction blocks: `edges[b]` are the successors of block b; none: it exits. The
/// first successor of a block with two is the next block.
inline ControlFlowGraph graph(const std::vector<Ids>& edges) {
  ControlFlowGraph cfg;
  cfg.blocks.resize(edges.size());
  for (std::uint32_t b = 0; b < edges.size(); ++b) {
    cfg.blocks[b].first = b;
    cfg.blocks[b].end = b + 1;
    cfg.blocks[b].exits = edges[b].empty();
    cfg.blocks[b].successors = edges[b];
    for (const std::uint32_t next : edges[b]) cfg.blocks[next].predecessors.push_back(b);
    cfg.block_of.push_back(b);
  }
  return cfg;
}

}  // namespace raddle::ptx
