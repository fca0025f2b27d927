#include "mechanisms/merge/choice.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/pass.h"
#include "isa/passes/uniformity.h"
#include "isa/semantics/memory.h"
#include "mechanisms/merge/common_subsequence.h"
#include "mechanisms/merge/reorder.h"

namespace raddle::mechanisms::merge {
namespace {

using isa::InstructionId;

/// The largest product of the sides' lengths; a larger table would take too long.
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// Whether the instructions have the same opcode. Type, state space and modifiers belong to the
/// opcode.
bool same_opcode(const isa::LirInstruction& a, const isa::LirInstruction& b) {
  return a.row == b.row && a.out.execute == b.out.execute && a.out.klass == b.out.klass &&
         a.out.bytes == b.out.bytes && a.out.elements == b.out.elements &&
         (a.out.kind != isa::Kind::memory || a.out.extra == b.out.extra);
}

/// Instructions with a slow path cannot be merged, because only one of the sides might take it.
bool can_be_merged(const isa::LirInstruction& lir, bool memory) {
  if (!lir.parts.empty() || lir.effects != 0 || !lir.list.empty()) return false;
  if (lir.out.slow_path != isa::SlowPath::none || !isa::goes_by_lane(lir)) return false;
  if (lir.out.kind == isa::Kind::compute) return true;
  const bool counts = (lir.out.extra & isa::kUncounted) == 0;
  return memory && lir.out.kind == isa::Kind::memory && counts &&
         lir.form.space != isa::Space::generic;
}

bool are_pair(const isa::FunctionBody& body, const MergeConfig& config, InstructionId a,
              InstructionId b) {
  return can_be_merged(body[a], config.memory) && can_be_merged(body[b], config.memory) &&
         same_opcode(body[a], body[b]);
}

void find_pairs(const isa::FunctionBody& body, const MergeConfig& config, Candidate& one) {
  if (!one.joined()) return;
  const auto& jumps = one.of.jumps.code;
  const auto& falls = one.of.falls.code;
  if (jumps.size() * falls.size() > kMostCells) {
    one.of.why_not = "its sides are too long";
    return;
  }
  one.pairs = common_subsequence(jumps.size(), falls.size(), [&](auto i, auto j) {
    return jumps[i].piece == 0 && falls[j].piece == 0 &&
           are_pair(body, config, jumps[i].id, falls[j].id);
  });
  if (one.saved() < static_cast<std::ptrdiff_t>(config.least_pairs)) {
    one.of.why_not =
        fmt::format("{} and {} instructions, {} pairs, {} pieces with branches of their own",
                    jumps.size(), falls.size(), one.pairs.size(), one.pieces());
  }
}

/// A warp has one mask of lanes for joined branches, so of two nested branches only one can be
/// joined. The branch that saves more is joined, or the outer one if both save as much (section
/// 4.9).
void settle(std::vector<Candidate>& all) {
  std::vector<Candidate*> inner_first;
  for (Candidate& one : all) {
    if (one.joined()) inner_first.push_back(&one);
  }
  std::stable_sort(inner_first.begin(), inner_first.end(), [](const auto* a, const auto* b) {
    return a->instructions() < b->instructions();
  });
  for (auto outer = inner_first.begin(); outer != inner_first.end(); ++outer) {
    std::vector<Candidate*> within;
    std::ptrdiff_t saved_within = 0;
    for (auto inner = inner_first.begin(); inner != outer; ++inner) {
      if (!(*inner)->joined() || !(*outer)->contains(**inner)) continue;
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

}  // namespace

std::vector<Candidate> choose(isa::FunctionBody& body, const MergeConfig& config) {
  const isa::Uniformity uniformity(body);
  std::vector<Candidate> candidates;
  for (Divergence& one : divergences(body, uniformity)) {
    candidates.push_back({std::move(one), {}});
    find_pairs(body, config, candidates.back());
  }
  settle(candidates);
  for (Candidate& one : candidates) {
    if (!one.joined() || !config.reorder) continue;
    reorder(body, [&](auto a, auto b) { return are_pair(body, config, a, b); }, one);
  }
  return candidates;
}

}  // namespace raddle::mechanisms::merge
