// A control-flow graph for people: text, or input for Graphviz.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// Says what to call an instruction.
using InstructionText = std::function<std::string(std::uint32_t instruction)>;

/// A paragraph per block: its instructions, successors, and where diverged threads meet again.
std::string print_graph(const ControlFlowGraph&, const InstructionText&);

/// The same as a digraph in the DOT language; `name` is its title.
std::string print_graph_dot(const std::string& name, const ControlFlowGraph&,
                            const InstructionText&);

}  // namespace raddle::ptx
