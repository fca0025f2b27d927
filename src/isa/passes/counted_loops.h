// Loops of one block whose counter changes by a constant, until it reaches a bound that the loop
// does not change.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/passes/definitions.h"

namespace raddle::isa {

struct CountedLoop {
  BlockId block = kNoBlock;  // its last instruction jumps back to it
  InstructionId branch = kNoInstruction;
  InstructionId comparison = kNoInstruction;
  /// The loop continues while: counter `relation` bound. One of ne, lt, le, gt and ge.
  Compare relation = Compare::none;
  bool has_sign = false;
  unsigned bits = 0;
  Ref counter, bound;
  /// In the n-th round, from 0, the compared counter is the value of `start` before the loop, plus
  /// `ahead` + n * step.
  std::uint32_t start = 0;
  std::int64_t ahead = 0, step = 0;

  /// Whether the loop continues with these values of counter and bound.
  bool goes_on(std::uint64_t counter, std::uint64_t bound) const;
};

/// nullopt: the block is no such loop, or the program forbids to unroll it.
std::optional<CountedLoop> counted_loop(const FunctionBody& body, BlockId block);

/// Number of rounds, if the start and the bound are known; nullopt: not known, or more than `most`.
std::optional<unsigned> rounds(const FunctionBody& body, const CountedLoop& loop, unsigned most);

/// Values of registers along a block: the value of some register at the block's beginning, plus a
/// constant.
class BlockOffsets {
 public:
  struct Value {
    std::uint32_t base = ptx::kNoId;  // kNoId: not known
    std::int64_t offset = 0;
  };
  explicit BlockOffsets(const FunctionBody& body) : body_(body) {}
  Value value(std::uint32_t reg) const;
  /// Advances past the instruction.
  void step(const LirInstruction& lir);

 private:
  const FunctionBody& body_;
  std::vector<std::pair<std::uint32_t, Value>> written_;
};

}  // namespace raddle::isa
