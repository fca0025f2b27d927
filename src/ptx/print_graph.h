// A control-flow graph as readable text, or as input for Graphviz.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// Returns the text for an instruction.
using InstructionText = std::function<std::string(std::uint32_t instruction)>;

/// One paragraph for each block: its instructions, its successors, and where diverged threads
/// reconverge.
std::string print_graph(const ControlFlowGraph&, const InstructionText&);

/// The same as a digraph in the DOT language; `name` is its title.
std::string print_graph_dot(const std::string& name, const ControlFlowGraph&,
                            const InstructionText&);

}  // namespace raddle::ptx
