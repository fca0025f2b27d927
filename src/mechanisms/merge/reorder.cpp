#include "mechanisms/merge/reorder.h"

#include <algorithm>
#include <optional>

#include "isa/passes/pass.h"

namespace raddle::mechanisms::merge {
namespace {

using isa::InstructionId;

/// Sides with more instructions keep their order, because dependences are computed between all
/// pairs.
constexpr std::size_t kLongest = 1024;

/// One side while it is reordered: which of its instructions depend on no instruction that is not
/// yet taken.
class Order {
 public:
  Order(const isa::FunctionBody& body, const std::vector<BranchSide::Step>& code) : code_(code) {
    needs_.resize(code.size());
    needed_by_.resize(code.size());
    for (std::size_t later = 0; later < code.size(); ++later) {
      for (std::size_t first = 0; first < later; ++first) {
        if (may_change_places(body, code[first], code[later])) continue;
        ++needs_[later];
        needed_by_[first].push_back(later);
      }
    }
    for (std::size_t n = 0; n < code.size(); ++n) {
      if (needs_[n] == 0) ready_.push_back(n);
    }
  }

  bool done() const { return taken_.size() == code_.size(); }
  /// Instructions that can be taken, in their original order.
  const std::vector<std::size_t>& ready() const { return ready_; }
  InstructionId id(std::size_t n) const { return code_[n].id; }
  bool in_piece(std::size_t n) const { return code_[n].piece != 0; }
  const std::vector<BranchSide::Step>& taken() const { return taken_; }

  void take(std::size_t n) {
    taken_.push_back(code_[n]);
    ready_.erase(std::find(ready_.begin(), ready_.end(), n));
    for (const std::size_t other : needed_by_[n]) {
      if (--needs_[other] != 0) continue;
      ready_.insert(std::upper_bound(ready_.begin(), ready_.end(), other), other);
    }
  }

 private:
  static bool may_change_places(const isa::FunctionBody& body, const BranchSide::Step& a,
                                const BranchSide::Step& b) {
    return a.piece == 0 && b.piece == 0 && body.block_of(a.id) == body.block_of(b.id) &&
           isa::independent(body[a.id], body[b.id]);
  }

  const std::vector<BranchSide::Step>& code_;
  std::vector<std::size_t> needs_;  // number of instructions that must be taken before
  std::vector<std::vector<std::size_t>> needed_by_;
  std::vector<std::size_t> ready_;
  std::vector<BranchSide::Step> taken_;
};

using Pair = std::pair<std::size_t, std::size_t>;

/// The first pair of instructions that are ready on both sides.
std::optional<Pair> ready_pair(const Order& jumps, const Order& falls, const Pairs& are_pair) {
  std::optional<Pair> found;
  for (const std::size_t i : jumps.ready()) {
    if (jumps.in_piece(i)) continue;
    for (const std::size_t j : falls.ready()) {
      if (found && i + j >= found->first + found->second) break;
      if (!falls.in_piece(j) && are_pair(jumps.id(i), falls.id(j))) found = {i, j};
    }
  }
  return found;
}

/// A ready instruction of one side. Prefers one without a partner in the other side, and then sets
/// `alone`; else returns the first that is ready.
std::size_t next_single(const Order& side, const std::vector<BranchSide::Step>& others,
                        const std::function<bool(InstructionId, InstructionId)>& are_pair,
                        bool& alone) {
  for (const std::size_t n : side.ready()) {
    const bool partner = std::any_of(others.begin(), others.end(), [&](const auto& other) {
      return other.piece == 0 && are_pair(side.id(n), other.id);
    });
    if (partner && !side.in_piece(n)) continue;
    alone = true;
    return n;
  }
  alone = false;
  return side.ready().front();
}

/// Puts the blocks' instructions into the new order, with the jumps after them.
void apply(isa::FunctionBody& body, const std::vector<BranchSide::Step>& code) {
  std::vector<isa::BlockId> done;
  for (const BranchSide::Step& step : code) {
    const isa::BlockId block = body.block_of(step.id);
    if (step.piece != 0 || std::find(done.begin(), done.end(), block) != done.end()) continue;
    done.push_back(block);
    std::vector<InstructionId> order;
    for (const BranchSide::Step& other : code) {
      if (other.piece == 0 && body.block_of(other.id) == block) order.push_back(other.id);
    }
    for (const InstructionId id : body.instructions(block)) {
      if (std::find(order.begin(), order.end(), id) == order.end()) order.push_back(id);
    }
    body.reorder(block, std::move(order));
  }
}

}  // namespace

void reorder(isa::FunctionBody& body, const Pairs& are_pair, Candidate& one) {
  const auto &jumps_code = one.of.jumps.code, &falls_code = one.of.falls.code;
  if (std::max(jumps_code.size(), falls_code.size()) > kLongest) return;
  Order jumps(body, jumps_code), falls(body, falls_code);
  const Pairs turned = [&](InstructionId a, InstructionId b) { return are_pair(b, a); };
  std::vector<Pair> pairs;
  while (!jumps.done() && !falls.done()) {
    if (const auto pair = ready_pair(jumps, falls, are_pair)) {
      pairs.emplace_back(jumps.taken().size(), falls.taken().size());
      jumps.take(pair->first);
      falls.take(pair->second);
      continue;
    }
    bool jumps_alone = false, falls_alone = false;
    const std::size_t i = next_single(jumps, falls_code, are_pair, jumps_alone);
    const std::size_t j = next_single(falls, jumps_code, turned, falls_alone);
    const bool take_jumps =
        jumps_alone || (!falls_alone && jumps.taken().size() * falls_code.size() <=
                                            falls.taken().size() * jumps_code.size());
    if (take_jumps) {
      jumps.take(i);
    } else {
      falls.take(j);
    }
  }
  while (!jumps.done()) jumps.take(jumps.ready().front());
  while (!falls.done()) falls.take(falls.ready().front());
  if (pairs.size() <= one.pairs.size()) return;
  apply(body, jumps.taken());
  apply(body, falls.taken());
  one.of.jumps.code = std::vector(jumps.taken());
  one.of.falls.code = std::vector(falls.taken());
  one.pairs = std::move(pairs);
}

}  // namespace raddle::mechanisms::merge
