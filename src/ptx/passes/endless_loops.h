// Loops that are never left: where post-dominance pretends that they are.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// One block of each strongly connected region that no edge leaves and in which nothing exits: the
/// last one, in program order, that jumps back. Ascending.
std::vector<std::uint32_t> endless_loop_latches(const ControlFlowGraph&);

}  // namespace raddle::ptx
