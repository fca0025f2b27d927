// A function as a pass sees and changes it: basic blocks of decoded instructions on virtual
// registers, between the control-flow graph and register allocation.
//
// Instructions are LirInstruction (isa/lower/lir.h): the row of the table that they come from, what
// they read and write, what they do with memory, their guard, and the PTX instruction that they
// stand for, whose line reports name (`from`: an instruction that a pass adds takes it from one
// whose work it does). `targets` are blocks. Ids of instructions and blocks stay what they are; all
// that is derived is computed anew when it is asked for after a change.
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
  /// Takes the code over, whose targets are resolved, until put_back().
  FunctionBody(const ptx::Function& function, LirCode& code, ConstantPool& constants,
               FrameLayout& frame, const InstructionSet& instructions);
  ~FunctionBody();

  const std::string& name() const { return function_.name; }
  /// As it was parsed: its directives.
  const ptx::Function& function() const { return function_; }

  // Blocks.
  /// In the order in which their code lies; the function begins with the first.
  const std::vector<BlockId>& blocks() const { return order_; }
  const std::vector<InstructionId>& instructions(BlockId block) const { return of_[block]; }
  /// The block behind it first, if control can fall through; nobody twice.
  std::vector<BlockId> successors(BlockId block) const;
  std::vector<BlockId> predecessors(BlockId block) const;

  // Instructions.
  const LirInstruction& operator[](InstructionId id) const { return all_[id]; }
  /// For changes of operands, guard or targets; what is asked for next is computed anew.
  LirInstruction& change(InstructionId id);
  /// kNoBlock: it was erased.
  BlockId block_of(InstructionId id) const { return block_of_[id]; }
  std::size_t position(InstructionId id) const;  // in its block
  std::size_t instruction_count() const;

  // Registers and constants.
  unsigned register_bytes(std::uint32_t id) const { return code_.bytes(id); }  // 0: a predicate
  std::size_t register_count() const { return code_.register_bytes().size(); }
  std::uint32_t new_register(unsigned bytes);
  /// Hardware reads its value from a constant bank: it takes no register of a thread.
  void keep_in_constant_bank(std::uint32_t id) { code_.keep_in_constant_bank(id); }
  bool in_constant_bank(std::uint32_t id) const { return code_.in_constant_bank(id); }
  /// What an assembler may use, which moves values between registers rather than take more.
  void limit_registers(std::uint32_t count) { code_.limit_registers(count); }
  /// The same, where there is such a limit, if this is less.
  void lower_register_limit(std::uint32_t count) {
    const std::uint32_t now = code_.register_limit();
    if (now != LirCode::kNoLimit) code_.limit_registers(std::min(now, count));
  }
  /// Bytes of the frame in local memory that nobody else uses; their offset there.
  std::uint32_t reserve_frame(unsigned bytes) { return frame_.reserve(bytes, bytes); }
  Ref constant(std::uint64_t value, unsigned bytes) { return constants_.constant(value, bytes); }
  std::optional<std::uint64_t> constant_value(const Ref& ref) const {
    return constants_.value(ref);
  }

  // Derived.
  /// kNoBlock: of the first block, and of those that it does not reach.
  BlockId immediate_dominator(BlockId block) const;
  /// kNoBlock: only the function's end is one.
  BlockId immediate_post_dominator(BlockId block) const;
  /// `a` is on all ways from the function's beginning to `b`, or is `b`.
  bool dominates(BlockId a, BlockId b) const;
  bool post_dominates(BlockId a, BlockId b) const;
  /// Virtual registers, ascending; predicates too.
  const std::vector<std::uint32_t>& live_in(BlockId block) const;
  const std::vector<std::uint32_t>& live_out(BlockId block) const;
  /// [register]: whether its value is needed behind the instruction.
  std::vector<bool> live_after(InstructionId id) const;

  // Changes. What ends a block (a jump, or an instruction behind which control does not go on) is
  // the last of its block.
  InstructionId insert(BlockId block, std::size_t position, LirInstruction instruction);
  void erase(InstructionId id);
  void replace(InstructionId id, LirInstruction instruction);
  /// The block's instructions in another order.
  void reorder(BlockId block, std::vector<InstructionId> order);
  /// To `position` among the instructions that the block has without it.
  void move(InstructionId id, BlockId block, std::size_t position);
  /// The instructions from `position` on come into a new block behind; returns that.
  BlockId split(BlockId block, std::size_t position);
  /// An empty block behind `block`, which falls through to what was behind it.
  BlockId add_block(BlockId block);
  /// Removes blocks that the first one does not reach; returns how many instructions went with
  /// them.
  std::size_t drop_unreachable();

  /// An instruction of the table, "add" {"u32"}, without operands; from the same line as `from`.
  /// Throws Error when there is none.
  LirInstruction make(std::string_view opcode, const std::vector<std::string_view>& modifiers,
                      const LirInstruction& from);
  /// Instructions that are issued as one, in this order, each in the lanes that its own guard has:
  /// those of the two sides of a branch that has become guards. It has the class of the first.
  /// Throws Error for what does more than compute.
  LirInstruction merge(std::vector<LirInstruction> parts) const;
  /// A branch to `target`; `guard` kNoId: of all lanes.
  LirInstruction make_branch(BlockId target, std::uint32_t guard, bool negated,
                             const LirInstruction& from) const;

  /// One that jumps nowhere: it takes its turn to issue as a branch does.
  LirInstruction make_idle_branch(const LirInstruction& from) const;

  /// Gives the code back to the LirCode that it came from. Throws Error if a block is ill-formed.
  /// `by`: the pass, for errors.
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
