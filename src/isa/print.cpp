#include "isa/print.h"

#include <fmt/core.h>

namespace raddle::isa {
namespace {

/// "r4" or "r4,r5,p2" of the registers in a set.
std::string registers(const RegisterSet& set) {
  std::string text;
  const auto add = [&](char file, unsigned number) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", file, number);
  };
  for (unsigned row = 0; row < 256; ++row) {
    if ((set.rows[row / 64] >> (row % 64)) & 1) add('r', row);
  }
  for (unsigned p = 0; p < 64; ++p) {
    if ((set.predicates >> p) & 1) add('p', p);
  }
  return text.empty() ? "-" : text;
}

std::string what_it_does(const Program& program, std::uint32_t index) {
  const Instruction& i = program.code[index];
  const std::string& written = program.info[index].text;
  if (!written.empty()) return written;
  switch (i.kind) {
    case Kind::branch:
      return "bra";
    case Kind::ret:
      return "ret";
    case Kind::exit:
      return "exit";
    default:
      return "(added by lowering)";
  }
}

}  // namespace

std::string print(const Program& program, std::uint32_t index) {
  const Instruction& i = program.code[index];
  RegisterSet reads = program.hazards[index];
  reads.remove(program.writes[index]);
  std::string text = fmt::format("{:<60} ; writes {} reads {}", what_it_does(program, index),
                                 registers(program.writes[index]), registers(reads));
  if (i.kind == Kind::branch && i.extra == 0) text += fmt::format(" to {}", i.target);
  if (i.kind == Kind::branch && i.reconverge != kNoReconvergence) {
    text += fmt::format(" meets {}", i.reconverge);
  }
  return text;
}

}  // namespace raddle::isa
