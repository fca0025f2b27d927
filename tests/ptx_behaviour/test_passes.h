// Passes that change everything about a function except its results.
#pragma once

#include <memory>

#include "isa/passes/pass.h"

namespace raddle::tests {

/// Adjacent instructions that are independent change places, from the end of each block.
std::shared_ptr<const isa::Pass> swap_neighbours();
/// Every block becomes two, of which the first jumps over code that nobody reaches to the second.
std::shared_ptr<const isa::Pass> cut_blocks();

/// Opcode merging in small: a diamond without anything but arithmetic in its sides becomes guarded
/// instructions, of which those of the same row and modifiers, in order, are issued as one. Counts
/// those pairs in `merged`.
std::shared_ptr<const isa::Pass> merge_sides(unsigned& merged);

}  // namespace raddle::tests
