// Where in the program each register holds a value that is read later: exact to the instruction,
// with holes.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// A half-open range of slots. Instruction i reads in slot 2i and writes in slot 2i + 1. So a value
/// that an instruction reads for the last time does not overlap one that it writes.
struct LiveSegment {
  std::uint32_t start = 0, end = 0;
};

/// Ascending and not adjacent. Every register that is read or written has at least one segment.
using LiveRange = std::vector<LiveSegment>;

/// A register is in range where it is live and some path has written it. A write with an unused
/// result only occupies its own slot.
std::vector<LiveRange> live_ranges(const FlowFunction&, const ControlFlowGraph&, const Liveness&);

}  // namespace raddle::ptx
