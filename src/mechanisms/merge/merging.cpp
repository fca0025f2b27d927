#include "mechanisms/merge/merging.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "isa/passes/uniformity.h"
#include "isa/semantics/memory.h"
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
         a.out.bytes == b.out.bytes && a.out.elements == b.out.elements &&
         (a.out.kind != isa::Kind::memory || a.out.extra == b.out.extra);
}

using Side = JointPlace::Side;

bool can_be_merged(const isa::LirInstruction& lir, bool memory) {
  if (!lir.parts.empty() || lir.effects != 0 || !lir.list.empty()) return false;
  if (lir.out.kind == isa::Kind::compute) return true;
  const bool counts = (lir.out.extra & isa::kUncounted) == 0;
  return memory && lir.out.kind == isa::Kind::memory && counts &&
         lir.form.space != isa::Space::generic;
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

  void add(const BranchSide::Step& step, Side side) {
    enter(side);
    std::uint32_t& piece = side == Side::jumps ? pieces_.first : pieces_.second;
    if (step.piece != piece) {
      piece = step.piece;
      if (piece != 0) part(side);
    }
    put(step.id, side).piece = piece == 0 ? 0 : pieces_made_;
    ++place_;
  }
  void add_pair(InstructionId jumps, InstructionId falls) {
    enter(Side::both);
    pieces_ = {};
    for (const auto& [id, side] : {std::pair(jumps, Side::jumps), std::pair(falls, Side::falls)}) {
      put(id, side).operands_apart = !config_.overlapped;
    }
    ++place_;
  }
  /// Behind all the others.
  void end(const Divergence& one) {
    for (const BranchSide* side : {&one.falls, &one.jumps}) {
      for (const InstructionId id : side->jumps) put(id, Side::none);
    }
    if (one.last_jump) put(*one.last_jump, Side::both);
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
    put_branch(Side::both);
  }
  /// Lanes of the other side do not go through a piece that has branches of its own.
  void part(Side side) {
    ++pieces_made_;
    JointPlace& joint = put_branch(side == Side::jumps ? Side::falls : Side::jumps);
    joint.piece = pieces_made_;
    joint.parting = true;
  }
  JointPlace& put_branch(Side side) {
    const isa::BlockId block = body_.block_of(branch_);
    isa::LirInstruction idle = body_.make_idle_branch(body_[branch_]);
    JointPlace& joint = put(body_.insert(block, body_.position(branch_), std::move(idle)), side);
    ++place_;
    return joint;
  }

  isa::FunctionBody& body_;
  const MergeConfig& config_;
  const std::uint32_t region_;
  const InstructionId branch_;
  std::uint32_t place_ = 0;
  unsigned entries_ = 0;
  Side side_ = Side::both;
  std::pair<std::uint32_t, std::uint32_t> pieces_;  // in which `jumps` and `falls` are
  std::uint32_t pieces_made_ = 0;
};

/// "line 12  add.s32"
std::string text_of(const isa::LirInstruction& lir) {
  if (lir.from == nullptr) return "(added)";
  std::string text(lir.from->opcode);
  for (const std::string_view modifier : lir.from->modifiers) text += fmt::format(".{}", modifier);
  const auto& at = lir.from->at;
  return fmt::format("{:>5}  {}", at.source_line != 0 ? at.source_line : at.line, text);
}

/// Both sides beside each other, as Figure 38 has them; what only one has stands alone.
class Alignment {
 public:
  void add(const isa::LirInstruction& lir, Side side) {
    const std::string text = text_of(lir);
    lines_.push_back(side == Side::jumps ? fmt::format("    {:<36}  |", text)
                                         : fmt::format("    {:<36}  |  {}", "", text));
  }
  void add_pair(const isa::LirInstruction& jumps, const isa::LirInstruction& falls) {
    lines_.push_back(fmt::format("    {:<36}  =  {}", text_of(jumps), text_of(falls)));
  }
  void append_to(isa::PassNotes& notes) const {
    notes.insert(notes.end(), lines_.begin(), lines_.end());
  }

 private:
  std::vector<std::string> lines_;
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
    std::vector<Candidate> candidates;
    for (Divergence& one : divergences(body, uniformity)) {
      candidates.push_back({std::move(one), {}});
      find_pairs(body, candidates.back());
    }
    choose(candidates);
    std::uint32_t region = 0;
    std::set<InstructionId> in_sides;
    std::size_t merged = 0;
    for (const Candidate& one : candidates) {
      for (const BranchSide* side : {&one.of.jumps, &one.of.falls}) {
        for (const BranchSide::Step& step : side->code) in_sides.insert(step.id);
      }
      const std::string at = where(body[one.of.branch]);
      if (one.of.why_not.empty()) {
        merged += 2 * one.pairs.size();
        join(body, one, at, ++region, notes);
      } else {
        notes.push_back(fmt::format("{}: not joined: {}", at, one.of.why_not));
      }
    }
    const std::size_t all = in_sides.size();
    if (all == 0) return;
    notes.push_back(fmt::format("{} of {} instructions of both sides are merged: {:.0f} %", merged,
                                all,
                                100.0 * static_cast<double>(merged) / static_cast<double>(all)));
  }

 private:
  static std::string where(const isa::LirInstruction& branch) {
    if (branch.from == nullptr) return "branch";
    const auto& at = branch.from->at;
    return at.source_line != 0 ? fmt::format("line {}", at.source_line)
                               : fmt::format("PTX line {}", at.line);
  }

  struct Candidate {
    Divergence of;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  // in jumps.code, falls.code
    std::size_t instructions() const { return of.jumps.code.size() + of.falls.code.size(); }
    /// Turns to issue that a warp saves whose lanes part: a piece with branches of its own costs one.
    std::ptrdiff_t saved() const {
      return static_cast<std::ptrdiff_t>(pairs.size()) -
             static_cast<std::ptrdiff_t>(of.jumps.pieces + of.falls.pieces);
    }
    bool contains(const Candidate& inner) const {
      return of.jumps.contains(inner.of.branch) || of.falls.contains(inner.of.branch);
    }
  };

  void find_pairs(const isa::FunctionBody& body, Candidate& one) const {
    if (!one.of.why_not.empty()) return;
    const auto& jumps = one.of.jumps.code;
    const auto& falls = one.of.falls.code;
    if (jumps.size() * falls.size() > kMostCells) {
      one.of.why_not = "its sides are too long";
      return;
    }
    one.pairs = common_subsequence(jumps.size(), falls.size(), [&](auto i, auto j) {
      return jumps[i].piece == 0 && falls[j].piece == 0 &&
             can_be_merged(body[jumps[i].id], config_.memory) &&
             can_be_merged(body[falls[j].id], config_.memory) &&
             same_opcode(body[jumps[i].id], body[falls[j].id]);
    });
    const std::uint32_t pieces = one.of.jumps.pieces + one.of.falls.pieces;
    if (one.saved() < static_cast<std::ptrdiff_t>(config_.least_pairs)) {
      one.of.why_not =
          fmt::format("{} and {} instructions, {} pairs, {} pieces with branches of their own",
                      jumps.size(), falls.size(), one.pairs.size(), pieces);
    }
  }

  /// There is one mask of lanes: of branches within one another those are joined that save more, the
  /// outer one where both save as much (section 4.9).
  static void choose(std::vector<Candidate>& all) {
    std::vector<Candidate*> inner_first;
    for (Candidate& one : all) {
      if (one.of.why_not.empty()) inner_first.push_back(&one);
    }
    std::stable_sort(inner_first.begin(), inner_first.end(), [](const auto* a, const auto* b) {
      return a->instructions() < b->instructions();
    });
    for (auto outer = inner_first.begin(); outer != inner_first.end(); ++outer) {
      std::vector<Candidate*> within;
      std::ptrdiff_t saved_within = 0;
      for (auto inner = inner_first.begin(); inner != outer; ++inner) {
        if (!(*inner)->of.why_not.empty() || !(*outer)->contains(**inner)) continue;
        within.push_back(*inner);
        saved_within += (*inner)->saved();
      }
      if (saved_within > (*outer)->saved()) {
        (*outer)->of.why_not = fmt::format("it would save {} turns, branches within it {}",
                                           (*outer)->saved(), saved_within);
        continue;
      }
      for (Candidate* inner : within) {
        inner->of.why_not = fmt::format("it would save {} turns, the branch around it {}",
                                        inner->saved(), (*outer)->saved());
      }
    }
  }

  void join(isa::FunctionBody& body, const Candidate& one, const std::string& at,
            std::uint32_t region, isa::PassNotes& notes) const {
    const auto& jumps = one.of.jumps.code;
    const auto& falls = one.of.falls.code;
    Sequence sequence(body, config_, region, one.of.branch);
    Alignment lines;
    std::size_t i = 0, j = 0;
    const auto add = [&](const BranchSide::Step& step, Side side) {
      sequence.add(step, side);
      lines.add(body[step.id], side);
    };
    const auto up_to = [&](std::size_t first, std::size_t second) {
      while (i < first) add(jumps[i++], Side::jumps);
      while (j < second) add(falls[j++], Side::falls);
    };
    for (const auto& [first, second] : one.pairs) {
      up_to(first, second);
      const InstructionId left = jumps[i++].id, right = falls[j++].id;
      sequence.add_pair(left, right);
      lines.add_pair(body[left], body[right]);
    }
    up_to(jumps.size(), falls.size());
    sequence.end(one.of);
    notes.push_back(fmt::format("{}: {} and {} instructions, {} pairs, {} entries of the stack", at,
                                jumps.size(), falls.size(), one.pairs.size(), sequence.entries()));
    lines.append_to(notes);
  }

  const MergeConfig& config_;
};

}  // namespace

std::shared_ptr<const isa::Pass> merging(const MergeConfig& config) {
  return std::make_shared<Merging>(config);
}

}  // namespace raddle::mechanisms::merge
