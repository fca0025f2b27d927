// For kernels that study branches with two sides.
#pragma once

#include <string>

#include "common/options.h"

namespace raddle::workloads {

/// `kept`: branches keep the sides of the source. `compiled`: the compiler may move common code of
/// both sides behind the branch. It may leave only one load from a selected address. Compilers
/// since about 2015 do so, earlier ones did not.
enum class Sides { kept, compiled };

/// Marks the end of a branch's first side, and of its second. It is a comment in PTX, not an
/// instruction. The comments of the two sides differ, so the compiler moves no code past them.
template <Sides sides>
__device__ inline void end_first_side() {
  if constexpr (sides == Sides::kept) asm volatile("// end of the first side");
}
template <Sides sides>
__device__ inline void end_second_side() {
  if constexpr (sides == Sides::kept) asm volatile("// end of the second side");
}

/// Adds the option --sides.
inline void add_sides(Options& options, std::string* sides) {
  options.add_choice("--sides", sides, {"kept", "compiled"},
                     "of branches: as in the source, or what the compiler leaves of them");
}

}  // namespace raddle::workloads
