// Where in the program each register holds a value that will be read: exact to the instruction,
// with holes.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// A half-open stretch of slots. Instruction i reads in slot 2i and writes in slot 2i + 1, so a
/// value read for the last time by an instruction does not overlap one that the instruction writes.
struct LiveSegment {
  std::uint32_t start = 0, end = 0;
};

/// Ascending, not touching each other. Every register that is read or written has at least one.
using LiveRange = std::vector<LiveSegment>;

/// A register is in range where it is live and some path has written it; a write that nobody reads
/// occupies its slot alone.
std::vector<LiveRange> live_ranges(const FlowFunction&, const ControlFlowGraph&, const Liveness&);

}  // namespace raddle::ptx
