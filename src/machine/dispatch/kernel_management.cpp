#include "machine/dispatch/kernel_management.h"

#include <algorithm>

namespace raddle::machine {

void KernelManagement::launch(std::unique_ptr<Grid> grid) {
  ++size_;
  if (grid->from_device) ++pending_from_device_;
  const Order order{grid->ready, order_++};
  coming_.emplace(order, std::move(grid));
}

/// Moves grids whose `ready` cycle has come into their queue or the pool.
void KernelManagement::see(Cycle now) {
  while (!coming_.empty() && coming_.begin()->first.first <= now) {
    std::unique_ptr<Grid> grid = std::move(coming_.begin()->second);
    coming_.erase(coming_.begin());
    if (grid->hardware_queue == kNoQueue || grid->resumed) {
      const Urgency urgency{grid->priority, order_++};
      eligible_.emplace(urgency, std::move(grid));
      continue;
    }
    const std::uint32_t queue = grid->hardware_queue;
    queues_[queue].waiting.push_back(std::move(grid));
    inspect(queue);
  }
}

/// The head of a hardware queue becomes eligible, unless the grid before it keeps the queue busy.
void KernelManagement::inspect(unsigned number) {
  HardwareQueue& queue = queues_[number];
  if (queue.busy || queue.waiting.empty()) return;
  queue.busy = true;
  std::unique_ptr<Grid> head = std::move(queue.waiting.front());
  queue.waiting.pop_front();
  const Urgency urgency{head->priority, order_++};
  eligible_.emplace(urgency, std::move(head));
}

void KernelManagement::ended(const Grid& grid) {
  if (grid.hardware_queue == kNoQueue || !queue_waits_) return;
  queues_[grid.hardware_queue].busy = false;
  inspect(grid.hardware_queue);
}

void KernelManagement::dispatch(std::size_t free, Cycle now) {
  see(now);
  while (!eligible_.empty() && under_way_.size() < free) {
    std::unique_ptr<Grid> grid = std::move(eligible_.begin()->second);
    eligible_.erase(eligible_.begin());
    const std::uint32_t queue = grid->hardware_queue;
    const bool frees_queue = queue != kNoQueue && !queue_waits_ && !grid->resumed;
    if (grid->from_device) --pending_from_device_;
    if (dispatched_) dispatched_(*grid);
    const Order arrival{now + grid->dispatch_latency, order_++};
    under_way_.emplace(arrival, std::move(grid));
    if (!frees_queue) continue;
    queues_[queue].busy = false;
    inspect(queue);
  }
}

std::unique_ptr<Grid> KernelManagement::arrive(Cycle now) {
  if (under_way_.empty() || under_way_.begin()->first.first > now) return nullptr;
  std::unique_ptr<Grid> grid = std::move(under_way_.begin()->second);
  under_way_.erase(under_way_.begin());
  --size_;
  return grid;
}

Cycle KernelManagement::wake(std::size_t free) const {
  if (!eligible_.empty() && under_way_.size() < free) return 0;
  Cycle next = coming_.empty() ? kNever : coming_.begin()->first.first;
  if (!under_way_.empty()) next = std::min(next, under_way_.begin()->first.first);
  return next;
}

bool KernelManagement::has(GridId id) const {
  const auto is_it = [id](const auto& entry) { return entry.second->id == id; };
  const auto in = [&](const auto& map) { return std::any_of(map.begin(), map.end(), is_it); };
  if (in(coming_) || in(eligible_) || in(under_way_)) return true;
  return std::any_of(queues_.begin(), queues_.end(), [id](const HardwareQueue& queue) {
    return std::any_of(queue.waiting.begin(), queue.waiting.end(),
                       [id](const auto& grid) { return grid->id == id; });
  });
}

void KernelManagement::clear() {
  coming_.clear();
  eligible_.clear();
  under_way_.clear();
  for (HardwareQueue& queue : queues_) queue = {};
  size_ = pending_from_device_ = 0;
}

}  // namespace raddle::machine
