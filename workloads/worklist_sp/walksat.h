#pragma once

#include <cstdint>
#include <vector>

#include "worklist_sp/formula.h"

namespace raddle::workloads::sp {

/// Local search (B. Selman, H. Kautz, B. Cohen, "Noise Strategies for Improving Local Search", AAAI
/// 1994): repeatedly flips a variable of a random unsatisfied clause. It prefers a variable that
/// makes no satisfied clause false; otherwise it takes a random one, or the one that makes the
/// fewest false. `values` is 0, 1, or -1 for variables that start at random. Variables with `fixed`
/// not 0 are not flipped. Returns true, with all values 0 or 1, if every clause is satisfied after
/// at most `flips` flips.
bool walksat(const Formula& formula, std::vector<signed char>& values,
             const std::vector<char>& fixed, std::uint64_t flips, std::uint64_t seed);

}  // namespace raddle::workloads::sp
