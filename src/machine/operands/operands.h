// From issue to execution, and from execution to the register file: operands are read from banks,
// and results return over buses. Each scheduler has its own part of the register file.
#pragma once

#include <vector>

#include "isa/instruction.h"
#include "machine/operands/fixed_reads.h"
#include "machine/operands/operand_collectors.h"
#include "machine/operands/result_bus.h"

namespace raddle {
class StatGroup;
}

namespace raddle::machine {

struct OperandsConfig;  // operands/config.h
struct OperandsStats;   // operands/stats.h

class Operands {
 public:
  Operands(const OperandsConfig& config, unsigned schedulers, StatGroup& parent);

  /// Whether the scheduler can issue an instruction in cycle `now`.
  bool can_issue(unsigned scheduler, Cycle now) const {
    return fixed_ ? fixed_reads_[scheduler].can_issue(now) : collectors_[scheduler].can_issue(now);
  }
  /// Reads the operands of an instruction that issues at `now`; can_issue() was true. Returns by
  /// how many cycles bank conflicts delay it.
  Cycle read(unsigned scheduler, unsigned warp, const isa::SourceRegisters& sources,
             bool fixed_latency, Cycle now);
  /// The same for more operands of the instruction of the last read(), `later` cycles later.
  Cycle read_more(unsigned scheduler, unsigned warp, const isa::SourceRegisters& sources,
                  bool fixed_latency, Cycle now, Cycle later);
  /// Books a bus for a result that comes at `at`. Returns when its users can read it.
  Cycle write(unsigned scheduler, bool fixed_latency, Cycle at, Cycle now);

 private:
  Cycle read_fixed(unsigned scheduler, unsigned warp, const isa::SourceRegisters& sources,
                   bool fixed_latency, Cycle now);
  Cycle late(Cycle delay);

  bool fixed_;
  unsigned banks_;
  std::vector<OperandCollectors> collectors_;  // [scheduler]
  std::vector<FixedReads> fixed_reads_;        // [scheduler]
  std::vector<ResultBus> buses_;               // [scheduler]
  OperandsStats& stats_;
};

}  // namespace raddle::machine
