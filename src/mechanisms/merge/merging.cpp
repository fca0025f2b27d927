#include "mechanisms/merge/merging.h"

#include <fmt/core.h>

#include "isa/passes/convergence.h"
#include "isa/passes/uniformity.h"
#include "mechanisms/merge/common_subsequence.h"
#include "mechanisms/merge/sides.h"

namespace raddle::mechanisms::merge {
namespace {

using isa::InstructionId;
using isa::JointPlace;

/// More would take too long: the product of the sides' lengths.
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// Instructions of the same opcode, which its type, space and modifiers are part of.
bool same_opcode(const isa::LirInstruction& a, const isa::LirInstruction& b) {
  return a.row == b.row && a.out.execute == b.out.execute && a.out.klass == b.out.klass &&
         a.out.bytes == b.out.bytes && a.out.elements == b.out.elements;
}

using Side = JointPlace::Side;

/// A load or store whose lanes' addresses are all in one space.
bool accesses_one_space(const isa::LirInstruction& lir) {
  using Access = isa::MemoryBehaviour::Access;
  const bool plain = lir.memory.access == Access::load || lir.memory.access == Access::store;
  return lir.out.kind == isa::Kind::memory && plain &&
         (lir.memory.space == ptx::Space::global || lir.memory.space == ptx::Space::shared);
}

/// The places of a joint sequence, given one by one (Figure 42).
class Sequence {
 public:
  Sequence(isa::FunctionBody& body, const MergeConfig& config, std::uint32_t region,
           InstructionId branch)
      : body_(body), config_(config), region_(region), branch_(branch) {
    JointPlace& joint = put(branch, Side::both);
    joint.own_hazards = config.scoreboards == 2u;
    ++place_;
  }

  void add(InstructionId id, Side side) {
    enter(side);
    put(id, side);
    ++place_;
  }
  void add_pair(InstructionId jumps, InstructionId falls) {
    enter(Side::both);
    for (const auto& [id, side] : {std::pair(jumps, Side::jumps), std::pair(falls, Side::falls)}) {
      put(id, side).operands_apart = !config_.overlapped;
    }
    ++place_;
  }
  /// Behind all the others.
  void end(const Divergence& one) {
    for (const auto* jumps : {&one.falls.jumps, &one.jumps.jumps}) {
      for (const InstructionId id : *jumps) put(id, Side::none);
    }
    if (!one.jumps_behind) return;
    const auto& with_jump = one.jumps.jumps.empty() ? one.falls.jumps : one.jumps.jumps;
    put(with_jump.back(), Side::both);
  }
  unsigned entries() const { return entries_; }

 private:
  JointPlace& put(InstructionId id, Side side) {
    JointPlace& joint = body_.change(id).joint;
    joint = {region_, place_, side};
    return joint;
  }
  /// Another entry of the stack, if `side` is not that of the entry before; where it has no room for
  /// that, behind an explicit branch.
  void enter(Side side) {
    if (entries_ != 0 && side == side_) return;
    side_ = side;
    ++entries_;
    const unsigned most = config_.stack_entries;
    if (most == 0 || entries_ == 1 || (entries_ - 1) % most != 0) return;
    const isa::BlockId block = body_.block_of(branch_);
    isa::LirInstruction again = isa::barrier_set(body_[branch_], false);
    put(body_.insert(block, body_.position(branch_), std::move(again)), Side::both);
    ++place_;
  }

  isa::FunctionBody& body_;
  const MergeConfig& config_;
  const std::uint32_t region_;
  const InstructionId branch_;
  std::uint32_t place_ = 0;
  unsigned entries_ = 0;
  Side side_ = Side::both;
};

class Merging : public isa::Pass {
 public:
  explicit Merging(const MergeConfig& config) : config_(config) {}
  const char* name() const override { return "merging"; }
  const char* meaning() const override {
    return "join the two sides of a branch, and issue instructions of the same opcode as one";
  }

  void run(isa::FunctionBody& body, isa::PassNotes& notes) const override {
    const isa::Uniformity uniformity(body);
    std::uint32_t region = 0;
    for (const Divergence& one : divergences(body, uniformity)) {
      const std::string note = one.why_not.empty() ? join(body, one, region) : one.why_not;
      notes.push_back(fmt::format("{}: {}", where(body[one.branch]), note));
    }
  }

 private:
  static std::string where(const isa::LirInstruction& branch) {
    if (branch.from == nullptr) return "branch";
    const auto& at = branch.from->at;
    return at.source_line != 0 ? fmt::format("line {}", at.source_line)
                               : fmt::format("PTX line {}", at.line);
  }

  /// Returns what is to be said about it.
  std::string join(isa::FunctionBody& body, const Divergence& one, std::uint32_t& region) const {
    const auto& jumps = one.jumps.code;
    const auto& falls = one.falls.code;
    if (jumps.size() * falls.size() > kMostCells) {
      return fmt::format("its sides of {} and {} instructions are too long", jumps.size(),
                         falls.size());
    }
    const auto pairs = common_subsequence(jumps.size(), falls.size(), [&](auto i, auto j) {
      return can_be_merged(body[jumps[i]]) && can_be_merged(body[falls[j]]) &&
             same_opcode(body[jumps[i]], body[falls[j]]);
    });
    const std::string sizes =
        fmt::format("{} and {} instructions, {} pairs", jumps.size(), falls.size(), pairs.size());
    if (pairs.size() < config_.least_pairs) return "not joined: " + sizes;
    Sequence sequence(body, config_, ++region, one.branch);
    std::size_t i = 0, j = 0;
    const auto up_to = [&](std::size_t first, std::size_t second) {
      while (i < first) sequence.add(jumps[i++], Side::jumps);
      while (j < second) sequence.add(falls[j++], Side::falls);
    };
    for (const auto& [first, second] : pairs) {
      up_to(first, second);
      sequence.add_pair(jumps[i++], falls[j++]);
    }
    up_to(jumps.size(), falls.size());
    sequence.end(one);
    return fmt::format("{}, {} entries of the stack", sizes, sequence.entries());
  }

  bool can_be_merged(const isa::LirInstruction& lir) const {
    if (!lir.parts.empty() || lir.effects != 0 || !lir.list.empty()) return false;
    return lir.out.kind == isa::Kind::compute || (config_.memory && accesses_one_space(lir));
  }

  const MergeConfig& config_;
};

}  // namespace

std::shared_ptr<const isa::Pass> merging(const MergeConfig& config) {
  return std::make_shared<Merging>(config);
}

}  // namespace raddle::mechanisms::merge
