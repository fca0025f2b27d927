#include "machine/dispatch/departures.h"

#include <algorithm>
#include <utility>

#include "machine/chip_config.h"

namespace raddle::machine {

Departures::Departures(const ChipConfig& config, std::vector<std::unique_ptr<Sm>>& sms,
                       Dispatcher& dispatcher)
    : sms_(sms),
      dispatcher_(dispatcher),
      every_(config.preempt_every),
      state_(config.preempt_seed) {
  if (every_ != 0) draw_next(0);
}

ResidentBlock* Departures::find(GridId grid, std::uint64_t block) {
  ResidentBlock* found = nullptr;
  for (const auto& sm : sms_) {
    sm->for_each_block([&](ResidentBlock& one) {
      if (one.context.grid->id == grid && one.linear_index() == block) found = &one;
    });
  }
  return found;
}

Departure Departures::request(GridId grid, std::uint64_t number, std::function<void()> left,
                              Cycle now) {
  ResidentBlock* block = find(grid, number);
  if (block == nullptr) return Departure::not_here;
  if (block->leaving() && !block->forced) {
    // It leaves anyhow, but not for certain.
    const auto is_it = [&](const Leaving& one) { return one.block == block; };
    std::find_if(leaving_.begin(), leaving_.end(), is_it)->left = std::move(left);
    block->forced = true;
    return Departure::leaves;
  }
  if (block->presence != ResidentBlock::Presence::running) return Departure::moving;
  if (!sms_[block->context.sm]->preemption().can_leave(*block)) return Departure::ending;
  begin(*block, true, std::move(left), now);
  return Departure::leaves;
}

void Departures::begin(ResidentBlock& block, bool forced, std::function<void()> left, Cycle now) {
  Sm* sm = sms_[block.context.sm].get();
  sm->preemption().stop(block, forced, now);
  leaving_.push_back({&block, sm, std::move(left)});
}

void Departures::woken() {
  std::erase_if(leaving_, [](const Leaving& one) { return !one.block->leaving(); });
}

void Departures::cycle(Cycle now) {
  if (next_random_ <= now) preempt_any(now);
  if (leaving_.empty()) return;
  std::vector<std::function<void()>> left;
  std::erase_if(leaving_, [&](Leaving& one) {
    if (!proceed(one, now)) return false;
    left.push_back(std::move(one.left));
    return true;
  });
  for (const auto& tell : left) {
    if (tell) tell();
  }
}

/// True when the block has left. It cannot end before: a warp of it, at least, has stopped.
bool Departures::proceed(const Leaving& leaving, Cycle now) {
  ResidentBlock& block = *leaving.block;
  Sm& sm = *leaving.sm;
  if (block.presence == ResidentBlock::Presence::draining) {
    if (sm.preemption().drained(block)) sm.preemption().save(block, now);
    return false;
  }
  if (!sm.preemption().saved(block)) return false;
  Grid& grid = *block.grid;
  const bool forced = block.forced;
  sm.gather_counts(block);
  dispatcher_.block_ended(block, true);
  dispatcher_.swapped_out(grid, sm.preemption().swap_out(block, now), forced);
  return true;
}

/// For the n-th time only when it has issued n instructions since it came: so all blocks come
/// forward, however often, and ever faster.
void Departures::preempt_any(Cycle now) {
  draw_next(now);
  ResidentBlock* chosen = nullptr;
  std::uint64_t seen = 0;
  for (const auto& sm : sms_) {
    sm->for_each_block([&](ResidentBlock& block) {
      if (block.warp_instructions <= block.departures || !sm->preemption().can_leave(block)) return;
      if (random() % ++seen == 0) chosen = &block;
    });
  }
  if (chosen != nullptr) begin(*chosen, true, {}, now);
}

/// Uniform between 1 and twice the mean.
void Departures::draw_next(Cycle now) { next_random_ = now + 1 + random() % (2 * every_); }

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t Departures::random() {
  std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ z >> 27) * 0x94d0'49bb'1331'11ebu;
  return z ^ z >> 31;
}

}  // namespace raddle::machine
