// Copies of structures in device code.
#pragma once

#include <string>

namespace raddle::cc {

/// In LLVM IR text, replaces calls of llvm.memcpy and memmove by loads and stores of 32-bit words.
/// Only calls of constant length with both sides aligned to 16 bytes; also calls of 4 or 12 bytes
/// aligned to words, which may be the rest of such a structure. Clang's backend joins these
/// accesses to the widest that their alignment admits, as nvcc does. It splits a call into accesses
/// of 8 bytes instead, so that a copy of a float4 would take two.
std::string copy_by_words(const std::string& ir);

}  // namespace raddle::cc
