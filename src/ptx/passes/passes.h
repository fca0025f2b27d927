// The passes over one function, in the order in which lowering runs them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/passes/flow.h"

namespace raddle::ptx {

/// Basic blocks in program order; block 0 is the entry. The virtual exit is not a block.
struct ControlFlowGraph {
  struct Block {
    std::uint32_t first = 0, end = 0;  // instructions [first, end)
    std::vector<std::uint32_t> successors, predecessors;
    bool exits = false;  // leaves the function at its end
  };
  std::vector<Block> blocks;
  std::vector<std::uint32_t> block_of;  // instruction -> block
};
ControlFlowGraph build_cfg(const FlowFunction&);

inline constexpr std::uint32_t kExitBlock = ~std::uint32_t{0};

/// Immediate post-dominator of each block; kExitBlock where only the function's exit is one. A loop
/// that is never left counts as left at its last block that jumps back, so that branches inside it
/// still reconverge.
std::vector<std::uint32_t> immediate_post_dominators(const ControlFlowGraph&);

/// Where lanes that go different ways at the end of a block are likely to meet, if that comes before
/// its immediate post-dominator: its post-dominator in the innermost loop in which it has several ways,
/// as if that were never left; the loop's first block where they meet in the next round. kExitBlock:
/// there is none, or it is the immediate post-dominator.
std::vector<std::uint32_t> likely_convergence_points(
    const ControlFlowGraph&, const std::vector<std::uint32_t>& post_dominators);

/// Immediate dominator of each block; kExitBlock for the first, and for those that it does not
/// reach.
std::vector<std::uint32_t> immediate_dominators(const ControlFlowGraph&);

/// Registers live into and out of each block, ascending. A register counts as live from the entry
/// on where some path reads it unwritten.
struct Liveness {
  std::vector<std::vector<std::uint32_t>> in, out;  // [block]
};
Liveness liveness(const FlowFunction&, const ControlFlowGraph&);

/// A physical place for each virtual register: a row index in the general file, or a predicate
/// index. A 32-bit and a wider register never share a row, not even one after the other: lane 0 of
/// a wide register lies where lanes 0 and 1 of a narrow one do, so that lanes on different sides of
/// a divergent branch, for each of which the other register is dead, would overwrite each other.
struct Allocation {
  static constexpr std::uint32_t kUnused = ~std::uint32_t{0};
  std::vector<std::uint32_t> place;  // [register]; kUnused where never read or written
  std::uint32_t rows = 0;            // general rows needed: narrow registers', then wide ones'
  std::uint32_t predicates = 0;
  /// 32-bit registers that a thread needs on hardware, where any two can share.
  std::uint32_t registers = 0;
  /// Of them in use at the place that needs most: with so many an assembler manages that moves
  /// values between registers, where it has no more.
  std::uint32_t at_once = 0;
};
/// A register written by an instruction may share its place with one that the same instruction
/// reads for the last time. Unwritten registers hold any value, so they keep no place before their
/// first write. Never fails: there is no spilling, so `registers` may exceed what the hardware has;
/// the caller decides.
Allocation allocate_registers(const FlowFunction&, const ControlFlowGraph&, const Liveness&);

/// Empty when no two registers that are live together share a place, and no two of different widths
/// share one at all; else says which two, where.
std::string check_allocation(const FlowFunction&, const ControlFlowGraph&, const Liveness&,
                             const Allocation&);

}  // namespace raddle::ptx
