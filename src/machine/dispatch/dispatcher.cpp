#include "machine/dispatch/dispatcher.h"

#include <algorithm>
#include <utility>

#include "isa/kernel_name.h"
#include "machine/dispatch/config.h"
#include "machine/placement/kinds.h"

namespace raddle::machine {

Dispatcher::Dispatcher(const GpuConfig& config, const std::vector<std::unique_ptr<Sm>>& sms,
                       StatGroup& statistics)
    : management_(config.dispatch),
      capacity_(config.dispatch.concurrent_kernels),
      counted_before_(config.dispatch.counted_before),
      end_latency_(config.dispatch.end_latency),
      pace_(config.dispatch.blocks_per_cycle),
      sms_(sms),
      configured_(make_placement(config, statistics)),
      policy_(configured_.get()),
      stats_(statistics.unit<DispatchStats>("dispatch")) {
  for (const auto& sm : sms) views_.emplace_back(*sm);
}

void Dispatcher::cycle(Cycle now) {
  if (!away_.empty()) suspend();
  enter(now);
  if (blocked_ && others_loaded_ <= now) blocked_ = false;
  while (pace_.due(now) && !blocked_ && !marked_.empty()) {
    if (!place_one(now)) return;
    pace_.happens(now);
  }
}

void Dispatcher::sample(Cycle now, DepartureRequests& departures) {
  next_sample_ = now + policy_->sample_period();
  policy_->sample(views_, now, departures);
  blocked_ = false;
}

/// The offer has changed. That does not concern a policy that sees only the first block.
void Dispatcher::offer_changed() {
  if (policy_->in_turn()) return;
  blocked_ = false;
  group_loaded_ = 0;
}

void Dispatcher::enter(Cycle now) {
  if (management_.wake(free_entries()) > now) return;
  management_.dispatch(free_entries(), now);
  while (std::unique_ptr<Grid> grid = management_.arrive(now)) {
    if (!std::exchange(grid->resumed, false)) {
      grid->record.start_cycle = now;
      if (!grid->from_device) grid->record.counted_before = counted_before_;
      if (entered_) entered_(*grid);
      ++stats_.grids;
    }
    if (entries_.empty()) next_sample_ = samples() ? now + policy_->sample_period() : kNever;
    policy_->grid_entered(*grid);
    entries_.push_back(std::move(grid));
    Grid& entered = *entries_.back();
    if (entered.doomed) [[unlikely]] {
      give_up_rest(entered, now);
    } else {
      mark(entered);
    }
    stats_.resident_grids_peak.set(entries_.size());
  }
}

/// Marks a grid: it has blocks to place. The order is by priority, then first come, first served.
void Dispatcher::mark(Grid& grid) {
  const auto after = [&](const Grid* other) {
    const bool promised = other->context.cooperative && other->to_resume != 0;
    return other->priority > grid.priority && !promised;
  };
  insert_marked(std::find_if(marked_.begin(), marked_.end(), after), grid);
}

/// A block of the grid was preempted. The grid's turn comes before other grids of its priority.
void Dispatcher::mark_first(Grid& grid) {
  std::erase(marked_, &grid);
  const auto not_before = [&](const Grid* other) {
    return grid.context.cooperative || other->priority >= grid.priority;
  };
  insert_marked(std::find_if(marked_.begin(), marked_.end(), not_before), grid);
}

void Dispatcher::insert_marked(std::vector<Grid*>::iterator place, Grid& grid) {
  if (place == marked_.begin()) {
    blocked_ = false;
    group_loaded_ = 0;
  }
  marked_.insert(place, &grid);
  offer_changed();
}

void Dispatcher::add_group(Grid& grid, BlockGroup& group) {
  const bool was_marked = !grid.all_placed();
  if (grid.next_group == nullptr) {
    grid.next_group = &group;
  } else {
    grid.last_group->next = &group;
  }
  grid.last_group = &group;
  grid.group_blocks += group.blocks();
  if (!was_marked) mark(grid);
  offer_changed();
}

/// Fills in `offered_`. It stays empty while the group whose turn it is must be loaded. Then it
/// sets the cycle of the next attempt.
void Dispatcher::offer(Cycle now) {
  offered_.clear();
  others_loaded_ = kNever;
  if (policy_->in_turn()) {
    offer_of(*marked_.front(), now);
    if (offered_.size() > 1) offered_.resize(1);
    group_loaded_ = offered_.empty() ? std::exchange(others_loaded_, kNever) : 0;
    return;
  }
  for (Grid* grid : marked_) offer_of(*grid, now);
  group_loaded_ = offered_.empty() ? others_loaded_ : 0;
}

void Dispatcher::offer_of(Grid& grid, Cycle now) {
  if (grid.to_resume != 0) {
    for (const Away& away : to_resume_) {
      if (away.grid != &grid) continue;
      const isa::BlockContext& context = away.swapped->block->context;
      offered_.push_back({&grid, context.index, nullptr, &context});
      if (policy_->in_turn()) return;
    }
  }
  if (grid.next_block < grid.blocks()) {
    offered_.push_back({&grid, grid.index_of(grid.next_block), nullptr, nullptr});
  } else if (grid.next_group != nullptr) {
    BlockGroup& group = *grid.next_group;
    const Cycle loaded = group.available(now);
    if (loaded <= now) {
      offered_.push_back({&grid, index_in(group.grid, group.next_block), &group, nullptr});
    } else {
      others_loaded_ = std::min(others_loaded_, loaded);
    }
  }
}

bool Dispatcher::place_one(Cycle now) {
  offer(now);
  if (offered_.empty()) return false;
  const auto choice = policy_->choose({offered_, views_}, now);
  blocked_ = !choice;
  if (blocked_) return false;
  if (choice->candidate >= offered_.size() || choice->sm >= sms_.size()) {
    fail("the placement policy has chosen candidate {} of {} and SM {} of {}", choice->candidate,
         offered_.size(), choice->sm, sms_.size());
  }
  const Candidate& block = offered_[choice->candidate];
  Sm& sm = *sms_[choice->sm];
  if (!sm.has_room(block.grid->needs)) {
    fail("the placement policy has chosen SM {}, which has no room for a block of {}", choice->sm,
         isa::kernel_name(block.grid->record.kernel));
  }
  policy_->block_started(placed(place(block, sm, now)));
  if (block.grid->all_placed()) std::erase(marked_, block.grid);
  return true;
}

const ResidentBlock& Dispatcher::place(const Candidate& block, Sm& sm, Cycle now) {
  if (block.returning != nullptr) return place_returning(block, sm, now);
  ++stats_.blocks;
  return block.group != nullptr ? place_of_group(block, sm, now) : place_fresh(block, sm, now);
}

const ResidentBlock& Dispatcher::place_fresh(const Candidate& block, Sm& sm, Cycle now) {
  Grid& grid = *block.grid;
  if (grid.next_block == 0) {
    grid.first_placed = now;
    if (started_) started_(grid, nullptr);
  }
  ++grid.next_block;
  return sm.place(grid, grid.context, block.index, now);
}

const ResidentBlock& Dispatcher::place_of_group(const Candidate& block, Sm& sm, Cycle now) {
  Grid& grid = *block.grid;
  BlockGroup& group = *block.group;
  if (group.next_block == 0) {
    group.first_placed = now;
    if (started_) started_(grid, &group);
  }
  ++stats_.group_blocks;
  if (++group.next_block == group.blocks()) grid.next_group = group.next;
  return sm.place(grid, group, block.index, now);
}

const ResidentBlock& Dispatcher::place_returning(const Candidate& block, Sm& sm, Cycle now) {
  const auto first = std::find_if(to_resume_.begin(), to_resume_.end(), [&](const Away& one) {
    return &one.swapped->block->context == block.returning;
  });
  Away away = std::move(*first);
  to_resume_.erase(first);
  --block.grid->to_resume;
  const ResidentBlock& back = sm.preemption().swap_in(std::move(away.swapped), now);
  if (returned_) returned_(back);
  return back;
}

void Dispatcher::block_ended(const ResidentBlock& block, bool left) {
  policy_->block_ended(placed(block), left);
}

void Dispatcher::swapped_out(Grid& grid, std::unique_ptr<SwappedBlock> swapped, bool preempted) {
  ++(preempted ? stats_.preempted_blocks : stats_.swapped_blocks);
  blocked_ = false;
  if (swapped->waits()) {
    ++grid.away;
    const isa::BlockContext* block = &swapped->block->context;
    away_[block] = {&grid, std::move(swapped)};
    return;
  }
  ++grid.to_resume;
  to_resume_.push_back({&grid, std::move(swapped)});
  mark_first(grid);
}

/// Grids whose blocks are all away give their entries to other grids.
void Dispatcher::suspend() {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    if ((*entry)->suspended()) {
      suspended_.push_back(leave(entry));
    } else {
      ++entry;
    }
  }
}

/// Takes a grid out of the distributor. `entry` becomes the next entry.
std::unique_ptr<Grid> Dispatcher::leave(std::vector<std::unique_ptr<Grid>>::iterator& entry) {
  std::unique_ptr<Grid> grid = std::move(*entry);
  entry = entries_.erase(entry);
  stats_.resident_grids_peak.set(entries_.size());
  policy_->grid_left(*grid);
  offer_changed();
  return grid;
}

void Dispatcher::resume(const isa::BlockContext& block, Cycle now) {
  const auto found = away_.find(&block);
  if (found == away_.end()) return;
  Grid& grid = *found->second.grid;
  to_resume_.push_back(std::move(found->second));
  away_.erase(found);
  const auto is_it = [&](const auto& entry) { return entry.get() == &grid; };
  const bool entered = std::any_of(entries_.begin(), entries_.end(), is_it);
  const bool was_marked = !grid.all_placed();
  --grid.away;
  ++grid.to_resume;
  group_loaded_ = 0;  // blocks that return are placed before blocks of a group
  offer_changed();
  if (entered && !was_marked) mark(grid);
  const auto out = std::find_if(suspended_.begin(), suspended_.end(), is_it);
  if (out == suspended_.end()) return;
  grid.resumed = true;
  grid.ready = now + 1;
  management_.launch(std::move(*out));
  suspended_.erase(out);
}

std::vector<std::unique_ptr<Grid>> Dispatcher::take_ended(Cycle now) {
  std::vector<std::unique_ptr<Grid>> ended;
  next_end_ = kNever;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const Grid& grid = **entry;
    const Cycle end = grid.last_block_ended + (grid.from_device ? 0 : end_latency_);
    if (grid.ended() && end <= now) {
      ended.push_back(leave(entry));
      continue;
    }
    if (grid.ended()) next_end_ = std::min(next_end_, end);
    ++entry;
  }
  return ended;
}

/// Counts all blocks of the grid as ended that are on no multiprocessor.
void Dispatcher::give_up_rest(Grid& grid, Cycle now) {
  grid.ended_blocks += grid.blocks() - grid.next_block;
  grid.next_block = grid.blocks();
  const auto discard = [&](Away& away) {
    if (away.grid != &grid) return;
    sms_.front()->preemption().discard(std::move(away.swapped));
    ++grid.ended_blocks;
  };
  for (Away& away : to_resume_) discard(away);
  std::erase_if(to_resume_, [&](const Away& away) { return away.grid == &grid; });
  for (auto& [block, away] : away_) discard(away);
  std::erase_if(away_, [&](const auto& entry) { return entry.second.grid == &grid; });
  grid.away = grid.to_resume = 0;
  std::erase(marked_, &grid);
  offer_changed();
  blocked_ = false;
  discarded(grid, now);
}

void Dispatcher::discarded(Grid& grid, Cycle now) {
  grid.last_block_ended = now;
  blocked_ = false;
  if (grid.ended()) next_end_ = std::min(next_end_, now + (grid.from_device ? 0 : end_latency_));
}

void Dispatcher::doom(unsigned client, Cycle now) {
  const auto mark_doomed = [client](Grid& grid) { grid.doomed |= grid.client == client; };
  management_.for_each(mark_doomed);
  for (auto& grid : suspended_) {
    if (grid->client != client) continue;
    policy_->grid_entered(*grid);
    entries_.push_back(std::move(grid));
  }
  std::erase(suspended_, nullptr);
  for (const auto& grid : entries_) {
    if (grid->client != client || grid->doomed) continue;
    grid->doomed = true;
    give_up_rest(*grid, now);
  }
}

void Dispatcher::drop_all() {
  management_.clear();
  marked_.clear();
  for (const auto& grid : entries_) policy_->grid_left(*grid);
  entries_.clear();
  stats_.resident_grids_peak.set(0);
  suspended_.clear();
  away_.clear();
  to_resume_.clear();
  next_end_ = kNever;
}

Cycle Dispatcher::wake() const {
  const Cycle offered = blocked_ ? others_loaded_ : std::max(group_loaded_, pace_.ready_at());
  const Cycle place = marked_.empty() ? kNever : offered;
  return std::min({place, next_end_, management_.wake(free_entries())});
}

bool Dispatcher::has(GridId id) const {
  const auto is_it = [id](const auto& grid) { return grid->id == id; };
  return management_.has(id) || std::any_of(entries_.begin(), entries_.end(), is_it) ||
         std::any_of(suspended_.begin(), suspended_.end(), is_it);
}

}  // namespace raddle::machine
