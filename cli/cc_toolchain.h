// The tools that `raddle cc` runs: clang, libclc, and the headers and libraries of this project.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace raddle::cc {

struct Toolchain {
  std::filesystem::path clang;         // clang++, 14 or later
  int clang_major = 0;                 // its version
  std::filesystem::path wrappers;      // clang's wrappers of C++ library headers for CUDA
  std::filesystem::path libclc;        // bitcode of the device maths
  std::filesystem::path cuda_headers;  // <root>/cuda
  std::filesystem::path headers;       // <root>/include
  std::filesystem::path libraries;     // libcudart.so and libcuda.so of this build

  int newest_architecture() const { return clang_major >= 18 ? 90 : 86; }
  /// The PTX version to write, as clang's name of a feature: it must have everything that code for
  /// this architecture (compute capability * 10) may need. Code for 9.0 uses versions from 8.0 on.
  std::string ptx_feature(int architecture) const {
    if (architecture >= 90 && clang_major >= 18) return clang_major >= 19 ? "+ptx85" : "+ptx83";
    return clang_major >= 16 ? "+ptx78" : "+ptx75";
  }
};

/// Finds clang ($RADDLE_CLANG, or the newest in PATH) and libclc. Throws Error that names the
/// missing Debian packages.
Toolchain find_toolchain();

/// Runs a program with this project's standard output and error, and waits; returns its exit code,
/// or 128 plus the signal that ended it. Throws Error if it cannot be started.
int run_tool(const std::vector<std::string>& command);

/// The same; `said` receives the program's standard error.
int run_tool(const std::vector<std::string>& command, std::string& said);

/// The standard output of a program; throws Error if the program fails.
std::string output_of(const std::vector<std::string>& command);

}  // namespace raddle::cc
