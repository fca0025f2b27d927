// Registers that have one value: written in one place, which everybody who reads them has passed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

inline constexpr InstructionId kNoInstruction = ~InstructionId{0};

/// Of the function as it is when this is made; changes of operands that keep these registers'
/// definitions where they are leave it valid.
class Definitions {
 public:
  explicit Definitions(const FunctionBody& body);

  /// The only instruction that writes the register, unconditionally and on all ways to those that
  /// read it; kNoInstruction: there is none such.
  InstructionId single(std::uint32_t reg) const { return single_[reg]; }
  /// How often the function names it as a source.
  unsigned reads(std::uint32_t reg) const { return reads_[reg]; }
  bool dominates(BlockId a, BlockId b) const {
    return first_[a] <= first_[b] && first_[b] < last_[a];
  }

 private:
  void number_dominator_tree(const FunctionBody& body);

  std::vector<InstructionId> single_;  // [register]
  std::vector<unsigned> reads_;        // [register]
  // [block] the stretch of its part of the dominator tree in preorder; empty: nothing reaches it
  std::vector<std::uint32_t> first_, last_;
};

/// Follows a walk over the function, block by block, and knows which results could as well be
/// computed where they are used: those that one instruction alone reads, and whose operands are still
/// what they were.
class OnlyUses {
 public:
  explicit OnlyUses(const FunctionBody& body);
  /// Behind the instruction.
  void step(InstructionId id);
  /// The instruction that makes the register for its one reader, which is next; kNoInstruction:
  /// there is no such, or its operands may have changed.
  InstructionId maker(std::uint32_t reg, BlockId block) const {
    return definitions_.reads(reg) == 1 ? maker_of_several(reg, block) : kNoInstruction;
  }
  /// The same where others may read the register, too.
  InstructionId maker_of_several(std::uint32_t reg, BlockId block) const;
  bool alone(std::uint32_t reg) const { return definitions_.reads(reg) == 1; }

 private:
  const FunctionBody& body_;
  Definitions definitions_;
  std::vector<std::uint32_t> version_;        // [register] how often it has been written
  std::vector<std::uint64_t> at_definition_;  // [register] its operands' versions, added up
};

/// An instruction that adds a constant to a register, or copies a register: d = base + offset,
/// modulo 2^bits of d.
struct Offset {
  Ref base;
  std::uint64_t offset = 0;
};
std::optional<Offset> offset_of(const FunctionBody& body, const LirInstruction& lir);

/// What a register or constant is known to hold at a place of a block: root + offset. Two values of
/// the same root differ by what their offsets differ.
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
  /// Behind the instruction.
  void step(const LirInstruction& lir);

 private:
  AddressValue single_value(std::uint32_t reg);

  const FunctionBody& body_;
  const Definitions& definitions_;
  std::vector<AddressValue> local_;                  // [register] in this block
  std::vector<std::uint32_t> known_in_;              // [register] the block it is valid for
  std::vector<std::optional<AddressValue>> single_;  // [register]
  std::uint32_t block_ = 0;
  std::uint64_t next_root_ = 0;
};

}  // namespace raddle::isa
