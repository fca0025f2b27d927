#include "machine/dispatch/dispatcher.h"

#include <algorithm>

namespace raddle::machine {

Dispatcher::Dispatcher(const DispatchConfig& config, StatGroup& statistics)
    : capacity_(config.concurrent_kernels),
      blocks_per_cycle_(config.blocks_per_cycle),
      most_room_(config.placement == "most_room"),
      stats_(statistics, "dispatch") {}

void Dispatcher::launch(std::unique_ptr<Grid> grid) {
  const auto after = [&](const std::unique_ptr<Grid>& other) {
    return other->priority > grid->priority;
  };
  queue_.insert(std::find_if(queue_.begin(), queue_.end(), after), std::move(grid));
}

void Dispatcher::cycle(std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  enter(now);
  for (unsigned placed = 0; placed < blocks_per_cycle_ && !blocked_; ++placed) {
    Grid* grid = first_unplaced();
    if (grid == nullptr) return;
    blocked_ = !place_one(*grid, sms, now);
  }
}

void Dispatcher::enter(Cycle now) {
  for (auto next = queue_.begin(); next != queue_.end() && entries_.size() < capacity_;) {
    if ((*next)->ready > now) {
      ++next;
      continue;
    }
    (*next)->record.start_cycle = now;
    ++stats_.grids;
    // A more urgent grid goes before others whose blocks are not all placed.
    const auto after = [&](const std::unique_ptr<Grid>& other) {
      return other->priority > (*next)->priority;
    };
    entries_.insert(std::find_if(entries_.begin(), entries_.end(), after), std::move(*next));
    next = queue_.erase(next);
    blocked_ = false;
  }
}

Grid* Dispatcher::first_unplaced() const {
  for (const auto& grid : entries_) {
    if (!grid->all_placed()) return grid.get();
  }
  return nullptr;
}

bool Dispatcher::place_one(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now) {
  Sm* sm = choose(grid, sms);
  if (sm == nullptr) return false;
  sm->place(grid, grid.index_of(grid.next_block), now);
  ++grid.next_block;
  ++stats_.blocks;
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
  queue_.clear();
  entries_.clear();
}

Cycle Dispatcher::wake() const {
  if (!blocked_ && first_unplaced() != nullptr) return 0;
  if (entries_.size() >= capacity_) return kNever;
  Cycle earliest = kNever;
  for (const auto& grid : queue_) earliest = std::min(earliest, grid->ready);
  return earliest;
}

const Grid* Dispatcher::find(GridId id) const {
  for (const auto* list : {&queue_, &entries_}) {
    for (const auto& grid : *list) {
      if (grid->id == id) return grid.get();
    }
  }
  return nullptr;
}

}  // namespace raddle::machine
