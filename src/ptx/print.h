// A module back to PTX text.
#pragma once

#include <string>

#include "ptx/module.h"

namespace raddle::ptx {

/// Text that parses to the same module, but for positions, comments, and names: where scopes gave
/// one name to several things, and for elements of vector registers, fresh names are made.
std::string print(const Module&);

/// One instruction as in that text, without guard, label and line end. Registers and variables
/// show under their declared names.
std::string print(const Module&, const Function&, const Instruction&);

}  // namespace raddle::ptx
