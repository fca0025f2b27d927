#include "machine/dispatch/dispatcher.h"

#include <algorithm>
#include <utility>

namespace raddle::machine {

Dispatcher::Dispatcher(const DispatchConfig& config, StatGroup& statistics)
    : management_(config),
      capacity_(config.concurrent_kernels),
      blocks_per_cycle_(config.blocks_per_cycle),
      most_room_(config.placement == "most_room"),
      stats_(statistics, "dispatch") {}

void Dispatcher::cycle(std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  if (!away_.empty()) suspend();
  enter(now);
  for (unsigned placed = 0; placed < blocks_per_cycle_ && !blocked_ && !marked_.empty(); ++placed) {
    if (!place_one(*marked_.front(), sms, now)) return;
    if (marked_.front()->all_placed()) marked_.erase(marked_.begin());
  }
}

void Dispatcher::enter(Cycle now) {
  management_.dispatch(free_entries(), now);
  while (std::unique_ptr<Grid> grid = management_.arrive(now)) {
    if (!std::exchange(grid->resumed, false)) {
      grid->record.start_cycle = now;
      ++stats_.grids;
    }
    mark(*grid);
    entries_.push_back(std::move(grid));
  }
}

/// Grids have their turns by priority, then first come, first served.
void Dispatcher::mark(Grid& grid) {
  const auto after = [&](const Grid* other) {
    const bool promised = other->context.cooperative && other->to_resume != 0;
    return other->priority > grid.priority && !promised;
  };
  insert_marked(std::find_if(marked_.begin(), marked_.end(), after), grid);
}

/// A block of the grid was preempted: its turn comes before those of its priority.
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
}

bool Dispatcher::place_one(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  if (grid.to_resume != 0) return place_swapped(grid, sms, now);
  if (grid.next_block == grid.blocks()) return place_of_group(grid, sms, now);
  Sm* sm = choose(grid, sms);
  blocked_ = sm == nullptr;
  if (blocked_) return false;
  if (grid.next_block == 0) {
    grid.first_placed = now;
    if (started_) started_(grid, nullptr);
  }
  sm->place(grid, grid.context, grid.index_of(grid.next_block), now);
  ++grid.next_block;
  ++stats_.blocks;
  return true;
}

bool Dispatcher::place_of_group(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  BlockGroup& group = *grid.next_group;
  group_loaded_ = group.available(now);
  if (group_loaded_ > now) return false;
  Sm* sm = choose(grid, sms);
  blocked_ = sm == nullptr;
  if (blocked_) return false;
  if (group.next_block == 0) {
    group.first_placed = now;
    if (started_) started_(grid, &group);
  }
  sm->place(grid, group, index_in(group.grid, group.next_block), now);
  ++stats_.blocks;
  ++stats_.group_blocks;
  if (++group.next_block == group.blocks()) grid.next_group = group.next;
  return true;
}

void Dispatcher::swapped_out(Grid& grid, std::unique_ptr<Sm::Swapped> swapped, bool preempted) {
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

/// Grids of which all is away leave their entries to others.
void Dispatcher::suspend() {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    if ((*entry)->suspended()) {
      suspended_.push_back(std::move(*entry));
      entry = entries_.erase(entry);
    } else {
      ++entry;
    }
  }
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
  group_loaded_ = 0;  // blocks that come back are placed before those of a group
  if (entered && !was_marked) mark(grid);
  const auto out = std::find_if(suspended_.begin(), suspended_.end(), is_it);
  if (out == suspended_.end()) return;
  grid.resumed = true;
  grid.ready = now + 1;
  management_.launch(std::move(*out));
  suspended_.erase(out);
}

bool Dispatcher::place_swapped(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  Sm* sm = choose(grid, sms);
  blocked_ = sm == nullptr;
  if (blocked_) return false;
  const auto first = std::find_if(to_resume_.begin(), to_resume_.end(),
                                  [&](const Away& one) { return one.grid == &grid; });
  sm->swap_in(std::move(first->swapped), now);
  to_resume_.erase(first);
  --grid.to_resume;
  return true;
}

Sm* Dispatcher::choose(const Grid& grid, std::vector<std::unique_ptr<Sm>>& sms) {
  Sm* chosen = nullptr;
  std::size_t index = 0;
  for (std::size_t i = 0; i < sms.size(); ++i) {
    const std::size_t at = (next_sm_ + i) % sms.size();
    Sm& sm = *sms[at];
    if (!sm.has_room(grid.needs)) continue;
    if (chosen != nullptr && sm.free_warps() <= chosen->free_warps()) continue;
    chosen = &sm;
    index = at;
    if (!most_room_) break;
  }
  if (chosen != nullptr) next_sm_ = (index + 1) % sms.size();
  return chosen;
}

std::vector<std::unique_ptr<Grid>> Dispatcher::take_ended() {
  std::vector<std::unique_ptr<Grid>> ended;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    if ((*entry)->ended()) {
      ended.push_back(std::move(*entry));
      entry = entries_.erase(entry);
    } else {
      ++entry;
    }
  }
  return ended;
}

void Dispatcher::drop_all() {
  management_.clear();
  marked_.clear();
  entries_.clear();
  suspended_.clear();
  away_.clear();
  to_resume_.clear();
}

Cycle Dispatcher::wake() const {
  const Cycle place = blocked_ || marked_.empty() ? kNever : group_loaded_;
  return std::min(place, management_.wake(free_entries()));
}

bool Dispatcher::has(GridId id) const {
  const auto is_it = [id](const auto& grid) { return grid->id == id; };
  return management_.has(id) || std::any_of(entries_.begin(), entries_.end(), is_it) ||
         std::any_of(suspended_.begin(), suspended_.end(), is_it);
}

}  // namespace raddle::machine
