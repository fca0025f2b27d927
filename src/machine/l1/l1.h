// A first-level cache of a multiprocessor: sectored lines, miss registers, least recently used
// replacement.
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

/// Sectors of a line that only one cache has.
struct DirtyLine {
  Address line = 0;
  SectorMask sectors = 0, whole = 0;  // as in Packet
};

/// The L1 data cache, or a cache for loads only (read-only data, constants), which caches every
/// load. It takes some transactions a cycle, in order. A transaction that lacks a resource blocks
/// the transactions behind it. Stores are written through or stay here (l1.global_stores,
/// l1.local_stores); atomics and uncached loads bypass the cache. Every accepted transaction
/// completes exactly once. Loads and atomics complete with their data; stores and reductions
/// complete when the L2 cache has them, or this cache if the store stays here.
class L1 {
 public:
  L1(const L1Config& config, unsigned sm, MemoryPort& port, StatGroup& sm_statistics);
  /// A cache for loads only. `config` must have at least one set.
  L1(const CacheConfig& config, CacheId id, unsigned sm, MemoryPort& port,
     StatGroup& sm_statistics);

  /// Transactions that it takes in a cycle.
  unsigned lookups() const { return lookups_; }
  bool can_accept() const { return input_.can_send(); }
  void accept(const Transaction& transaction, std::uint32_t token, Cycle now) {
    input_.send({transaction, token}, now);
  }
  /// Whether a transaction that bypasses the cache could pass it without waiting.
  bool quiet() const { return input_.empty() && can_request(2); }
  /// Runs one SM cycle. Call it before anything is accepted in that cycle.
  void cycle(Cycle now);
  /// Gives the token of the next transaction that has completed by `now`. Returns false when there
  /// is none.
  bool take_completed(Cycle now, std::uint32_t& token);

  /// The next cycle in which cycle() or take_completed() has work.
  Cycle wake() const {
    Cycle wake = std::min({hits_.ready_at(), filled_.ready_at(), port_.replies.ready_at()});
    if (can_request(1)) wake = std::min(wake, partial_stores_.ready_at());
    if (input_.empty() || waits_for_others()) return wake;
    return std::min(wake, std::max(input_.ready_at(), next_lookup_));
  }
  /// Whether no transaction is under way.
  bool empty() const;
  /// Is told about accesses, by their tokens.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    /// A load was looked up. `hits`: the sectors that were valid; `misses`: the others.
    virtual void looked_up(std::uint32_t token, Address line, SectorMask hits, SectorMask misses,
                           Cycle now) = 0;
    /// A slot of the tags gets the access's line. `evicted`: the line that had valid sectors in the
    /// slot, or nullptr.
    virtual void assigned(std::uint32_t token, std::uint32_t slot, const Address* evicted,
                          Cycle now) = 0;
    /// The same for a line of a block's state, which no access has requested.
    virtual void displaced(std::uint32_t slot, const Address* evicted, Cycle now) = 0;
  };
  void watch(Watcher& watcher) { watcher_ = &watcher; }
  /// The number of slots of the tags.
  std::uint32_t slots() const { return tags_.slots(); }
  /// Drops data that other multiprocessors may have changed: everything except dirty local memory.
  void invalidate() { tags_.drop_clean(); }
  /// Drops everything. Dirty lines count as written back.
  void flush() { tags_.drop_all(); }
  /// Drops the lines [first, end) of local memory. Sectors that only this cache has are added to
  /// `dirty`. So are all dirty lines of global memory, if the cache keeps such lines.
  void give_up(Address first, Address end, std::vector<DirtyLine>& dirty);
  /// A packet for a block's state, on its way to the L2 cache, gets a slot here if one is free at
  /// once (StatePath::cached). Returns true if it loads sectors that are all here; then it need not
  /// be sent.
  bool take_state(const Packet& packet, Cycle now);
  /// Uses only the first `ways` of each set from this call on. The other ways must have no dirty
  /// line.
  void use_ways(unsigned ways) { tags_.use_ways(ways); }

 private:
  /// How the cache handles each kind of access.
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
  /// Each of these functions either handles the access completely and returns nullptr, or does
  /// nothing and returns the stall counter of the resource that is missing.
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
  /// While only a reply or room in the network can end a block, lookups are not repeated.
  bool waits_for_others() const {
    return blocked_by_ != nullptr && (!blocked_by_network_ || !can_request(1));
  }
  bool can_request(unsigned packets) const { return port_.requests.free() >= packets; }
  void request(const Packet& packet, Cycle now);
  void hit(std::uint32_t token, Cycle now) { hits_.send_at(token, now + hit_delay_); }

  CacheId id_;
  unsigned sm_;
  unsigned hit_delay_;  // from lookup to completion, SM cycles
  unsigned lookups_, lookup_interval_;
  bool fetch_line_;
  Policy policy_;
  L1Stats& stats_;
  Tags tags_;
  MissRegisters<std::uint32_t> misses_;
  LatencyQueue<Access> input_;
  LatencyQueue<std::uint32_t> hits_, filled_;
  LatencyQueue<Packet> partial_stores_;  // stores that wait to be sent, one for each line
  MemoryPort& port_;
  Cycle next_lookup_ = 0;
  Watcher* watcher_ = nullptr;
  Counter* blocked_by_ = nullptr;  // the missing resource of the first access
  bool blocked_by_network_ = false;
  Cycle blocked_since_ = 0;
};

}  // namespace raddle::machine
