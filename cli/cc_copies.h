// Copies of structures in device code.
#pragma once

#include <string>

namespace raddle::cc {

/// Writes calls of llvm.memcpy and memmove in LLVM IR text out as loads and stores of 32-bit words,
/// where their length is constant and both sides are aligned to 16 bytes; also those of a word or
/// three that are aligned to words, which may be what is left of such a structure. Clang's backend joins such accesses to the widest that their
/// alignment admits, as nvcc does; a call it takes apart into accesses of 8 bytes, so that copying a
/// float4 would take two.
std::string copy_by_words(const std::string& ir);

}  // namespace raddle::cc
