#include "isa/passes/next_uses.h"

#include <algorithm>

namespace raddle::isa {
namespace {

bool before(const NextUses::Use& use, std::uint32_t reg) { return use.reg < reg; }

std::uint32_t further(std::uint32_t distance, std::uint32_t by) {
  return distance == NextUses::kNever ? distance : std::min(distance + by, NextUses::kNever / 4);
}

}  // namespace

NextUses::NextUses(const FunctionBody& body, const Loops& loops)
    : body_(body),
      loops_(loops),
      mentions_(body.register_count()),
      out_(body.register_count(), kNever) {
  const auto& blocks = body.blocks();
  const BlockId most = *std::max_element(blocks.begin(), blocks.end());
  in_.resize(most + 1);
  exposed_.resize(most + 1);
  ended_.resize(most + 1);
  find_defined();
  for (const BlockId block : blocks) find_exposed(block);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) changed |= update(*block);
  }
}

std::uint32_t NextUses::find(const std::vector<Use>& uses, std::uint32_t reg) {
  const auto found = std::lower_bound(uses.begin(), uses.end(), reg, before);
  return found != uses.end() && found->reg == reg ? found->distance : kNever;
}

/// Calls f(register, place, whether it is a use) in the order of the block. A write of only some
/// lanes also uses the register: the other lanes keep their value.
template <class F>
void NextUses::for_each_mention(BlockId block, F f) const {
  std::uint32_t at = 0;
  for (const InstructionId id : body_.instructions(block)) {
    const LirInstruction& lir = body_[id];
    lir.for_each_read([&](std::uint32_t reg) {
      if (counts(body_, reg)) f(reg, at, true);
    });
    lir.for_each_write([&](std::uint32_t reg) {
      if (counts(body_, reg)) f(reg, at, lir.keeps_others());
    });
    ++at;
  }
}

/// A register that no path has written holds no needed value, even when a write of only some lanes
/// follows.
void NextUses::find_defined() {
  defined_.assign(in_.size(), std::vector<bool>(body_.register_count(), false));
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId block : body_.blocks()) {
      std::vector<bool> out = defined_[block];
      for (const InstructionId id : body_.instructions(block)) {
        body_[id].for_each_write([&](std::uint32_t reg) { out[reg] = true; });
      }
      for (const BlockId next : body_.successors(block)) {
        for (const std::uint32_t reg : body_.live_in(next)) {
          if (!out[reg] || defined_[next][reg]) continue;
          defined_[next][reg] = changed = true;
        }
      }
    }
  }
}

void NextUses::find_exposed(BlockId block) {
  std::vector<bool> seen(body_.register_count(), false);
  for_each_mention(block, [&](std::uint32_t reg, std::uint32_t at, bool use) {
    if (seen[reg]) return;
    seen[reg] = true;
    if (use && defined_[block][reg]) exposed_[block].push_back({reg, at});
    if (!use) ended_[block].push_back(reg);
  });
  std::sort(exposed_[block].begin(), exposed_[block].end(),
            [](const Use& a, const Use& b) { return a.reg < b.reg; });
  std::sort(ended_[block].begin(), ended_[block].end());
}

/// Distances from the end of the block, in no order.
std::vector<NextUses::Use> NextUses::behind(BlockId block) const {
  std::vector<Use> found;
  for (const BlockId next : body_.successors(block)) {
    const std::uint32_t exit = loops_.depth(next) < loops_.depth(block) ? kLoopExit : 0;
    for (const Use& use : in_[next]) found.push_back({use.reg, further(use.distance, exit)});
  }
  return found;
}

bool NextUses::update(BlockId block) {
  std::vector<Use> now = exposed_[block];
  const auto length = static_cast<std::uint32_t>(body_.instructions(block).size());
  for (const Use& use : behind(block)) {
    if (!defined_[block][use.reg]) continue;
    if (std::binary_search(ended_[block].begin(), ended_[block].end(), use.reg)) continue;
    if (find(exposed_[block], use.reg) != kNever) continue;
    now.push_back({use.reg, further(use.distance, length)});
  }
  std::sort(now.begin(), now.end(), [](const Use& a, const Use& b) {
    return a.reg != b.reg ? a.reg < b.reg : a.distance < b.distance;
  });
  const auto same = [](const Use& a, const Use& b) { return a.reg == b.reg; };
  now.erase(std::unique(now.begin(), now.end(), same), now.end());
  const auto equal = [](const Use& a, const Use& b) {
    return a.reg == b.reg && a.distance == b.distance;
  };
  if (std::equal(now.begin(), now.end(), in_[block].begin(), in_[block].end(), equal)) return false;
  in_[block] = std::move(now);
  return true;
}

void NextUses::enter(BlockId block) {
  for (const std::uint32_t reg : mentioned_) {
    mentions_[reg].clear();
    out_[reg] = kNever;
  }
  mentioned_.clear();
  for_each_mention(block, [&](std::uint32_t reg, std::uint32_t at, bool use) {
    mentions_[reg].push_back({at, use});
    mentioned_.push_back(reg);
  });
  for (const Use& use : behind(block)) {
    out_[use.reg] = std::min(out_[use.reg], use.distance);
    mentioned_.push_back(use.reg);
  }
  length_ = static_cast<std::uint32_t>(body_.instructions(block).size());
}

std::uint32_t NextUses::operator()(std::uint32_t reg, std::uint32_t n) const {
  const auto& mentions = mentions_[reg];
  const auto next = std::lower_bound(mentions.begin(), mentions.end(), n,
                                     [](const Mention& m, std::uint32_t at) { return m.at < at; });
  if (next != mentions.end()) return next->use ? next->at - n : kNever;
  return further(out_[reg], length_ - n);
}

}  // namespace raddle::isa
