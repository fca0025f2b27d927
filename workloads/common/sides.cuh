// For kernels whose subject are branches with two sides.
#pragma once

#include <string>

#include "common/options.h"

namespace raddle::workloads {

/// `kept`: branches have the sides that they have in the source. `compiled`: the compiler may move what
/// both sides have in common behind them, down to one load from an address that is selected, as
/// compilers since about 2015 do, and those before did not.
enum class Sides { kept, compiled };

/// At the end of a branch's first side and of its second. A comment in PTX, which is no instruction,
/// but not the same on both sides: nothing is moved past it.
template <Sides sides>
__device__ inline void end_first_side() {
  if constexpr (sides == Sides::kept) asm volatile("// end of the first side");
}
template <Sides sides>
__device__ inline void end_second_side() {
  if constexpr (sides == Sides::kept) asm volatile("// end of the second side");
}

/// The option --sides.
inline void add_sides(Options& options, std::string* sides) {
  options.add_choice("--sides", sides, {"kept", "compiled"},
                     "of branches: as in the source, or what the compiler leaves of them");
}

}  // namespace raddle::workloads
