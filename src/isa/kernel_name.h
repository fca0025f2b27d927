// Names of kernels for people.
#pragma once

#include <string>

namespace raddle::isa {

/// A kernel's name as its source has it, without its parameters; of a C++ kernel's mangled name.
std::string kernel_name(const std::string& name);

}  // namespace raddle::isa
