// Checks whether the instructions of basic blocks may have the order that a pass gave them.
// Considers pairs of instructions only, by rules independent of the pass.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/loader.h"

namespace raddle::tests {

/// A function's blocks as they were at some time.
struct Recorded {
  std::string function;
  std::vector<std::vector<isa::LirInstruction>> blocks;
  std::vector<std::vector<isa::InstructionId>> ids;
  /// [instruction of the blocks, in order] two numbers that stand for its address, and differ as
  /// addresses do wherever that is certain.
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> addresses;
};

/// Records each function before `pass` changes it and then checks what has become of it; what is
/// wrong goes to `complaints`, and how many pairs have changed places to `swapped`.
std::shared_ptr<const isa::Pass> checked(std::shared_ptr<const isa::Pass> pass,
                                         std::vector<std::string>& complaints,
                                         std::size_t& swapped);

}  // namespace raddle::tests
