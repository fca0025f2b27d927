// How many low bits of each register are always zero: the powers of two that divide addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

class Alignment {
 public:
  explicit Alignment(const FunctionBody& body);
  /// Number of low bits that are zero, at most 31.
  unsigned zeros(const Ref& ref) const;

 private:
  unsigned zeros_made(const LirInstruction& lir) const;

  const FunctionBody& body_;
  std::vector<std::uint8_t> zeros_;  // [register]
};

}  // namespace raddle::isa
