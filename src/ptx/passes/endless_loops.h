// Loops without an exit, for which post-dominance assumes one.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// One block of each strongly connected region without leaving edges and exits: the last one, in
/// program order, that jumps back. Ascending.
std::vector<std::uint32_t> endless_loop_latches(const ControlFlowGraph&);

}  // namespace raddle::ptx
