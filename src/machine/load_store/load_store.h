// The load-store unit: memory instructions in order of issue, each sent on as passes of the shared
// memory or the constant cache, or as transactions to the L1 cache.
#pragma once

#include <array>
#include <vector>

#include "isa/warp_context.h"
#include "machine/coalescer/coalescer.h"
#include "machine/config.h"
#include "machine/l1/l1.h"
#include "machine/load_store/constant_cache.h"
#include "machine/scheduler/warp_scheduler.h"
#include "machine/sm/warp_event.h"

namespace raddle::machine {

struct LoadStoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter instructions{*this, "instructions", "warp instructions",
                       "Memory instructions with at least one lane."};
  Counter completed{*this, "completed", "warp instructions",
                    "Memory instructions whose accesses have all been answered."};
  Counter shared_requests{*this, "shared_requests", "warp instructions",
                          "Accesses to shared memory."};
  Counter shared_passes{*this, "shared_passes", "passes",
                        "Passes they took: more than requests when banks conflict."};
  Counter l1_stalls{*this, "l1_stalls", "SM cycles",
                    "Cycles in which the L1 cache could not take the next transaction."};
};

class LoadStore {
 public:
  /// Results that come after a known time are put into `events`, as memory_result.
  LoadStore(const GpuConfig& config, unsigned sm, StatGroup& sm_statistics, WarpEvents& events);

  bool can_issue() const { return queued_ < queue_.size(); }
  /// Takes over the access that the warp's instruction `code` has just made; can_issue() was true.
  void issue(unsigned warp, std::uint32_t code, const isa::WarpContext& context);

  /// One cycle; completed(warp, code) is called for each instruction whose last transaction was
  /// answered.
  template <class Completed>
  void cycle(Cycle now, Completed&& completed) {
    l1_.cycle(now);
    for (std::uint32_t token; l1_.take_completed(now, token);) {
      if (!answer(token)) continue;
      const InFlight& ended = in_flight_[token];
      finish(ended.warp);
      completed(ended.warp, ended.code);
    }
    send(now);
  }
  /// An instruction of this warp has completed: told by cycle(), or by its memory_result event.
  void finish(unsigned warp) {
    --outstanding_[warp];
    ++stats_.completed;
  }

  /// Memory instructions of this warp that have not completed.
  unsigned outstanding(unsigned warp) const { return outstanding_[warp]; }
  /// Nothing is queued, and everything that was issued has completed.
  bool drained() const { return queued_ == 0 && stats_.instructions == stats_.completed; }
  /// The next cycle in which cycle() does anything; 0 for at once.
  Cycle wake() const;
  L1& l1() { return l1_; }

 private:
  /// A memory instruction that has not made all its passes, or sent all its transactions.
  struct Queued {
    isa::MemoryAccess::Space space = isa::MemoryAccess::Space::none;
    std::uint8_t warp = 0;
    std::uint32_t code = 0;
    std::uint32_t passes = 0, latency = 0;  // shared and constant
    std::uint32_t token = 0, sent = 0, transactions = 0;
    std::array<Transaction, kMostTransactions> transaction;
  };
  /// A global or local access that waits for answers; its index is the token of its transactions.
  struct InFlight {
    std::uint8_t warp = 0;
    std::uint32_t code = 0;
    std::uint32_t unanswered = 0;
    std::uint32_t next_free = 0;
  };

  void queue_shared(Queued& queued, const isa::MemoryAccess& access);
  void queue_constant(Queued& queued, const isa::MemoryAccess& access);
  void queue_transactions(Queued& queued, const isa::WarpContext& context);
  void coalesce_local(Queued& queued, const isa::WarpContext& context);
  std::uint32_t start_access(const Queued& queued);
  bool answer(std::uint32_t token);
  void send(Cycle now);
  void pop() {
    first_ = (first_ + 1) % static_cast<unsigned>(queue_.size());
    --queued_;
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  unsigned sm_;
  unsigned bank_bytes_, shared_latency_, conflict_interval_, conflict_latency_;
  std::vector<Queued> queue_;  // a ring
  unsigned first_ = 0, queued_ = 0;
  Cycle blocked_since_ = kNever;  // the L1 cache cannot take the first queued transaction
  Cycle passes_until_ = 0;        // shared memory or constant cache is busy with the first queued
  std::vector<InFlight> in_flight_;
  std::uint32_t free_ = kNone;
  std::array<std::uint32_t, kMaxWarps> outstanding_{};
  WarpEvents& events_;
  LoadStoreStats stats_;
  Coalescer coalescer_;
  ConstantCache constant_;
  L1 l1_;
};

}  // namespace raddle::machine
