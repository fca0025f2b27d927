// The memory side with L1 caches, but without multiprocessors: the tests issue the accesses.
#pragma once

#include <memory>
#include <vector>

#include "machine/dram/config.h"
#include "machine/interconnect/config.h"
#include "machine/l1/config.h"
#include "machine/l1/l1.h"
#include "machine/l2/config.h"
#include "machine/memory_system/memory_system.h"

namespace raddle::machine {

struct RigConfig : ConfigGroup {
  RigConfig() : ConfigGroup("") {}
  L1Config l1{*this, "l1"};
  InterconnectConfig interconnect{*this, "interconnect"};
  L2Config l2{*this, "l2"};
  DramConfig dram{*this, "dram"};
  unsigned core_mhz = 706, dram_mhz = 2600;
  bool perfect = false;  // nothing behind the L1 caches takes time
};

class Rig {
 public:
  /// With `skip`, cycles in which every unit sleeps are jumped over, as the GPU does.
  explicit Rig(const RigConfig& config, unsigned sms = 1, bool skip = true) : skip_(skip) {
    std::vector<MemoryPort*> ports;
    for (unsigned sm = 0; sm < sms; ++sm) {
      sm_stats_.push_back(std::make_unique<StatGroup>(root_, "sm"));
      ports_.push_back(
          std::make_unique<MemoryPort>(config.l1.request_queue, config.l1.reply_queue));
      ports.push_back(ports_.back().get());
      caches_.push_back(std::make_unique<L1>(config.l1, sm, *ports.back(), *sm_stats_.back()));
    }
    memory_ = std::make_unique<MemorySystem>(
        MemorySystem::Config{config.interconnect, config.l2, config.dram, config.core_mhz,
                             config.dram_mhz, config.perfect},
        ports, root_);
  }

  L1& l1(unsigned sm = 0) { return *caches_[sm]; }
  Cycle now() const { return now_; }
  const StatGroup& statistics() const { return root_; }
  std::uint64_t sum(const char* unit, const char* counter) const {
    return total(root_, unit, counter);
  }
  bool empty() const {
    for (const auto& cache : caches_) {
      if (!cache->empty()) return false;
    }
    return memory_->empty();
  }

  /// One cycle: what completes goes to completed(sm, token); then supply(sm) may accept.
  template <class Completed, class Supply>
  void cycle(Completed&& completed, Supply&& supply) {
    for (unsigned sm = 0; sm < caches_.size(); ++sm) {
      if (!skip_ || caches_[sm]->wake() <= now_) caches_[sm]->cycle(now_);
      for (std::uint32_t token; caches_[sm]->take_completed(now_, token);) completed(sm, token);
      supply(sm);
      memory_->requested(sm);
    }
    if (!skip_ || memory_->wake() <= now_) {
      for (unsigned p = 0; p < memory_->partitions(); ++p) memory_->cycle_partition(p, now_);
      memory_->exchange(now_);
    }
    ++now_;
    ++cycles_run_;
  }
  std::uint64_t cycles_run() const { return cycles_run_; }
  /// Jumps to the next cycle in which something happens here, or at `limit` outside, when skipping.
  void skip(Cycle limit) {
    Cycle wake = std::min(limit, memory_->wake());
    for (const auto& cache : caches_) wake = std::min(wake, cache->wake());
    if (skip_ && wake != kNever) now_ = std::max(now_, wake);
  }
  /// Cycles from accepting a transaction to its completion, with nothing else going on.
  Cycle latency(const Transaction& transaction, unsigned sm = 0) {
    const Cycle start = now_;
    bool sent = false, done = false;
    Cycle end = 0;
    while (!done) {
      cycle([&](unsigned, std::uint32_t) { done = true, end = now_; },
            [&](unsigned supplied) {
              if (sent || supplied != sm) return;
              l1(sm).accept(transaction, 1, now_);
              sent = true;
            });
    }
    return end - start;
  }
  void drain() {
    while (!empty()) cycle([](unsigned, std::uint32_t) {}, [](unsigned) {});
  }

 private:
  bool skip_;
  StatGroup root_{"gpu"};
  std::vector<std::unique_ptr<StatGroup>> sm_stats_;
  std::vector<std::unique_ptr<MemoryPort>> ports_;
  std::vector<std::unique_ptr<L1>> caches_;
  std::unique_ptr<MemorySystem> memory_;
  Cycle now_ = 0;
  std::uint64_t cycles_run_ = 0;
};

}  // namespace raddle::machine
