// Additions of a warp to one address are joined within the warp: where all lanes are known to have
// the same address, one lane adds the sum for all. Assemblers for compute capability 7.0 and later
// do this. VOTE and POPC count the lanes of a uniform addend. REDUX (8.0 and later) or a tree of
// SHFL adds up a varying one, if the result is unused. SHFL hands a result back, to which each lane
// adds the sum of the lanes below it.
//
// Results are the same as without the pass, since lanes add in ascending order. So the atomic stays
// one instruction that computes everything. This pass marks it (kJoined: one operation on one word
// for the memory side) and puts copies before and after it that take the time of the sequence.
#include <fmt/core.h>

#include "isa/passes/built_in.h"
#include "isa/passes/uniformity.h"
#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// Machine instructions of the sequences, without the atomic itself, as Nsight Compute counts them
/// for four kernels with one addition each (ptxas 13.0, sm_90).
constexpr unsigned kCount = 2, kElect = 3;  // VOTE, POPC; then FLO, S2R and ISETP
constexpr unsigned kHandBack = 8;           // SHFL, S2R, LOP3, POPC, IMAD ...
constexpr unsigned kTreeSteps = 5;          // SHFL and IADD each

bool sums_exactly(Type type) {
  return type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64;
}

class Joining {
 public:
  Joining(FunctionBody& body, bool has_redux)
      : body_(body), uniformity_(body), has_redux_(has_redux) {}

  bool can_join(const LirInstruction& lir) const {
    if (lir.row == nullptr || (lir.opcode != "atom" && lir.opcode != "red")) return false;
    const Form& form = lir.form;
    const bool adds = form.operation == Operation::add && sums_exactly(form.type);
    if (!adds || form.vector > 1 || !lir.list.empty() || lir.memory.space == Space::shared)
      return false;
    if (differs(lir.s[0])) return false;
    return !differs(lir.s[1]) || (lir.opcode == "red" && ptx::bits(form.type) == 32);
  }

  void join(BlockId block, InstructionId id) {
    const bool varies = differs(body_[id].s[1]);
    const bool returns = body_[id].opcode == "atom";
    body_.change(id).out.extra |= kJoined;
    if (varies && !has_redux_) {
      for (unsigned step = 0; step < kTreeSteps; ++step) before(block, id, Class::shuffle, 2);
    } else {
      before(block, id, Class::vote, varies ? 1 : kCount);
    }
    before(block, id, Class::bit_count, kElect);
    if (returns) behind(block, id);
  }

 private:
  bool differs(const Ref& ref) const { return ref.is_register() && uniformity_.differs(ref.id); }

  /// A copy that takes the place of `count` machine instructions of class `klass`.
  LirInstruction copy(const LirInstruction& of, unsigned bytes, Class klass, unsigned count) {
    LirInstruction move = body_.make("mov", {bytes == 8 ? "b64" : "b32"}, of);
    move.guard = of.guard;
    move.guard_negated = of.guard_negated;
    move.out.klass = klass;
    move.out.unit = static_cast<std::uint8_t>(count - 1);
    return move;
  }

  /// Puts a copy before the atomic that makes its addend.
  void before(BlockId block, InstructionId id, Class klass, unsigned count) {
    const unsigned bytes = ptx::bytes(body_[id].form.type);
    LirInstruction move = copy(body_[id], bytes, klass, count);
    move.s[0] = body_[id].s[1];
    move.d = Ref::reg(body_.new_register(bytes));
    move.others_unread = true;
    const Ref made = move.d;
    body_.insert(block, body_.position(id), std::move(move));
    LirInstruction& lir = body_.change(id);
    lir.s[1] = lir.s[2] = made;
  }

  /// Puts a copy after the atomic that takes its result.
  void behind(BlockId block, InstructionId id) {
    const unsigned bytes = ptx::bytes(body_[id].form.type);
    LirInstruction move = copy(body_[id], bytes, Class::shuffle, kHandBack);
    move.d = body_[id].d;
    move.s[0] = Ref::reg(body_.new_register(bytes));
    body_.change(id).d = move.s[0];
    body_.change(id).others_unread = true;
    body_.insert(block, body_.position(id) + 1, std::move(move));
  }

  FunctionBody& body_;
  const Uniformity uniformity_;
  const bool has_redux_;
};

class JoinedAtomics : public Pass {
 public:
  explicit JoinedAtomics(const PassTarget& target)
      : joins_(target.compute_major >= 7), has_redux_(target.compute_major >= 8) {}
  const char* name() const override { return "joined_atomics"; }
  const char* meaning() const override {
    return "integers that the lanes of a warp add to one address are added up first, and one lane "
           "adds the sum; on compute capability 7.0 and later, whose assembler does it";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    unsigned joined = 0;
    if (joins_) {
      Joining joining(body, has_redux_);
      std::vector<std::pair<BlockId, InstructionId>> found;
      for (const BlockId block : body.blocks()) {
        for (const InstructionId id : body.instructions(block)) {
          if (joining.can_join(body[id])) found.emplace_back(block, id);
        }
      }
      for (const auto& [block, id] : found) joining.join(block, id);
      joined = static_cast<unsigned>(found.size());
    }
    notes.push_back(fmt::format("{} atomics are joined within a warp", joined));
  }

 private:
  bool joins_, has_redux_;
};

}  // namespace

std::shared_ptr<const Pass> joined_atomics(const PassTarget& target) {
  return std::make_shared<JoinedAtomics>(target);
}

}  // namespace raddle::isa
