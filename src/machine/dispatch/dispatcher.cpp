#include "machine/dispatch/dispatcher.h"

#include <algorithm>

namespace raddle::machine {

Dispatcher::Dispatcher(const DispatchConfig& config, StatGroup& statistics)
    : management_(config),
      capacity_(config.concurrent_kernels),
      blocks_per_cycle_(config.blocks_per_cycle),
      most_room_(config.placement == "most_room"),
      stats_(statistics, "dispatch") {}

void Dispatcher::cycle(std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  enter(now);
  for (unsigned placed = 0; placed < blocks_per_cycle_ && !blocked_ && !marked_.empty(); ++placed) {
    if (!place_one(*marked_.front(), sms, now)) return;
    if (marked_.front()->all_placed()) marked_.erase(marked_.begin());
  }
}

void Dispatcher::enter(Cycle now) {
  management_.dispatch(free_entries(), now);
  while (std::unique_ptr<Grid> grid = management_.arrive(now)) {
    grid->record.start_cycle = now;
    ++stats_.grids;
    mark(*grid);
    entries_.push_back(std::move(grid));
  }
}

/// Grids have their turns by priority, then first come, first served.
void Dispatcher::mark(Grid& grid) {
  const auto after = [&](const Grid* other) { return other->priority > grid.priority; };
  const auto place = std::find_if(marked_.begin(), marked_.end(), after);
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
}

Cycle Dispatcher::wake() const {
  const Cycle place = blocked_ || marked_.empty() ? kNever : group_loaded_;
  return std::min(place, management_.wake(free_entries()));
}

bool Dispatcher::has(GridId id) const {
  return management_.has(id) || std::any_of(entries_.begin(), entries_.end(),
                                            [id](const auto& grid) { return grid->id == id; });
}

}  // namespace raddle::machine
