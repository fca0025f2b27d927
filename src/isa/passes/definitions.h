// Registers with one value: one instruction writes them, and every reader comes after that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

inline constexpr InstructionId kNoInstruction = ~InstructionId{0};

/// For the function as it is at construction. Changes of operands leave it valid if they keep the
/// definitions of these registers in place.
class Definitions {
 public:
  explicit Definitions(const FunctionBody& body);

  /// The only instruction that writes the register, if it does so unconditionally and on all paths
  /// to the readers; else kNoInstruction.
  InstructionId single(std::uint32_t reg) const { return single_[reg]; }
  /// How often the function names the register as a source.
  unsigned reads(std::uint32_t reg) const { return reads_[reg]; }
  bool dominates(BlockId a, BlockId b) const {
    return first_[a] <= first_[b] && first_[b] < last_[a];
  }

 private:
  void number_dominator_tree(const FunctionBody& body);

  std::vector<InstructionId> single_;  // [register]
  std::vector<unsigned> reads_;        // [register]
  // [block] its range of the dominator tree in preorder; empty: the block is not reachable
  std::vector<std::uint32_t> first_, last_;
};

/// Follows a walk over the function, block by block, and knows which results could as well be
/// computed at their use: those with one reader and unchanged operands.
class OnlyUses {
 public:
  explicit OnlyUses(const FunctionBody& body);
  /// Advances past the instruction.
  void step(InstructionId id);
  /// The instruction that makes the register for its only reader, which is next; kNoInstruction:
  /// there is none, or its operands may have changed.
  InstructionId maker(std::uint32_t reg, BlockId block) const {
    return definitions_.reads(reg) == 1 ? maker_of_several(reg, block) : kNoInstruction;
  }
  /// As maker(), where other instructions may read the register, too.
  InstructionId maker_of_several(std::uint32_t reg, BlockId block) const;
  bool alone(std::uint32_t reg) const { return definitions_.reads(reg) == 1; }

 private:
  const FunctionBody& body_;
  Definitions definitions_;
  std::vector<std::uint32_t> version_;        // [register] number of writes so far
  std::vector<std::uint64_t> at_definition_;  // [register] sum of its operands' versions
};

/// An instruction that adds a constant to a register, or copies a register: d = base + offset,
/// modulo 2^bits of d.
struct Offset {
  Ref base;
  std::uint64_t offset = 0;
};
std::optional<Offset> offset_of(const FunctionBody& body, const LirInstruction& lir);

/// The known value of a register or constant at a place of a block: root + offset. Two values with
/// the same root differ by the difference of their offsets.
struct AddressValue {
  std::uint64_t root = 0;
  std::uint64_t offset = 0;
};

/// Follows the instructions of blocks, one block at a time.
class AddressValues {
 public:
  AddressValues(const FunctionBody& body, const Definitions& definitions);
  void begin_block();
  AddressValue value(const Ref& ref);
  /// Advances past the instruction.
  void step(const LirInstruction& lir);

 private:
  AddressValue single_value(std::uint32_t reg);

  const FunctionBody& body_;
  const Definitions& definitions_;
  std::vector<AddressValue> local_;                  // [register] in this block
  std::vector<std::uint32_t> known_in_;              // [register] the block for which it is valid
  std::vector<std::optional<AddressValue>> single_;  // [register]
  std::uint32_t block_ = 0;
  std::uint64_t next_root_ = 0;
};

}  // namespace raddle::isa
