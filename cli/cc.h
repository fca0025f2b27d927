// `raddle cc`: compiles CUDA programs with clang and the headers of this project, and links the
// runtime of this project. It takes the options of nvcc that programs' makefiles use.
#pragma once

#include <string>
#include <vector>

namespace raddle {

/// Compiles and links as `arguments` say; returns the exit code of the process: 0, or that of the
/// compiler that failed. Throws Error for an option or input that it does not know.
int run_cc(const std::vector<std::string>& arguments);

}  // namespace raddle
