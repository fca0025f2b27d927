#include "machine/l1/l1.h"

#include <algorithm>

#include "machine/l1/config.h"
#include "machine/l1/stats.h"
#include "memory/address_space.h"

namespace raddle::machine {
namespace {

/// A load's latency counts from issue to issue. One cycle passes before accept(), and one before
/// the lookup.
constexpr unsigned kCyclesBeforeLookup = 2;

constexpr const char* kStatNames[] = {"l1", "read_only", "constant_l15"};  // by CacheId

}  // namespace

L1::L1(const L1Config& config, unsigned sm, MemoryPort& port, StatGroup& sm_statistics)
    : L1(config, policy_of(config), CacheId::l1, sm, port, sm_statistics) {
  partial_stores_ = {config.store_lines, config.store_patience};
}

L1::L1(const CacheConfig& config, CacheId id, unsigned sm, MemoryPort& port,
       StatGroup& sm_statistics)
    : L1(config, Policy{}, id, sm, port, sm_statistics) {}

L1::L1(const CacheConfig& config, const Policy& policy, CacheId id, unsigned sm, MemoryPort& port,
       StatGroup& sm_statistics)
    : id_(id),
      sm_(sm),
      hit_delay_(config.latency - kCyclesBeforeLookup),
      lookups_(config.lookups),
      lookup_interval_(config.lookup_interval),
      fetch_line_(config.fetch_line),
      policy_(policy),
      stats_(sm_statistics.unit<L1Stats>(kStatNames[static_cast<unsigned>(id)])),
      tags_(config.sets, config.ways),
      misses_(config.miss_registers, config.miss_merges),
      input_(config.input_queue, 1),
      hits_(config.latency * config.lookups + 1, 1),
      filled_(2 * config.miss_merges, 1),
      partial_stores_(0, 1),
      port_(port) {}

L1::Policy L1::policy_of(const L1Config& config) {
  return {.cache_global = config.cache_global,
          .cache_requested = config.cache_requested,
          .cache_read_only = config.cache_read_only,
          .evicts = config.global_stores == "evict",
          .allocates = config.global_stores == "allocate",
          .global_back = config.global_stores == "back",
          .local_back = config.local_stores == "back"};
}

void L1::cycle(Cycle now) {
  const bool received = receive(now);
  if (partial_stores_.can_receive(now) && can_request(1)) send_partial_store(now);
  // Without a reply, only room in the network's queue can end the block.
  if (blocked_by_network_ && !received && !can_request(1)) return;
  if (now < next_lookup_) return;
  for (unsigned n = 0; n < lookups_ && look_up(now); ++n) next_lookup_ = now + lookup_interval_;
}

bool L1::take_completed(Cycle now, std::uint32_t& token) {
  if (hits_.can_receive(now)) {
    token = hits_.receive();
  } else if (filled_.can_receive(now)) {
    token = filled_.receive();
  } else {
    return false;
  }
  return true;
}

bool L1::empty() const {
  return input_.empty() && hits_.empty() && filled_.empty() && partial_stores_.empty() &&
         stats_.requests == stats_.replies;
}

/// Takes one reply per cycle, if there is room for the tokens of all accesses that may wait for it.
bool L1::receive(Cycle now) {
  if (!port_.replies.can_receive(now) || port_.replies.front().cache != id_ ||
      filled_.free() < misses_.most_waiters()) {
    return false;
  }
  const Packet reply = port_.replies.receive();
  ++stats_.replies;
  switch (reply.reply) {
    case Packet::Reply::complete:
      filled_.send_at(reply.token, now);
      break;
    case Packet::Reply::fill:
      fill(reply, now);
      break;
    case Packet::Reply::none:
      break;
  }
  return true;
}

void L1::fill(const Packet& reply, Cycle now) {
  Tags::Line& line = tags_[misses_.slot(reply.token)];
  line.valid |= reply.sectors;
  auto complete = [&](std::uint32_t token) { filled_.send_at(token, now); };
  if (!misses_.fill(reply.token, reply.sectors, complete)) return;
  line.miss = Tags::kNoMiss;
  stats_.miss_registers_peak.set(misses_.taken());
}

/// Returns true when the first transaction is done.
bool L1::look_up(Cycle now) {
  if (!input_.can_receive(now) || !hits_.can_send()) return false;
  Counter* lacks = perform(input_.front(), now);
  if (lacks != blocked_by_) {
    if (blocked_by_ != nullptr) *blocked_by_ += now - blocked_since_;
    blocked_by_ = lacks;
    blocked_by_network_ = lacks == &stats_.stall_network;
    blocked_since_ = now;
  }
  if (lacks != nullptr) return false;
  input_.receive();
  return true;
}

bool L1::cached(const Transaction& transaction) const {
  if (transaction.bypass_l1) return false;
  return policy_.cache_global || transaction.local ||
         (transaction.requested && policy_.cache_requested) ||
         (transaction.read_only && policy_.cache_read_only);
}

Counter* L1::perform(const Access& access, Cycle now) {
  const Transaction& transaction = access.transaction;
  const bool store = transaction.type == AccessType::store;
  if (store && stays(transaction)) return store_here(access, now);
  const bool load = !store && !is_atomic(transaction.type);
  return load && cached(transaction) ? this->load(access, now) : pass(access, now);
}

Counter* L1::load(const Access& access, Cycle now) {
  const SectorMask sectors = access.transaction.sectors;
  const std::uint32_t slot = tags_.find(access.transaction.line);
  const SectorMask present = slot == Tags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  if ((sectors & ~present) != 0) {
    if (Counter* lacks = miss(access, slot, now)) return lacks;
  } else {
    tags_.use(slot);
    hit(access.token, now);
  }
  stats_.hits += count(sectors & present);
  stats_.misses += count(static_cast<SectorMask>(sectors & ~present));
  if (watcher_ != nullptr) [[unlikely]] {
    watcher_->looked_up(access.token, access.transaction.line,
                        static_cast<SectorMask>(sectors & present),
                        static_cast<SectorMask>(sectors & ~present), now);
  }
  return nullptr;
}

/// Handles a miss. The line is in `slot` without some sectors, or in no slot (kNoSlot).
Counter* L1::miss(const Access& access, std::uint32_t slot, Cycle now) {
  const SectorMask asked = access.transaction.sectors;
  std::uint32_t id = slot == Tags::kNoSlot ? Tags::kNoMiss : tags_[slot].miss;
  if (id == Tags::kNoMiss && misses_.full()) return &stats_.stall_registers;
  if (id != Tags::kNoMiss && !misses_.can_wait(id)) return &stats_.stall_merges;
  const SectorMask present = slot == Tags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  const SectorMask pending = id == Tags::kNoMiss ? SectorMask{0} : misses_.pending(id);
  const auto wanted = static_cast<SectorMask>((fetch_line_ ? kWholeLine : asked) & ~present);
  const auto fetched = static_cast<SectorMask>(wanted & ~pending);
  if (slot == Tags::kNoSlot) {
    if (Counter* lacks = make_room(access, 1, slot, now)) return lacks;
  } else if (fetched != 0 && !can_request(1)) {
    return &stats_.stall_network;
  }
  if (id == Tags::kNoMiss) {
    id = tags_[slot].miss = misses_.allocate(slot);
    stats_.took_miss_register(misses_.taken());
  }
  tags_.use(slot);
  misses_.expect(id, fetched);
  misses_.wait(id, access.token, static_cast<SectorMask>(asked & ~present));
  stats_.merged += count(static_cast<SectorMask>(asked & pending));
  if (fetched != 0) {
    request({.line = access.transaction.line,
             .token = id,
             .sectors = fetched,
             .reply = Packet::Reply::fill},
            now);
  }
  return nullptr;
}

/// Finds a slot for the access's line, which has none, and writes back the line that was in the
/// slot. Leaves room for `packets` more packets.
Counter* L1::make_room(const Access& access, unsigned packets, std::uint32_t& slot, Cycle now) {
  const std::uint32_t victim = tags_.victim(access.transaction.line);
  if (victim == Tags::kNoSlot) return &stats_.stall_set;
  const SectorMask dirty = tags_[victim].dirty;
  if (!can_request(packets + (dirty != 0))) return &stats_.stall_network;
  if (dirty != 0) {
    write_back(victim, dirty, now);
  }
  assign(victim, access, now);
  slot = victim;
  return nullptr;
}

void L1::assign(std::uint32_t slot, const Access& access, Cycle now) {
  if (watcher_ != nullptr) [[unlikely]] {
    const Address before = tags_.line(slot);
    watcher_->assigned(access.token, slot, tags_[slot].valid != 0 ? &before : nullptr, now);
  }
  tags_.assign(slot, access.transaction.line);
}

/// Sends sectors that only this cache has. No access waits for the write.
void L1::write_back(std::uint32_t slot, SectorMask sectors, Cycle now) {
  Tags::Line& line = tags_[slot];
  stats_.written_back += count(sectors);
  line.dirty &= static_cast<SectorMask>(~sectors);
  request({.line = tags_.line(slot),
           .sectors = sectors,
           .whole = static_cast<SectorMask>(sectors & line.valid),
           .type = AccessType::store,
           .reply = Packet::Reply::none},
          now);
}

void L1::give_up(Address first, Address end, std::vector<DirtyLine>& dirty) {
  const auto take = [&](Address line, SectorMask sectors, SectorMask valid) {
    dirty.push_back({line, sectors, static_cast<SectorMask>(sectors & valid)});
  };
  tags_.drop(first, end, take);
  if (policy_.global_back) tags_.clean(memory::kLocalWindow, take);
}

bool L1::take_state(const Packet& packet, Cycle now) {
  std::uint32_t slot = tags_.find(packet.line);
  const bool load = packet.type == AccessType::load;
  if (slot != Tags::kNoSlot) {
    tags_.use(slot);
    if (load && (packet.sectors & ~tags_[slot].valid) == 0) return true;
  } else {
    slot = tags_.victim(packet.line);
    if (slot == Tags::kNoSlot) return false;
    const SectorMask dirty = tags_[slot].dirty;
    if (dirty != 0) {
      if (!can_request(2)) return false;  // the packet itself is sent, too
      write_back(slot, dirty, now);
    }
    if (watcher_ != nullptr) [[unlikely]] {
      const Address before = tags_.line(slot);
      watcher_->displaced(slot, tags_[slot].valid != 0 ? &before : nullptr, now);
    }
    tags_.assign(slot, packet.line);
    tags_.use(slot);
  }
  tags_[slot].valid |= packet.sectors;
  return false;
}

bool L1::stays(const Transaction& transaction) const {
  if (transaction.bypass_l1) return false;
  return transaction.local ? policy_.local_back : policy_.global_back;
}

/// A warp writes local memory in whole words of all threads, so a sector of local memory is valid
/// after a store to it. In other sectors some bytes may be unknown, so a load of them misses.
Counter* L1::store_here(const Access& access, Cycle now) {
  const Transaction& transaction = access.transaction;
  std::uint32_t slot = tags_.find(transaction.line);
  if (slot == Tags::kNoSlot) {
    if (Counter* lacks = make_room(access, 0, slot, now)) return lacks;
  }
  tags_.use(slot);
  tags_[slot].valid |= transaction.local ? transaction.sectors : transaction.whole;
  tags_[slot].dirty |= transaction.sectors;
  stats_.stores += count(transaction.sectors);
  hit(access.token, now);
  return nullptr;
}

/// A store to parts of sectors waits for other stores to its line. Returns nullptr when the store
/// has been taken. A store that joins an earlier one is done at once.
Counter* L1::hold(const Access& access, Cycle now) {
  const Transaction& transaction = access.transaction;
  const auto to_its_line = [&](const Packet& one) { return one.line == transaction.line; };
  if (Packet* earlier = partial_stores_.newest(to_its_line)) {
    earlier->sectors |= transaction.sectors;
    earlier->whole |= transaction.whole;
    hit(access.token, now);
  } else {
    if (!partial_stores_.can_send()) {
      if (!can_request(1)) return &stats_.stall_network;
      send_partial_store(now);
    }
    partial_stores_.send(packet_of(access), now);
  }
  write(access, now);
  stats_.stores += count(transaction.sectors);
  return nullptr;
}

void L1::send_partial_store(Cycle now) { request(partial_stores_.receive(), now); }

/// Whether the store writes parts of sectors and may wait for other stores.
bool L1::is_held(const Transaction& transaction) const {
  return partial_stores_.free() + partial_stores_.size() != 0 &&
         transaction.type == AccessType::store && !transaction.bypass_l1 &&
         transaction.whole != transaction.sectors;
}

Packet L1::packet_of(const Access& access) {
  const Transaction& transaction = access.transaction;
  return {.line = transaction.line,
          .token = access.token,
          .sectors = transaction.sectors,
          .whole = transaction.whole,
          .type = transaction.type,
          .operations = transaction.operations,
          .contention = transaction.contention,
          .passes = transaction.passes,
          .wide_passes = transaction.wide_passes};
}

/// Handles uncached loads, written-through stores and atomics.
Counter* L1::pass(const Access& access, Cycle now) {
  const Transaction& transaction = access.transaction;
  if (is_held(transaction)) return hold(access, now);
  const SectorMask dirty = dirty_here(transaction);
  if (!can_request(1 + (dirty != 0))) return &stats_.stall_network;
  if (dirty != 0) write_back(tags_.find(transaction.line), dirty, now);
  const bool store = transaction.type == AccessType::store;
  write(access, now);
  if (store) {
    stats_.stores += count(transaction.sectors);
  } else if (is_atomic(transaction.type)) {
    stats_.atomics += transaction.operations;
  } else {
    stats_.uncached += count(transaction.sectors);
  }
  request(packet_of(access), now);
  return nullptr;
}

/// The sectors of an access which bypasses the cache that are dirty here, so that the L2 cache does
/// not have their data.
SectorMask L1::dirty_here(const Transaction& transaction) const {
  if (!policy_.global_back || transaction.local) return 0;
  const std::uint32_t slot = tags_.find(transaction.line);
  if (slot == Tags::kNoSlot) return 0;
  return static_cast<SectorMask>(tags_[slot].dirty & transaction.sectors);
}

/// Updates the cached line for a store or an atomic that goes to the L2 cache.
void L1::write(const Access& access, Cycle now) {
  const Transaction& transaction = access.transaction;
  const bool store = transaction.type == AccessType::store;
  if (!store && !is_atomic(transaction.type)) return;
  std::uint32_t slot = tags_.find(transaction.line);
  if (store && !policy_.evicts) {
    if (!policy_.allocates || transaction.whole == 0) return;
    if (slot == Tags::kNoSlot) slot = clean_slot(access, now);
    if (slot != Tags::kNoSlot) tags_[slot].valid |= transaction.whole;
  } else if (slot != Tags::kNoSlot) {
    Tags::Line& line = tags_[slot];
    line.valid &= static_cast<SectorMask>(~transaction.sectors | line.dirty);
  }
}

/// A slot for the access's line that needs no write-back; kNoSlot if there is none.
std::uint32_t L1::clean_slot(const Access& access, Cycle now) {
  const std::uint32_t victim = tags_.victim(access.transaction.line);
  if (victim == Tags::kNoSlot || tags_[victim].dirty != 0) return Tags::kNoSlot;
  assign(victim, access, now);
  return victim;
}

void L1::request(const Packet& packet, Cycle now) {
  Packet sent = packet;
  sent.sm = static_cast<std::uint16_t>(sm_);
  sent.cache = id_;
  ++stats_.requests;
  port_.requests.send(sent, now);
}

}  // namespace raddle::machine
