// Statistics of the register file.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct OperandsStats : StatGroup {
  using StatGroup::StatGroup;
  Counter reads{*this, "reads", "registers", "Registers read from banks, each of 32 lanes."};
  Counter reused{*this, "reused", "registers",
                 "Registers that an earlier instruction had left at the same operand position."};
  Counter conflicts{*this, "conflicts", "warp instructions",
                    "Instructions whose operands were late because banks were busy."};
  Counter conflict_cycles{*this, "conflict_cycles", "SM cycles",
                          "Delay of these operands, summed over the instructions."};
  Counter result_conflicts{*this, "result_conflicts", "results",
                           "Results that waited for a result bus."};
  Formula reuse_rate{
      *this, "reuse_rate", "fraction", "Operands that were reused, of all that registers gave.",
      [this](const StatValues& of) { return of(reused) / (of(reads) + of(reused)); }};
};

}  // namespace raddle::machine
