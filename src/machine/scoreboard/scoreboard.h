// Registers that instructions in flight will write: who needs one of them waits.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace raddle::machine {

/// One entry per warp slot. Results of memory instructions are told apart from those of short ones,
/// because waiting for them is another reason to stall.
class Scoreboard {
 public:
  enum class Wait : std::uint8_t { none, execution, memory };

  explicit Scoreboard(unsigned warps) : warps_(warps) {}

  /// What an instruction which reads or writes `hazards` has to wait for.
  Wait wait(unsigned warp, const isa::RegisterSet& hazards) const {
    const Pending& pending = warps_[warp];
    if (hazards.meets(pending.memory)) return Wait::memory;
    return hazards.meets(pending.execution) ? Wait::execution : Wait::none;
  }
  /// For instructions that need all earlier ones to have ended (calls, which change the frame).
  Wait wait_all(unsigned warp) const {
    const Pending& pending = warps_[warp];
    if (!pending.memory.empty()) return Wait::memory;
    return pending.execution.empty() ? Wait::none : Wait::execution;
  }

  void reserve_execution(unsigned warp, const isa::RegisterSet& writes) {
    warps_[warp].execution.add(writes);
  }
  void release_execution(unsigned warp, const isa::RegisterSet& writes) {
    warps_[warp].execution.remove(writes);
  }
  void reserve_memory(unsigned warp, const isa::RegisterSet& writes) {
    warps_[warp].memory.add(writes);
  }
  void release_memory(unsigned warp, const isa::RegisterSet& writes) {
    warps_[warp].memory.remove(writes);
  }
  bool empty(unsigned warp) const { return wait_all(warp) == Wait::none; }

 private:
  struct Pending {
    isa::RegisterSet execution, memory;
  };
  std::vector<Pending> warps_;
};

}  // namespace raddle::machine
