// Several instructions that are issued as one.
#pragma once

#include "isa/instruction.h"

namespace raddle::isa {

/// Carries out `immediate` instructions of the program from `target` on, each in those of the active
/// lanes that its guard has.
void execute_parts(WarpContext&, const Instruction&);

/// The same for loads or stores of one kind that access memory together: WarpContext::access is of all
/// of them, whose lanes are not the same.
void execute_joint_access(WarpContext&, const Instruction&);

/// Keeps in predicate `p` which of the active lanes have the source predicate.
void execute_keep_sides(WarpContext&, const Instruction&);

}  // namespace raddle::isa
