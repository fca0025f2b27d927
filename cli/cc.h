// `raddle cc`: compiles CUDA programs with clang and the headers of this project, and links the
// runtime of this project. It takes the options of nvcc that programs' makefiles use.
#pragma once

#include <string>
#include <vector>

namespace raddle {

/// Compiles and links as `arguments` say. Returns the exit code of the process: 0, or the code of
/// the compiler that failed. Throws Error for an unknown option or input.
int run_cc(const std::vector<std::string>& arguments);

}  // namespace raddle
