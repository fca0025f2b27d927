// Several instructions that issue as one.
#pragma once

#include "isa/instruction.h"

namespace raddle::isa {

/// Carries out `immediate` instructions of the program from `target` on, each for the active lanes
/// of its own guard. Leaves the lanes that executed any of them in WarpContext::active.
void execute_parts(WarpContext&, const Instruction&);

/// The same for loads or stores of one kind that access memory together, each with other lanes:
/// WarpContext::access covers all of them.
void execute_joint_access(WarpContext&, const Instruction&);

/// Stores in predicate `p` which of the active lanes have the source predicate.
void execute_keep_sides(WarpContext&, const Instruction&);

}  // namespace raddle::isa
