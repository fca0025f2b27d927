// Short ways to parse in tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ptx/module.h"

namespace raddle::ptx {

inline const std::string kHeader = ".version 8.5\n.target sm_90\n.address_size 64\n";

/// A module's text after the header, which takes lines 1 to 3.
inline Module parse_text(const std::string& text) { return parse("test.ptx", kHeader + text); }

/// The body of a kernel `k` that has registers to play with.
inline Module parse_body(const std::string& body) {
  return parse_text(
      ".global .align 4 .u32 table[3][4];\n"
      ".visible .entry k(.param .u64 in, .param .u32 n) {\n"
      ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .pred %p<4>; .reg .v4 .f32 %v;\n" +
      body + "\n}\n");
}

/// The text of the error that parsing brings, or "" where it succeeds.
inline std::string error_of(const std::string& text) {
  try {
    parse("test.ptx", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline const Instruction& only_instruction(const Module& module) {
  EXPECT_EQ(module.functions.at(0).instructions.size(), 1u);
  return module.functions.at(0).instructions.at(0);
}

}  // namespace raddle::ptx
