// Names of kernels for messages and reports.
#pragma once

#include <string>

namespace raddle::isa {

/// A kernel's name as its source has it, without its parameters; demangled for a C++ kernel.
std::string kernel_name(const std::string& name);

}  // namespace raddle::isa
