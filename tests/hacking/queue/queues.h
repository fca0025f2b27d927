// The mechanism: a queue in each multiprocessor; without timing, a single queue.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "machine/mechanism.h"
#include "machine/unit/message_network.h"
#include "queue/config.h"
#include "queue/queue_unit.h"

namespace raddle::mechanisms::queue {

/// Without timing there is one queue, with room for everything.
class FunctionalQueue {
 public:
  explicit FunctionalQueue(machine::LaunchPath& path) : path_(path) {}
  void push(std::uint32_t value);
  /// False: there is none, and the lane waits.
  bool pull(const isa::WarpContext& warp, unsigned lane, std::uint32_t& value);
  void clear() { values_.clear(); }

 private:
  struct Waiting {
    const isa::WarpContext* warp;
    unsigned lane;
  };
  machine::LaunchPath& path_;
  std::deque<std::uint32_t> values_;
  std::deque<Waiting> waiting_;
};

class Queues : public machine::Mechanism {
 public:
  Queues(const QueueConfig& config, machine::LaunchPath& path);

  std::unique_ptr<machine::SmUnit> sm_unit(machine::SmPort& port) override;
  machine::MessageNetwork* network() override { return &network_; }
  void* unit_state() override { return &functional_; }
  void grid_ended(const machine::Grid&) override { functional_.clear(); }

  /// Gives each multiprocessor its part of a buffer of the program's; after the cycle.
  void share(const Buffer& buffer);

 private:
  const QueueConfig& config_;
  unsigned sms_;
  machine::MessageNetwork network_;
  FunctionalQueue functional_;
  std::vector<QueueUnit*> units_;
};

}  // namespace raddle::mechanisms::queue
