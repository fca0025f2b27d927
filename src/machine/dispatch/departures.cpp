#include "machine/dispatch/departures.h"

#include <algorithm>

#include "machine/chip_config.h"

namespace raddle::machine {

Departures::Departures(const ChipConfig& config, std::vector<std::unique_ptr<Sm>>& sms,
                       Dispatcher& dispatcher, const Cycle& now)
    : sms_(sms),
      dispatcher_(dispatcher),
      now_(now),
      every_(config.preempt_every),
      state_(config.preempt_seed) {
  if (every_ != 0) draw_next(0);
  dispatcher.tell_returns([this](const ResidentBlock& block) { returned(block); });
}

std::optional<PlacedBlock> Departures::find(GridId grid, std::uint64_t number) const {
  std::optional<PlacedBlock> found;
  for (const auto& sm : sms_) {
    sm->for_each_block([&](const ResidentBlock& block) {
      if (name_of(block) == Name{grid, number}) found = placed(block);
    });
  }
  return found;
}

/// The block on its multiprocessor; nullptr if it has left or ended.
ResidentBlock* Departures::resident(const PlacedBlock& block) const {
  const auto& blocks = sms_[block.sm]->blocks();
  if (block.slot >= blocks.size()) return nullptr;
  ResidentBlock& there = *blocks[block.slot];
  return there.grid != nullptr && there.since == block.since ? &there : nullptr;
}

Departure Departures::request(const PlacedBlock& block, DepartureRequest request) {
  if (block.sm >= sms_.size()) fail("a policy of placement asks a block to leave that is none");
  ResidentBlock* const there = resident(block);
  if (request.insistence == Insistence::when_it_may) return ask(block, std::move(request));
  return there == nullptr ? Departure::not_here : begin_now(*there, std::move(request));
}

/// A policy may ask at each sample until the block has left. This counts as one request.
Departure Departures::ask(const PlacedBlock& block, DepartureRequest request) {
  const auto is_it = [&](const Asked& one) { return one.is(block); };
  if (std::any_of(asked_.begin(), asked_.end(), is_it)) return Departure::asked;
  asked_.push_back({block.sm, block.slot, block.since, std::move(request)});
  newly_asked_ = true;
  dispatcher_.asked_to_leave();
  return resident(block) == nullptr ? Departure::not_here : Departure::asked;
}

Departure Departures::begin_now(ResidentBlock& block, DepartureRequest request) {
  if (block.leaving() && !block.forced) {
    if (request.insistence == Insistence::unless_woken) return Departure::moving;
    // The block is leaving already, but it could still stay.
    const auto is_it = [&](const Leaving& one) { return one.block == &block; };
    Leaving& leaving = *std::find_if(leaving_.begin(), leaving_.end(), is_it);
    leaving.request.left = std::move(request.left);
    leaving.request.restored = std::move(request.restored);
    block.forced = true;
    return Departure::leaves;
  }
  if (block.presence != ResidentBlock::Presence::running) return Departure::moving;
  if (!sms_[block.context.sm]->preemption().can_leave(block)) return Departure::ending;
  begin(block, std::move(request));
  return Departure::leaves;
}

void Departures::begin(ResidentBlock& block, DepartureRequest request) {
  Sm* sm = sms_[block.context.sm].get();
  sm->preemption().stop(block, request, now_);
  leaving_.push_back({&block, sm, std::move(request)});
}

void Departures::woken() {
  std::erase_if(leaving_, [](const Leaving& one) { return !one.block->leaving(); });
}

void Departures::clear() {
  asked_.clear();
  leaving_.clear();
  away_.clear();
  restoring_.clear();
}

void Departures::cycle() {
  begin_asked();
  if (doomed_) [[unlikely]]
    begin_doomed();
  if (next_random_ <= now_) preempt_any();
  if (!restoring_.empty()) tell_restored();
  if (leaving_.empty()) return;
  std::vector<std::pair<DepartureRequest, PlacedBlock>> left;
  std::erase_if(leaving_, [&](Leaving& one) {
    if (!proceed(one)) return false;
    PlacedBlock block = placed(*one.block);
    block.dropped = one.block->presence == ResidentBlock::Presence::draining;
    take_away(one);
    left.emplace_back(std::move(one.request), block);
    return true;
  });
  for (const auto& [request, block] : left) {
    if (request.left) request.left(block);
  }
}

void Departures::begin_asked() {
  newly_asked_ = false;
  if (asked_.empty()) return;
  const auto is_gone = [&](const Asked& asked) {
    return resident({.sm = asked.sm, .slot = asked.slot, .since = asked.since}) == nullptr;
  };
  std::erase_if(asked_, is_gone);
  for (Asked& asked : asked_) {
    ResidentBlock& block = *sms_[asked.sm]->blocks()[asked.slot];
    if (block.warp_instructions <= block.departures) continue;  // Insistence::when_it_may
    if (sms_[asked.sm]->preemption().can_leave(block)) begin(block, std::move(asked.request));
  }
}

void Departures::begin_doomed() {
  doomed_ = false;
  for (const auto& sm : sms_) {
    sm->for_each_block([&](ResidentBlock& block) {
      if (!block.grid->doomed) return;
      doomed_ = true;  // a block that is being restored leaves when its state has arrived
      if (sm->preemption().can_leave(block)) begin(block, {.insistence = Insistence::at_once});
    });
  }
}

/// Returns true when the place of the block can be freed. The block cannot end before, because at
/// least one of its warps has stopped.
bool Departures::proceed(Leaving& leaving) {
  ResidentBlock& block = *leaving.block;
  Preemption& preemption = leaving.sm->preemption();
  if (block.presence != ResidentBlock::Presence::draining) return preemption.saved(block);
  if (!preemption.drained(block)) return false;
  leaving.sm->gather_counts(block);
  if (block.grid->doomed || preemption.can_drop(block)) return true;
  preemption.save(block, now_);
  return false;
}

void Departures::take_away(Leaving& leaving) {
  ResidentBlock& block = *leaving.block;
  Grid& grid = *block.grid;
  const bool forced = block.forced;
  if (leaving.request.restored && !grid.doomed) away_[name_of(block)] = leaving.request.restored;
  leaving.sm->gather_counts(block);
  dispatcher_.block_ended(block, true);
  if (grid.doomed) [[unlikely]] {
    leaving.sm->preemption().discard(leaving.sm->preemption().swap_out(block, now_));
    ++grid.ended_blocks;
    return dispatcher_.discarded(grid, now_);
  }
  dispatcher_.swapped_out(grid, leaving.sm->preemption().swap_out(block, now_), forced);
}

/// The dispatcher has placed a block that was away.
void Departures::returned(const ResidentBlock& block) {
  if (away_.empty()) return;
  const auto found = away_.find(name_of(block));
  if (found == away_.end()) return;
  restoring_.push_back({&block, std::move(found->second)});
  away_.erase(found);
}

/// Calls the callbacks of blocks that are restored. They are called in the cycle in which the warps
/// can continue, so the block cannot end or leave before.
void Departures::tell_restored() {
  std::vector<Restoring> restored;
  std::erase_if(restoring_, [&](Restoring& one) {
    if (one.block->presence == ResidentBlock::Presence::restoring) return false;
    restored.push_back(std::move(one));
    return true;
  });
  for (const Restoring& one : restored) one.restored(placed(*one.block));
}

/// Chooses a block at random and makes it leave. A block can leave for the n-th time only after it
/// has issued n instructions since it was placed. So every block makes progress, however often it
/// leaves.
void Departures::preempt_any() {
  draw_next(now_);
  ResidentBlock* chosen = nullptr;
  std::uint64_t seen = 0;
  for (const auto& sm : sms_) {
    sm->for_each_block([&](ResidentBlock& block) {
      if (block.warp_instructions <= block.departures || !sm->preemption().can_leave(block)) return;
      if (random() % ++seen == 0) chosen = &block;
    });
  }
  if (chosen != nullptr) begin(*chosen, {});
}

/// Draws the cycles to the next preemption, uniform between 1 and twice the mean.
void Departures::draw_next(Cycle now) { next_random_ = now + 1 + random() % (2 * every_); }

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t Departures::random() {
  std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11ebu;
  return z ^ z >> 31;
}

}  // namespace raddle::machine
