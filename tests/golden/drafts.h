// Drafts of cases. Each can be made again without the forms that the assembler refuses.
#pragma once

#include <functional>
#include <set>

#include "archive.h"

namespace raddle::golden {

using Refused = std::set<std::string>;  // first words of lines, "ex2.approx.f32"

struct Draft {
  /// Cases of one PTX text, with different operands; none when all their forms are refused.
  std::function<std::vector<Case>(const Refused& refused)> make;
};
using Drafts = std::vector<Draft>;

/// Files of tests/ptx_behaviour that end without a fault, and use no texture.
Drafts behaviour_drafts(const std::string& folder);
/// tests/ptx_forms: what computes, loads, stores, updates; matrices.
Drafts compute_drafts();
Drafts memory_drafts();
Drafts matrix_drafts();
/// Approximations on dense operands, all numbers of 16 bits, warps that shuffle and vote.
Drafts sweep_drafts();

/// Approximations on every number of some binades: an archive of its own, whose results are large.
Drafts binade_drafts();

/// Assembles for sm_90a with `ptxas`; forms that it refuses are left out and named in the archive.
Archive assemble(const Drafts& drafts, const std::string& ptxas);

/// With the target that it is assembled for in place of its own.
std::string for_hopper(std::string text);
std::string first_word(const std::string& line);
std::string raw(const std::vector<std::uint64_t>& values, unsigned bytes = 8);

}  // namespace raddle::golden
