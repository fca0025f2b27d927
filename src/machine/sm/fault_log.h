// Faults on a multiprocessor in one cycle.
#pragma once

#include <vector>

#include "isa/global_port.h"
#include "machine/sm/warp_table.h"
#include "machine/sm_fault.h"

namespace raddle::machine {

class FaultLog {
 public:
  explicit FaultLog(const WarpTable& warps) : warps_(warps) {}

  /// A fault of the warp in this slot, at its program's instruction `code`.
  static SmFault fault_of(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code);
  void add(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code) {
    add(fault_of(slot, fault, code));
  }
  void add(const SmFault& fault) { faults_.push_back(fault); }
  /// Adds faults of library functions, which work at the end of the cycle.
  void take_late(std::vector<isa::LateFault>& late);

  std::vector<SmFault>& list() { return faults_; }
  bool empty() const { return faults_.empty(); }

 private:
  const WarpTable& warps_;
  std::vector<SmFault> faults_;
};

}  // namespace raddle::machine
