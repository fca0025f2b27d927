// The load-store unit. It handles memory instructions in order of issue: as passes of the shared
// memory or the constant cache, or as transactions to one of the first-level caches.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isa/warp_context.h"
#include "machine/coalescer/coalescer.h"
#include "machine/config.h"
#include "machine/host_clock.h"
#include "machine/l1/l1.h"
#include "machine/load_store/arrivals.h"
#include "machine/load_store/constant_cache.h"
#include "machine/load_store/l1_watch.h"
#include "machine/load_store/stores_left.h"
#include "machine/unit/access_client.h"
#include "machine/warp_event.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

struct LoadStoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter instructions{*this, "instructions", "warp instructions",
                       "Memory instructions with at least one lane."};
  Counter completed{*this, "completed", "warp instructions",
                    "Memory instructions whose accesses have all completed."};
  Counter shared_requests{*this, "shared_requests", "warp instructions",
                          "Accesses to shared memory."};
  Counter shared_passes{*this, "shared_passes", "passes",
                        "Passes they took: more than requests when banks conflict."};
  Counter texture_requests{*this, "texture_requests", "warp instructions",
                           "Texture lookups that read memory."};
  Counter texture_quads{*this, "texture_quads", "quads",
                        "Groups of four lanes that the texture units filtered."};
  Counter l1_stalls{*this, "l1_stalls", "SM cycles",
                    "Cycles in which a first-level cache could not take the next transaction."};
  Log2Histogram<20> latency{*this, "latency", "SM cycles",
                            "From the issue of an access that goes through a cache to its last "
                            "answer."};
  Formula shared_conflicts{
      *this, "shared_conflicts", "passes",
      "Passes of an access to shared memory, on average; 1 is free of bank "
      "conflicts.",
      [this](const StatValues& of) { return of(shared_passes) / of(shared_requests); }};
  Counter background{
      *this, "background", "transactions",
      "Transactions of units that were sent because there was nothing else to send."};
};

/// The target of an access. Shared memory is served here. Parameters and constants go to the
/// constant cache, and on a miss to the second-level constant cache. Loads with CacheOperator::nc
/// go to the read-only cache, if the GPU has one. All other accesses go to the L1 cache. Units of
/// the multiprocessor send transactions of their own.
class LoadStore {
  static constexpr std::uint64_t bit(isa::Class klass) {
    return std::uint64_t{1} << static_cast<unsigned>(klass);
  }

 public:
  /// A result with a known latency is put into `events`, as memory_result.
  LoadStore(const GpuConfig& config, unsigned sm, StatGroup& sm_statistics, WarpEvents& events,
            HostClock& host_clock);

  /// Whether the load-store unit executes instructions of this class.
  static constexpr bool takes(isa::Class klass) {
    constexpr std::uint64_t kTaken = bit(isa::Class::load_store) | bit(isa::Class::shared_memory) |
                                     bit(isa::Class::constant_load) | bit(isa::Class::atomic) |
                                     bit(isa::Class::texture);
    return (kTaken & bit(klass)) != 0;
  }
  bool can_issue() const { return queued_ < capacity_; }
  bool queue_empty() const { return queued_ == 0; }
  /// The number of instructions that it can take now.
  unsigned free() const { return capacity_ - queued_; }
  /// The cost of an access, for profiles: passes of the shared memory, or transactions.
  struct Cost {
    std::uint32_t passes = 0, transactions = 0;
  };
  /// Takes the access that instruction `code` of a path has just made. can_issue() must be true.
  Cost issue(PathId path, std::uint32_t code, const isa::WarpContext& context);
  /// The same for an access whose transactions come from a unit. The data go to the unit. If there
  /// is no read-only cache, CacheId::read_only means the L1 cache.
  Cost issue_for(AccessClient& client, PathId path, std::uint32_t code,
                 const Transaction* transactions, unsigned count, CacheId cache);

  /// Sends a unit's own access. With `background` it is sent when there is nothing else to send,
  /// and bypasses the L1 cache. can_post() must be true.
  bool can_post(bool background) const {
    return background ? background_queued_ < background_.size() : can_issue();
  }
  void post(AccessClient& client, std::uint32_t tag, const isa::MemoryAccess& access,
            bool background);

  /// Runs one cycle. Calls completed(path, code) for each instruction whose last transaction has
  /// been answered.
  template <class Completed>
  void cycle(Cycle now, Completed&& completed) {
    now_ = now;
    if (l1_.wake() <= now) run(l1_, now, completed);
    if (next_late_ <= now) finish_late(now, completed);
    if (in_side_caches_ != 0) {
      if (read_only_) run(*read_only_, now, completed);
      run(constant_l15_, now, completed);
    }
    if (queued_ != 0 || background_queued_ != 0) send(now);
  }
  /// An instruction of this path has completed, as reported by cycle() or by its memory_result
  /// event.
  void finish(PathId path) {
    expected(path);
    ++stats_.completed;
  }

  /// expect(): the path takes part in an instruction that another path has issued. expected(): that
  /// instruction has completed.
  void expect(PathId path) {
    ++outstanding_[warp_of(path)];
    ++outstanding_of_path_[path];
  }
  void expected(PathId path) {
    --outstanding_[warp_of(path)];
    --outstanding_of_path_[path];
  }

  /// Memory instructions of this warp that have not completed.
  unsigned outstanding(unsigned warp) const { return outstanding_[warp]; }
  /// The paths of this warp that have such instructions, one bit for each.
  unsigned paths_outstanding(unsigned warp) const {
    if (outstanding_[warp] == 0) return 0;
    unsigned paths = 0;
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (outstanding_of_path_[path_id(warp, path)] != 0) paths |= 1u << path;
    }
    return paths;
  }
  /// A warp of the grid has exited. If all its outstanding accesses are its own accesses to caches,
  /// they continue without the warp, which then has none outstanding. They are stores, because no
  /// result is awaited. Returns whether this was so.
  bool leave_stores(unsigned warp, std::uint64_t grid);
  StoresLeft& stores_left() { return stores_left_; }
  const StoresLeft& stores_left() const { return stores_left_; }
  /// Nothing is queued, and all issued accesses have completed.
  bool drained() const {
    return queued_ == 0 && background_queued_ == 0 && posted_ == 0 && in_side_caches_ == 0 &&
           stats_.instructions == stats_.completed;
  }
  /// The next cycle in which cycle() has work; 0 for at once.
  Cycle wake() const;
  /// Drops cached data that may have changed before a new grid: everything except dirty local
  /// memory.
  void invalidate();
  /// A fence for other multiprocessors has all its acknowledgements. Returns the cycles that it
  /// still takes.
  unsigned end_fence() {
    if (fences_invalidate_) l1_.invalidate();
    return fence_latency_;
  }
  /// Empties all its caches, including dirty lines.
  void flush();
  /// The blocks of the multiprocessor will use up to this much shared memory. If shared memory is a
  /// part of the L1 cache, the cache gets the rest. Call it after invalidate().
  void reserve_shared(std::uint32_t bytes);
  MemoryPort& port() { return port_; }
  L1& l1() { return l1_; }
  /// For statistics of units whose accesses count as memory instructions.
  LoadStoreStats& statistics() { return stats_; }

  /// From the first call on, lookups of the L1 data cache are counted. take_lookups() returns the
  /// counts of a warp since its last call.
  void count_lookups();
  Lookups take_lookups(unsigned warp) { return watch_->take_lookups(warp); }
  /// Adds a listener to the L1 data cache, if the listener watches it.
  void add_listener(L1Listener& listener);

  /// From this call on, arrivals of lanes' data are tracked, and the listener is told.
  const Arrivals& track_arrivals(ArrivalListener& listener) {
    arrivals_ = std::make_unique<Arrivals>(listener);
    return *arrivals_;
  }

  /// Each warp slot has an address range for its local memory. The range that slot 0 has at first:
  static std::uint32_t first_stretch(unsigned sm) { return sm * kMaxWarps; }
  /// Removes the range of the slot from this multiprocessor's caches. Lines with data that only
  /// these caches have are added to `dirty`.
  void give_up_stretch(unsigned warp, std::vector<DirtyLine>& dirty);
  /// Gives the slot another range. Returns its previous range.
  std::uint32_t exchange_stretch(unsigned warp, std::uint32_t stretch) {
    return std::exchange(stretches_[warp], stretch);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A memory instruction that has passes to make or transactions to send.
  struct Queued {
    isa::MemoryAccess::Space space = isa::MemoryAccess::Space::none;
    PathId path = 0;
    bool own = false;  // an access by a client; `code` is its tag
    std::uint32_t code = 0;
    AccessClient* client = nullptr;         // gets the data; nullptr: the path does
    CacheId cache = CacheId::l1;            // target of the transactions
    std::uint32_t passes = 0, latency = 0;  // shared, constant; L1 data in banks: passes only
    std::uint32_t token = 0, sent = 0, transactions = 0;
    Cycle due = kNever;  // low priority: from then on it does not wait for other accesses
    std::array<Transaction, kMostTransactions> transaction;
  };
  /// An access that waits for answers of a cache. Its index is the token of its transactions.
  struct InFlight {
    PathId path = 0;
    CacheId cache = CacheId::l1;
    bool own = false;
    std::uint32_t code = 0;
    std::uint32_t unanswered = 0;
    std::uint32_t next_free = 0;
    AccessClient* client = nullptr;
    Cycle issued = 0;
    std::uint32_t left = kNone;  // entry in StoresLeft, if the warp has exited
  };

  Queued& next_queued(PathId path, std::uint32_t code);
  unsigned queue_shared(Queued& queued, const isa::MemoryAccess& access);
  void queue_constant(Queued& queued, const isa::WarpContext& context);
  void queue_transactions(Queued& queued, const isa::WarpContext& context);
  bool hand_over(InFlight access, Cycle now);
  void coalesce_local(Queued& queued, const isa::WarpContext& context);
  bool goes_to_read_only(const isa::MemoryAccess& access) const;
  /// `now`: the cycle in which a warp issued it; kNever: a unit has sent it, so it does not count
  /// in the latency.
  std::uint32_t start_access(const Queued& queued, Cycle now = kNever);
  void track(std::uint32_t token, const Queued& queued);
  bool answer(std::uint32_t token, Cycle now);
  template <class Completed>
  void run(L1& cache, Cycle now, Completed& completed) {
    cycle(cache, now);
    for (std::uint32_t token; cache.take_completed(now, token);) {
      const std::uint32_t number = access_of(token);
      if (arrivals_ != nullptr) [[unlikely]]
        arrivals_->answered(number, transaction_of(token));
      if (!answer(number, now)) continue;
      const InFlight& ended = in_flight_[number];
      if (ended.left != kNone) {
        stores_left_.remove(ended.left);
        ++stats_.completed;
        continue;
      }
      if (ended.client != nullptr && !hand_over(ended, now)) continue;
      finish(ended.path);
      completed(ended.path, ended.code);
    }
  }
  void cycle(L1& cache, Cycle now) {
    const HostClock::Scope measured(host_clock_, HostUnit::l1);
    cache.cycle(now);
  }
  L1& cache(CacheId id) {
    return id == CacheId::l1 ? l1_ : id == CacheId::read_only ? *read_only_ : constant_l15_;
  }
  const L1& cache(CacheId id) const { return const_cast<LoadStore*>(this)->cache(id); }
  /// A result that comes too late for WarpEvents.
  struct Late {
    Cycle at = 0;
    PathId path = 0;
    std::uint32_t code = 0;
  };
  template <class Completed>
  void finish_late(Cycle now, Completed& completed) {
    for (std::size_t i = 0; i < late_.size();) {
      if (late_[i].at > now) {
        ++i;
        continue;
      }
      const Late ended = late_[i];
      late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(i));
      finish(ended.path);
      completed(ended.path, ended.code);
    }
    note_next_late();
  }
  void note_next_late();
  void result_at(Cycle at, const Queued& queued, Cycle now);
  void send(Cycle now);
  void send_transactions(Queued& first, Cycle now);
  void send_background(Cycle now);
  void pop() {
    first_ = first_ + 1 == capacity_ ? 0 : first_ + 1;
    --queued_;
  }

  const Field<unsigned>& mode_bytes_;  // programs change it between kernels
  unsigned bank_bytes_, shared_latency_, conflict_interval_, conflict_latency_;
  unsigned atomic_latency_, atomic_conflict_latency_, atomic_passes_, swap_delay_;
  bool paired_lanes_, l1_in_banks_, read_only_global_;
  std::vector<Queued> queue_, background_;  // rings
  unsigned capacity_;  // of queue_; kept because queue_.size() costs a division
  unsigned first_ = 0, queued_ = 0;
  unsigned background_first_ = 0, background_queued_ = 0;
  Cycle background_patience_;
  unsigned fence_latency_;
  bool fences_invalidate_;
  Cycle background_due_ = kNever;  // of the first background access
  unsigned posted_ = 0;            // accesses by clients that have not been answered
  Cycle blocked_since_ = kNever;   // its cache cannot take the first queued transaction
  Cycle passes_until_ = 0;         // banks or constant cache are busy: no instruction may start
  std::vector<InFlight> in_flight_;
  std::vector<std::uint32_t> stores_found_;  // tokens; a member to keep its memory
  std::uint32_t free_ = kNone;
  StoresLeft stores_left_;
  Cycle now_ = 0;  // the present or last cycle
  std::array<std::uint32_t, kMaxWarps> outstanding_{};
  std::array<std::uint32_t, std::size_t{kMaxWarps} * kMostPaths> outstanding_of_path_{};
  std::array<std::uint32_t, kMaxWarps> stretches_;  // of local memory
  WarpEvents& events_;
  HostClock& host_clock_;
  LoadStoreStats& stats_;
  Coalescer coalescer_;
  ConstantCache constant_;
  MemoryPort port_;
  L1 l1_;
  std::optional<L1> read_only_;
  std::unique_ptr<L1Watch<std::vector<InFlight>>> watch_;  // nullptr: no listener
  std::unique_ptr<Arrivals> arrivals_;                     // nullptr: no listener
  L1 constant_l15_;
  std::vector<Late> late_;
  Cycle next_late_ = kNever;          // the earliest of late_
  std::vector<unsigned> carve_outs_;  // bytes, ascending; empty: shared memory is not a part of L1
  unsigned l1_way_bytes_, l1_ways_;
  unsigned in_side_caches_ = 0;  // accesses without answer in the read-only and constant caches
};

}  // namespace raddle::machine
