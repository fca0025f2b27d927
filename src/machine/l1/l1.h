// A first-level cache of a multiprocessor: sectored lines, miss registers, least recent use.
#pragma once

#include <algorithm>
#include <vector>

#include "base/latency_queue.h"
#include "machine/cache/miss_registers.h"
#include "machine/cache/tags.h"
#include "machine/interconnect/packet.h"

namespace raddle {
class Counter;
class StatGroup;
}  // namespace raddle

namespace raddle::machine {

struct CacheConfig;  // cache/config.h
struct L1Config;     // l1/config.h
struct L1Stats;      // l1/stats.h

/// What only a cache knows of a line.
struct DirtyLine {
  Address line = 0;
  SectorMask sectors = 0, whole = 0;  // as in Packet
};

/// The L1 data cache; or one that only loads use (read-only data, constants), and then every load.
/// Takes some transactions a cycle, in order; one that lacks a resource blocks those behind it.
/// Stores are written through or stay here (l1.global_stores, l1.local_stores); atomics and
/// uncached loads go past. Every accepted transaction completes exactly once: loads and atomics
/// with their data, stores and reductions when the L2 cache (where stores stay here: this cache)
/// has them.
class L1 {
 public:
  L1(const L1Config& config, unsigned sm, MemoryPort& port, StatGroup& sm_statistics);
  /// A cache of loads alone; `config` has at least one set.
  L1(const CacheConfig& config, CacheId id, unsigned sm, MemoryPort& port,
     StatGroup& sm_statistics);

  /// Transactions that it takes a cycle.
  unsigned lookups() const { return lookups_; }
  bool can_accept() const { return input_.can_send(); }
  void accept(const Transaction& transaction, std::uint32_t token, Cycle now) {
    input_.send({transaction, token}, now);
  }
  /// Whether a transaction that bypasses the cache would go through it without waiting.
  bool quiet() const { return input_.empty() && can_request(2); }
  /// One SM cycle, before anything is accepted in it.
  void cycle(Cycle now);
  /// The token of a transaction that has completed; false when there is none (any more) in `now`.
  bool take_completed(Cycle now, std::uint32_t& token);

  /// The next cycle in which cycle() or take_completed() does anything.
  Cycle wake() const {
    Cycle wake = std::min({hits_.ready_at(), filled_.ready_at(), port_.replies.ready_at()});
    if (can_request(1)) wake = std::min(wake, partial_stores_.ready_at());
    if (input_.empty() || waits_for_others()) return wake;
    return std::min(wake, std::max(input_.ready_at(), next_lookup_));
  }
  /// Whether nothing is under way.
  bool empty() const;
  /// Is told what becomes of accesses, by their tokens.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    /// A load was looked up: the sectors that were there, and those that were not.
    virtual void looked_up(std::uint32_t token, Address line, SectorMask hits, SectorMask misses,
                           Cycle now) = 0;
    /// A slot of the tags has the access's line from now on; `evicted`: the line of which it had
    /// sectors, or nullptr.
    virtual void assigned(std::uint32_t token, std::uint32_t slot, const Address* evicted,
                          Cycle now) = 0;
    /// The same for a line of a block's state, which nobody's access has brought.
    virtual void displaced(std::uint32_t slot, const Address* evicted, Cycle now) = 0;
  };
  void watch(Watcher& watcher) { watcher_ = &watcher; }
  /// Of its tags.
  std::uint32_t slots() const { return tags_.slots(); }
  /// Forgets what other multiprocessors may have changed: all but dirty local memory.
  void invalidate() { tags_.drop_clean(); }
  /// Forgets everything; dirty lines count as written back.
  void flush() { tags_.drop_all(); }
  /// Gives up the lines [first, end) of local memory; those that only this cache knows become part of
  /// `dirty`, and so do all lines of global memory where these are written back.
  void give_up(Address first, Address end, std::vector<DirtyLine>& dirty);
  /// A packet for a block's state, on its way to the L2 cache, takes its line here (StatePath::cached),
  /// if one can be had at once. True: it loads sectors that are all here, and need not be sent.
  bool take_state(const Packet& packet, Cycle now);
  /// Uses only the first `ways` of each set from now on; no line of the others is dirty.
  void use_ways(unsigned ways) { tags_.use_ways(ways); }

 private:
  /// What the cache does with each kind of access.
  struct Policy {
    bool cache_global = true, cache_requested = true, cache_read_only = true;
    bool evicts = false, allocates = false, global_back = false, local_back = false;  // stores
  };
  L1(const CacheConfig& config, const Policy& policy, CacheId id, unsigned sm, MemoryPort& port,
     StatGroup& sm_statistics);
  static Policy policy_of(const L1Config& config);

  struct Access {
    Transaction transaction;
    std::uint32_t token = 0;
  };

  bool cached(const Transaction& transaction) const;
  bool receive(Cycle now);
  bool look_up(Cycle now);
  void fill(const Packet& reply, Cycle now);
  /// Each does what the access asks for and returns nullptr; or does nothing at all, and returns
  /// the counter of what it lacks.
  Counter* perform(const Access& access, Cycle now);
  Counter* load(const Access& access, Cycle now);
  Counter* miss(const Access& access, std::uint32_t slot, Cycle now);
  bool stays(const Transaction& transaction) const;
  Counter* store_here(const Access& access, Cycle now);
  Counter* hold(const Access& access, Cycle now);
  void send_partial_store(Cycle now);
  bool is_held(const Transaction& transaction) const;
  static Packet packet_of(const Access& access);
  Counter* pass(const Access& access, Cycle now);
  SectorMask dirty_here(const Transaction& transaction) const;
  void write_back(std::uint32_t slot, SectorMask sectors, Cycle now);
  void write(const Access& access, Cycle now);
  std::uint32_t clean_slot(const Access& access, Cycle now);

  Counter* make_room(const Access& access, unsigned packets, std::uint32_t& slot, Cycle now);
  void assign(std::uint32_t slot, const Access& access, Cycle now);
  /// What only a reply can free, or the network, is not looked for before.
  bool waits_for_others() const {
    return blocked_by_ != nullptr && (!blocked_by_network_ || !can_request(1));
  }
  bool can_request(unsigned packets) const { return port_.requests.free() >= packets; }
  void request(const Packet& packet, Cycle now);
  void hit(std::uint32_t token, Cycle now) { hits_.send_at(token, now + hit_delay_); }

  CacheId id_;
  unsigned sm_;
  unsigned hit_delay_;  // from lookup to completion
  unsigned lookups_, lookup_interval_;
  bool fetch_line_;
  Policy policy_;
  L1Stats& stats_;
  Tags tags_;
  MissRegisters<std::uint32_t> misses_;
  LatencyQueue<Access> input_;
  LatencyQueue<std::uint32_t> hits_, filled_;
  LatencyQueue<Packet> partial_stores_;  // until they are sent, one a line
  MemoryPort& port_;
  Cycle next_lookup_ = 0;
  Watcher* watcher_ = nullptr;
  Counter* blocked_by_ = nullptr;  // what the first access lacks
  bool blocked_by_network_ = false;
  Cycle blocked_since_ = 0;
};

}  // namespace raddle::machine
