// Branches, returns and calls (PTX ISA 9.7.12).
#pragma once

#include "isa/lower/lowering.h"

namespace raddle::isa {

/// While this object lives, lanes without the guard branch around all pushed code: for instructions
/// in which every lane of the split must take part, so that they cannot have a guard.
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
