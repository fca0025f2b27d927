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

/// Immediate post-dominator of each block; kExitBlock where only the function's exit
/// post-dominates. A loop without an exit counts as left at its last block that jumps back, so that
/// branches inside it still reconverge.
std::vector<std::uint32_t> immediate_post_dominators(const ControlFlowGraph&);

/// Where lanes that diverge at the end of a block probably reconverge, if that is before the
/// immediate post-dominator. It is the block's post-dominator within the innermost loop in which
/// the block has several successors, as if no path left that loop; or the loop's first block where
/// the lanes reconverge in the next round. kExitBlock: there is none, or it is the immediate
/// post-dominator.
std::vector<std::uint32_t> likely_convergence_points(
    const ControlFlowGraph&, const std::vector<std::uint32_t>& post_dominators);

/// Immediate dominator of each block; kExitBlock for the first block and for unreachable ones.
std::vector<std::uint32_t> immediate_dominators(const ControlFlowGraph&);

/// Registers that are live at the beginning and at the end of each block, ascending. A register
/// that some path reads unwritten counts as live from the entry on.
struct Liveness {
  std::vector<std::vector<std::uint32_t>> in, out;  // [block]
};
Liveness liveness(const FlowFunction&, const ControlFlowGraph&);

/// A physical place for each virtual register: a row index in the general file, or a predicate
/// index. A 32-bit and a wider register never share a row, not even one after the other. Lane 0 of
/// a wide register lies where lanes 0 and 1 of a narrow one do. So lanes on different sides of a
/// divergent branch, where the other register is dead for each side, would overwrite each other.
struct Allocation {
  static constexpr std::uint32_t kUnused = ~std::uint32_t{0};
  std::vector<std::uint32_t> place;  // [register]; kUnused if it is never read or written
  std::uint32_t rows = 0;            // general rows: first those of narrow registers, then those of
                                     // wide ones
  std::uint32_t predicates = 0;
  /// 32-bit registers that a thread needs on hardware, where any two registers can share.
  std::uint32_t registers = 0;
  /// The most of them that are in use at one place. An assembler that moves values between
  /// registers can manage with this number.
  std::uint32_t at_once = 0;
};
/// A written register may share its place with one that the same instruction reads for the last
/// time. Unwritten registers may have any value, so they need no place before their first write.
/// Never fails: allocation does not spill, so `registers` may exceed what the hardware has, and the
/// caller decides.
Allocation allocate_registers(const FlowFunction&, const ControlFlowGraph&, const Liveness&);

/// Empty when no two live registers share a place, and no two of different widths ever share one;
/// else names the two registers and the place.
std::string check_allocation(const FlowFunction&, const ControlFlowGraph&, const Liveness&,
                             const Allocation&);

}  // namespace raddle::ptx
