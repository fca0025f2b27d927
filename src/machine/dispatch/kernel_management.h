// The kernel management unit. Grids launched by the host's streams or by running kernels wait here
// for an entry of the kernel distributor (dynamic-thread-block-launch, sections 2.2 and 2.4).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "machine/dispatch/config.h"
#include "machine/dispatch/grid.h"

namespace raddle::machine {

/// Inspects the heads of the hardware work queues and the pool of device-launched grids. The more
/// urgent priority goes first, then the grid that became eligible first. A grid takes
/// Grid::dispatch_latency from here to the distributor. From its dispatch on it holds an entry
/// there.
class KernelManagement {
 public:
  explicit KernelManagement(const DispatchConfig& config)
      : queue_waits_(config.queue_waits), queues_(config.hardware_queues) {}

  using Dispatched = std::function<void(const Grid&)>;
  void tell_dispatches(Dispatched dispatched) { dispatched_ = std::move(dispatched); }

  /// Adds a grid. The unit sees it from cycle Grid::ready on.
  void launch(std::unique_ptr<Grid> grid);
  /// A grid from the host has ended, with all work that it waited for. The next grid of its queue
  /// can go.
  void ended(const Grid& grid);

  /// Dispatches grids while the distributor has room. `free`: its free entries, before grids under
  /// way are subtracted.
  void dispatch(std::size_t free, Cycle now);
  /// Returns a grid that arrives at the distributor, in order of arrival; nullptr when none arrives
  /// by `now`.
  std::unique_ptr<Grid> arrive(Cycle now);

  /// The next cycle in which dispatch() with that many free entries, or arrive(), has work.
  Cycle wake(std::size_t free) const;
  bool empty() const { return size_ == 0; }
  /// Grids launched by kernels that have not been dispatched.
  std::size_t pending_from_device() const { return pending_from_device_; }
  bool has(GridId id) const;
  void clear();
  /// Calls f(grid) for each grid that waits here or is under way.
  template <class F>
  void for_each(F f) {
    for (auto* map : {&coming_, &under_way_}) {
      for (auto& [order, grid] : *map) f(*grid);
    }
    for (auto& [urgency, grid] : eligible_) f(*grid);
    for (HardwareQueue& queue : queues_) {
      for (auto& grid : queue.waiting) f(*grid);
    }
  }

 private:
  struct HardwareQueue {
    std::deque<std::unique_ptr<Grid>> waiting;
    bool busy = false;  // its last head was dispatched and has not ended
  };
  using Order = std::pair<Cycle, std::uint64_t>;  // cycle, then order of arrival here
  using Urgency = std::pair<int, std::uint64_t>;  // priority, then order of becoming eligible

  void see(Cycle now);
  void inspect(unsigned queue);

  bool queue_waits_;
  Dispatched dispatched_;
  std::map<Order, std::unique_ptr<Grid>> coming_;  // not seen yet
  std::vector<HardwareQueue> queues_;
  std::map<Urgency, std::unique_ptr<Grid>> eligible_;  // ready for dispatch
  std::map<Order, std::unique_ptr<Grid>> under_way_;  // to the distributor, by the cycle of arrival
  std::uint64_t order_ = 0;
  std::size_t size_ = 0, pending_from_device_ = 0;
};

}  // namespace raddle::machine
