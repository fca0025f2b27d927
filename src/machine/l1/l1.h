// The L1 data cache of a multiprocessor: sectored lines, miss registers, least recent use.
#pragma once

#include "base/latency_queue.h"
#include "machine/cache/miss_registers.h"
#include "machine/cache/tags.h"
#include "machine/interconnect/packet.h"
#include "machine/l1/config.h"
#include "machine/l1/stats.h"

namespace raddle::machine {

/// Takes one transaction a cycle, in order; a transaction that lacks a resource blocks those behind
/// it. Global stores are written through and do not allocate; atomics and uncached loads go past.
/// Every accepted transaction completes exactly once: loads and atomics with their data, stores and
/// reductions when the L2 cache (for write-back local memory: this cache) has them.
class L1 {
 public:
  L1(const L1Config& config, unsigned sm, StatGroup& sm_statistics);

  bool can_accept() const { return input_.can_send(); }
  void accept(const Transaction& transaction, std::uint32_t token, Cycle now) {
    input_.send({transaction, token}, now);
  }
  /// One SM cycle, before anything is accepted in it.
  void cycle(Cycle now);
  /// The token of a transaction that has completed; false when there is none (any more) in `now`.
  bool take_completed(Cycle now, std::uint32_t& token);

  /// The next cycle in which cycle() or take_completed() does anything.
  Cycle wake() const;
  /// Whether nothing is under way.
  bool empty() const {
    return input_.empty() && hits_.empty() && filled_.empty() && stats_.requests == stats_.replies;
  }
  /// Forgets what other multiprocessors may have changed: all but dirty local memory.
  void invalidate() { tags_.drop_clean(); }
  MemoryPort& port() { return port_; }

 private:
  struct Access {
    Transaction transaction;
    std::uint32_t token = 0;
  };

  bool cached(const Transaction& transaction) const;
  bool receive(Cycle now);
  void fill(const Packet& reply, Cycle now);
  void look_up(Cycle now);
  /// Each does what the access asks for and returns nullptr; or does nothing at all, and returns
  /// the counter of what it lacks.
  Counter* perform(const Access& access, Cycle now);
  Counter* load(const Access& access, Cycle now);
  Counter* miss(const Access& access, std::uint32_t slot, Cycle now);
  Counter* store_local(const Access& access, Cycle now);
  Counter* pass(const Access& access, Cycle now);

  Counter* make_room(Address line, unsigned packets, std::uint32_t& slot, Cycle now);
  bool can_request(unsigned packets) const { return port_.requests.free() >= packets; }
  void request(const Packet& packet, Cycle now);
  void hit(std::uint32_t token, Cycle now) { hits_.send_at(token, now + hit_delay_); }

  unsigned sm_;
  unsigned hit_delay_;  // from lookup to completion
  bool cache_global_, cache_read_only_, fetch_line_, write_evicts_, local_write_back_;
  L1Stats stats_;
  Tags tags_;
  MissRegisters<std::uint32_t> misses_;
  LatencyQueue<Access> input_;
  LatencyQueue<std::uint32_t> hits_, filled_;
  MemoryPort port_;
  Counter* blocked_by_ = nullptr;  // what the first access lacks
  Cycle blocked_since_ = 0;
};

}  // namespace raddle::machine
