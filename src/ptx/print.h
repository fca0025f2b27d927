// Converts a module back to PTX text.
#pragma once

#include <string>

#include "ptx/module.h"

namespace raddle::ptx {

/// Text that parses to the same module, except for positions, comments and some names: elements of
/// vector registers get new names, and so do things that had the same name in different scopes.
std::string print(const Module&);

/// One instruction as in that text, without guard, label and line end. Registers and variables have
/// their declared names.
std::string print(const Module&, const Function&, const Instruction&);

}  // namespace raddle::ptx
