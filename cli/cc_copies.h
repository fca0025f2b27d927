// Copies of structures in device code.
#pragma once

#include <string>

namespace raddle::cc {

/// Writes calls of llvm.memcpy and memmove in LLVM IR text out as loads and stores of 32-bit words,
/// where their length is constant and both sides are aligned to words. Clang's backend joins such
/// accesses to the widest that their alignment admits, as nvcc does; a call it takes apart into
/// accesses of 8 bytes, so that copying a float4 would take two.
std::string copy_by_words(const std::string& ir);

}  // namespace raddle::cc
