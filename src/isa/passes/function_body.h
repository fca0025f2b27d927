// A function as passes see and change it: basic blocks of decoded instructions on virtual
// registers, between the control-flow graph and register allocation.
//
// Instructions are LirInstruction (isa/lower/lir.h). They hold the row of the table, the registers
// that they read and write, their memory behaviour and their guard. `from` is the PTX instruction
// that they stand for, and reports name its line: an instruction that a pass adds takes `from` of
// one whose work it does. `targets` are blocks. Ids of instructions and blocks stay the same. All
// derived data is computed again when a caller asks for it after a change.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/lower/constant_pool.h"
#include "isa/lower/frame_layout.h"
#include "isa/lower/lir_code.h"
#include "isa/syntax.h"

namespace raddle::isa {

using BlockId = std::uint32_t;
using InstructionId = std::uint32_t;
inline constexpr BlockId kNoBlock = ~BlockId{0};

class FunctionBody {
 public:
  /// Takes over the code, whose targets are resolved, until put_back().
  FunctionBody(const ptx::Function& function, LirCode& code, ConstantPool& constants,
               FrameLayout& frame, const InstructionSet& instructions);
  ~FunctionBody();

  const std::string& name() const { return function_.name; }
  /// The parsed function: its directives.
  const ptx::Function& function() const { return function_; }

  // Blocks.
  /// In the order of their code; the function begins with the first.
  const std::vector<BlockId>& blocks() const { return order_; }
  const std::vector<InstructionId>& instructions(BlockId block) const { return of_[block]; }
  /// The fall-through block first, if there is one; no block twice.
  std::vector<BlockId> successors(BlockId block) const;
  std::vector<BlockId> predecessors(BlockId block) const;

  // Instructions.
  const LirInstruction& operator[](InstructionId id) const { return all_[id]; }
  /// For changes of operands, guard or targets; derived data is computed again at its next use.
  LirInstruction& change(InstructionId id);
  /// kNoBlock: the instruction was erased.
  BlockId block_of(InstructionId id) const { return block_of_[id]; }
  std::size_t position(InstructionId id) const;  // in its block
  std::size_t instruction_count() const;

  // Registers and constants.
  unsigned register_bytes(std::uint32_t id) const { return code_.bytes(id); }  // 0: a predicate
  std::size_t register_count() const { return code_.register_bytes().size(); }
  std::uint32_t new_register(unsigned bytes);
  /// Hardware reads the value from a constant bank, so it takes no register of a thread.
  void keep_in_constant_bank(std::uint32_t id) { code_.keep_in_constant_bank(id); }
  bool in_constant_bank(std::uint32_t id) const { return code_.in_constant_bank(id); }
  /// Limits the registers that an assembler may use: it moves values between registers instead of
  /// taking more.
  void limit_registers(std::uint32_t count) { code_.limit_registers(count); }
  /// As limit_registers(), where there is a limit and `count` is lower.
  void lower_register_limit(std::uint32_t count) {
    const std::uint32_t now = code_.register_limit();
    if (now != LirCode::kNoLimit) code_.limit_registers(std::min(now, count));
  }
  /// Reserves bytes of the frame in local memory for the caller alone; returns their offset.
  std::uint32_t reserve_frame(unsigned bytes) { return frame_.reserve(bytes, bytes); }
  Ref constant(std::uint64_t value, unsigned bytes) { return constants_.constant(value, bytes); }
  std::optional<std::uint64_t> constant_value(const Ref& ref) const {
    return constants_.value(ref);
  }

  // Derived.
  /// kNoBlock: for the first block, and for unreachable ones.
  BlockId immediate_dominator(BlockId block) const;
  /// kNoBlock: only the end of the function post-dominates the block.
  BlockId immediate_post_dominator(BlockId block) const;
  /// Whether `a` is on all paths from the function's beginning to `b`, or is `b`.
  bool dominates(BlockId a, BlockId b) const;
  bool post_dominates(BlockId a, BlockId b) const;
  /// Virtual registers, ascending; includes predicates.
  const std::vector<std::uint32_t>& live_in(BlockId block) const;
  const std::vector<std::uint32_t>& live_out(BlockId block) const;
  /// [register]: whether its value is needed after the instruction.
  std::vector<bool> live_after(InstructionId id) const;

  // Changes. An instruction that ends a block (a jump, or one behind which control does not
  // continue) is the last of its block.
  InstructionId insert(BlockId block, std::size_t position, LirInstruction instruction);
  void erase(InstructionId id);
  void replace(InstructionId id, LirInstruction instruction);
  /// Puts the block's instructions into another order.
  void reorder(BlockId block, std::vector<InstructionId> order);
  /// Moves the instruction to `position`, counted among the block's other instructions.
  void move(InstructionId id, BlockId block, std::size_t position);
  /// Moves the instructions from `position` on into a new block after this one; returns the new
  /// block.
  BlockId split(BlockId block, std::size_t position);
  /// Adds an empty block after `block`, which falls through to the block that followed.
  BlockId add_block(BlockId block);
  /// Removes unreachable blocks; returns how many instructions they had.
  std::size_t drop_unreachable();

  /// A new instruction of the table, "add" {"u32"}, without operands; with the source line of
  /// `from`. Throws Error when the table has no such instruction.
  LirInstruction make(std::string_view opcode, const std::vector<std::string_view>& modifiers,
                      const LirInstruction& from);
  /// Merges instructions so that they issue as one, in this order, each in the lanes of its own
  /// guard: the two sides of a branch that has become guards. The result has the class of the
  /// first. Throws Error for instructions that do more than compute.
  LirInstruction merge(std::vector<LirInstruction> parts) const;
  /// A branch to `target`; `guard` kNoId: for all lanes.
  LirInstruction make_branch(BlockId target, std::uint32_t guard, bool negated,
                             const LirInstruction& from) const;

  /// A branch that jumps nowhere: it only takes its turn to issue.
  LirInstruction make_idle_branch(const LirInstruction& from) const;

  /// Gives the code back to its LirCode. Throws Error if a block is ill-formed. `by`: the pass, for
  /// errors.
  void put_back(std::string_view by);

 private:
  struct Edges;
  struct Derived;
  void changed();
  const Edges& edges() const;
  const Derived& derived() const;
  std::size_t place_of(BlockId block) const;  // in order_
  std::vector<BlockId> successors_at(std::size_t place) const;
  bool falls_through(BlockId block) const;
  void check(BlockId block, const std::vector<bool>& exists, std::string_view by) const;

  const ptx::Function& function_;
  LirCode& code_;
  ConstantPool& constants_;
  FrameLayout& frame_;
  Matcher matcher_;
  std::vector<LirInstruction> all_;
  std::vector<BlockId> block_of_;               // [instruction]
  std::vector<std::vector<InstructionId>> of_;  // [block]
  std::vector<BlockId> order_;
  mutable std::unique_ptr<Edges> edges_;
  mutable std::unique_ptr<Derived> derived_;
};

}  // namespace raddle::isa
