// Branches, returns and calls (PTX ISA 9.7.12).
#pragma once

#include "isa/lower/lowering.h"

namespace raddle::isa {

/// What the guard keeps from an instruction that every lane of its split must take part in goes
/// round all that is pushed while this lives.
class SkipUnlessGuarded {
 public:
  SkipUnlessGuarded(Lowering& lower, const ptx::Instruction& instruction);
  ~SkipUnlessGuarded();
  SkipUnlessGuarded(const SkipUnlessGuarded&) = delete;
  SkipUnlessGuarded& operator=(const SkipUnlessGuarded&) = delete;

 private:
  LirCode& code_;
  std::uint32_t branch_ = ptx::kNoId;
};

}  // namespace raddle::isa
