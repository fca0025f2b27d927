#include "machine/l2/l2_slice.h"

#include <algorithm>

namespace raddle::machine {

L2Slice::L2Slice(const L2Config& config, ClockRatio clock, unsigned input_capacity,
                 std::uint32_t slice, const AddressMap& map, DramChannel& channel,
                 StatGroup& parent)
    : clock_(clock),
      slice_(slice),
      map_(map),
      channel_(channel),
      latency_(config.latency),
      port_bytes_(config.port_bytes),
      ways_(config.ways),
      dirty_ways_(config.dirty_ways),
      fetch_sectors_(config.fetch_sectors),
      fetches_partial_(config.partial_stores == "fetch"),
      atomic_latency_(config.atomic_latency),
      atomics_(config),
      stats_(parent.unit<L2Stats>("l2", slice)),
      tags_(config.sets, config.ways),
      misses_(config.miss_registers * config.halves, config.miss_merges),
      registers_(config.miss_registers),
      halved_(config.halves == 2u),
      input_(input_capacity, 1),
      // It also holds the packets inside the slice: one per cycle of its latency.
      output_(config.output_queue + config.latency + config.atomic_latency + config.miss_merges, 1),
      fills_(config.miss_registers * kSectors, 1),
      link_{{halved_ ? config.output_queue : 0u, 1},
            {halved_ ? config.output_queue + config.atomic_latency + config.miss_merges : 0u, 1},
            {halved_ ? input_capacity : 0u, 1},
            {halved_ ? input_capacity : 0u, 1}},
      from_sms_{input_},
      from_partner_{link_.partner_requests} {}

void L2Slice::cycle(Cycle now) {
  const Cycle end = clock_.first_tick(now + 1);
  for (tick_ = clock_.first_tick(now); tick_ < end; ++tick_) {
    take_fill(now);
    if (!halved_) {
      take_packet(from_sms_, now);
      continue;
    }
    take_fetched(now);
    Intake& first = partner_first_ ? from_partner_ : from_sms_;
    Intake& second = partner_first_ ? from_sms_ : from_partner_;
    if (take_packet(first, now)) {
      partner_first_ = !partner_first_;
    } else {
      take_packet(second, now);
    }
  }
}

Cycle L2Slice::wake() const {
  const Cycle wake_up = std::min(fills_.ready_at(), wake(from_sms_));
  return halved_ ? std::min({wake_up, link_.fetched.ready_at(), wake(from_partner_)}) : wake_up;
}

Cycle L2Slice::wake(const Intake& intake) const {
  const Counter* const lacks = intake.blocked_by;
  const bool waits_for_fill = lacks == &stats_.stall_registers || lacks == &stats_.stall_merges ||
                              lacks == &stats_.stall_set;
  const bool waits_for_channel = lacks == &stats_.stall_dram && !channel_.can_send(1);
  const bool waits = (waits_for_fill || waits_for_channel) && !intake.filled;
  if (waits || intake.queue.empty()) return kNever;
  return std::max(intake.queue.ready_at(), clock_.cycle_of(port_free_));
}

/// Takes one fill per cycle, if there is room for the answers to all packets that may wait for it.
void L2Slice::take_fill(Cycle now) {
  if (!fills_.can_receive(now) || output_.free() < misses_.most_waiters()) return;
  if (halved_ && link_.replies.free() < misses_.most_waiters()) return;
  const DramFill fill = fills_.receive();
  if (fill.id >= kPast) [[unlikely]]
    return passed(fill, now);
  Tags::Line& line = tags_[misses_.slot(fill.id)];
  filled(fill.id, fill.sectors, [&](const Packet& packet) {
    if (is_atomic(packet.type)) line.dirty |= packet.sectors;
    answer(packet, now);
  });
}

bool L2Slice::take_packet(Intake& from, Cycle now) {
  if (!from.queue.can_receive(now) || port_free_ > tick_) return false;
  // Without a fill since the last try, only room in the channel's queue can end the block.
  if (from.blocked_by == &stats_.stall_dram && !from.filled && !channel_.can_send(1)) return false;
  from.filled = false;
  const Packet& packet = from.queue.front();
  const bool answerable = &from == &from_sms_ ? output_.can_send() : link_.replies.can_send();
  Counter* lacks = answerable ? perform(packet, now) : &stats_.stall_output;
  if (lacks != from.blocked_by) {
    if (from.blocked_by != nullptr) *from.blocked_by += now - from.blocked_since;
    from.blocked_by = lacks;
    from.blocked_since = now;
  }
  if (lacks != nullptr) return false;
  if (&from == &from_sms_) {
    stats_.queue.add(from.queue.size());
    ++stats_.requests;
  }
  from.queue.receive();
  return true;
}

Counter* L2Slice::perform(const Packet& packet, Cycle now) {
  if (halved_) [[unlikely]]  // no way past it
    return is_home(packet) ? perform_for_both(packet, now) : perform_on_copy(packet, now);
  if (packet.past_l2 && tags_.find(map_.in_slice(packet.line)) == Tags::kNoSlot) [[unlikely]]
    return pass(packet, now);
  return perform_at_home(packet, now);
}

Counter* L2Slice::perform_at_home(const Packet& packet, Cycle now) {
  return packet.type == AccessType::store ? store(packet, now) : read(packet, now);
}

/// Performs a packet that bypasses the cache. A load takes a miss register of its own.
Counter* L2Slice::pass(const Packet& packet, Cycle now) {
  if (!channel_.can_send(1)) return &stats_.stall_dram;
  const Address line = map_.in_slice(packet.line);
  if (packet.type == AccessType::store) {
    send_to_dram(line, packet.sectors, true, 0, now);
    occupy(transfer_ticks(packet.sectors));
    answer(packet, now);
    return nullptr;
  }
  if (misses_.taken() - fetching_ + passing_loads_ >= registers_) return &stats_.stall_registers;
  const auto is_free = [](const Passing& one) { return one.missing == 0; };
  auto place = std::find_if(passing_.begin(), passing_.end(), is_free);
  if (place == passing_.end()) place = passing_.insert(place, {packet, 0});
  *place = {packet, packet.sectors};
  ++passing_loads_;
  send_to_dram(line, packet.sectors, false,
               kPast + static_cast<std::uint32_t>(place - passing_.begin()), now);
  occupy(1);
  return nullptr;
}

void L2Slice::passed(const DramFill& fill, Cycle now) {
  Passing& load = passing_[fill.id - kPast];
  load.missing &= static_cast<SectorMask>(~fill.sectors);
  if (load.missing != 0) return;
  --passing_loads_;
  from_sms_.filled = from_partner_.filled = true;
  answer(load.packet, now);
}

/// Performs loads and atomics. Atomics need the old value.
Counter* L2Slice::read(const Packet& packet, Cycle now) {
  const Address line = map_.in_slice(packet.line);
  const std::uint32_t slot = tags_.find(line);
  const SectorMask present = slot == Tags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  const auto missing = static_cast<SectorMask>(packet.sectors & ~present);
  if (missing != 0) {
    if (Counter* lacks = miss(packet, missing, line, slot, now)) return lacks;
    occupy(1);
  } else {
    tags_.use(slot);
    if (is_atomic(packet.type)) {
      tags_[slot].dirty |= packet.sectors;
    } else {
      occupy(transfer_ticks(packet.sectors));
    }
    answer(packet, now);
  }
  if (is_partners(packet)) {
    if (!is_atomic(packet.type)) stats_.far_misses += count(missing);
  } else {
    stats_.hits += count(packet.sectors & present);
    stats_.misses += count(missing);
    if (loads_data(packet)) stats_.loads += count(packet.sectors);
  }
  if (is_atomic(packet.type)) stats_.atomics += packet.operations;
  return nullptr;
}

/// The sectors that one DRAM fetch brings, if `sectors` are missing.
SectorMask L2Slice::together(SectorMask sectors) const {
  unsigned all = sectors;
  if (fetch_sectors_ >= 2) all |= (all & 0b0101u) << 1 | (all & 0b1010u) >> 1;
  if (fetch_sectors_ == 4 && all != 0) all = kWholeLine;
  return static_cast<SectorMask>(all);
}

/// Handles a miss: the packet waits for sectors that are not in `slot`, or for a line in no slot.
Counter* L2Slice::miss(const Packet& packet, SectorMask missing, Address line, std::uint32_t slot,
                       Cycle now) {
  std::uint32_t id = slot == Tags::kNoSlot ? Tags::kNoMiss : tags_[slot].miss;
  if (id == Tags::kNoMiss && misses_.taken() - fetching_ + passing_loads_ >= registers_)
    return &stats_.stall_registers;
  if (id != Tags::kNoMiss && !misses_.can_wait(id)) return &stats_.stall_merges;
  const SectorMask pending = id == Tags::kNoMiss ? SectorMask{0} : misses_.pending(id);
  const auto asked = static_cast<SectorMask>(missing & ~pending);
  const SectorMask valid = slot == Tags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  const auto fetched = static_cast<SectorMask>(together(asked) & ~(pending | valid));
  if (slot == Tags::kNoSlot) {
    if (Counter* lacks = make_room(line, 1, slot, now)) return lacks;
  } else if (fetched != 0 && !channel_.can_send(1)) {
    return &stats_.stall_dram;
  }
  id = await(packet, missing, fetched, slot);
  if (!is_partners(packet)) stats_.merged += count(static_cast<SectorMask>(missing & pending));
  if (loads_data(packet)) stats_.load_misses += count(asked);
  if (fetched != 0) send_to_dram(line, fetched, false, id, now);
  return nullptr;
}

/// Makes the packet wait for the missing sectors of its line's slot. `fetched` are the sectors
/// whose fetch starts at the same time. Returns the miss register.
std::uint32_t L2Slice::await(const Packet& packet, SectorMask missing, SectorMask fetched,
                             std::uint32_t slot) {
  if (tags_[slot].miss == Tags::kNoMiss) {
    tags_[slot].miss = misses_.allocate(slot);
    stats_.took_miss_register(misses_.taken());
  }
  const std::uint32_t id = tags_[slot].miss;
  tags_.use(slot);
  misses_.expect(id, fetched);
  misses_.wait(id, packet, missing);
  return id;
}

Counter* L2Slice::store(const Packet& packet, Cycle now) {
  const Address line = map_.in_slice(packet.line);
  std::uint32_t slot = tags_.find(line);
  const SectorMask present = slot == Tags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  const auto unknown = static_cast<SectorMask>(packet.sectors & ~(packet.whole | present));
  if (fetches_partial_ && unknown != 0) return store_and_fetch(packet, unknown, now);
  if (dirty_ways_ != 0 && (slot == Tags::kNoSlot || tags_[slot].dirty == 0)) {
    if (Counter* lacks = make_clean(line, now)) return lacks;
  }
  if (slot == Tags::kNoSlot) {
    if (Counter* lacks = make_room(line, 0, slot, now)) return lacks;
  }
  tags_.use(slot);
  tags_[slot].valid |= packet.whole;
  tags_[slot].dirty |= packet.sectors;
  stats_.stores += count(packet.sectors);
  occupy(transfer_ticks(packet.sectors));
  answer(packet, now);
  return nullptr;
}

Counter* L2Slice::store_and_fetch(const Packet& packet, SectorMask missing, Cycle now) {
  const Address line = map_.in_slice(packet.line);
  if (Counter* lacks = miss(packet, missing, line, tags_.find(line), now)) return lacks;
  Tags::Line& stored = tags_[tags_.find(line)];
  stored.valid |= packet.whole;
  stored.dirty |= packet.sectors;
  stats_.stores += count(packet.sectors);
  stats_.store_fetches += count(missing);
  occupy(transfer_ticks(packet.sectors));
  return nullptr;
}

/// Finds a slot for a line that has none, and writes back the line that was in the slot. Leaves
/// room for `requests` more requests to DRAM.
Counter* L2Slice::make_room(Address line, unsigned requests, std::uint32_t& slot, Cycle now) {
  const std::uint32_t victim = tags_.victim(line);
  if (victim == Tags::kNoSlot) return &stats_.stall_set;
  const SectorMask dirty = tags_[victim].dirty;
  if (!channel_.can_send(requests + (dirty != 0))) return &stats_.stall_dram;
  if (dirty != 0) {
    stats_.written_back += count(dirty);
    send_to_dram(tags_.line(victim), dirty, true, 0, now);
  }
  tags_.assign(victim, line);
  tags_[victim].copied = halved_;  // it may have been copied before it was replaced
  slot = victim;
  return nullptr;
}

Counter* L2Slice::make_clean(Address line, Cycle now) {
  const Tags::DirtyLines dirty = tags_.dirty_lines(line);
  if (dirty.count < dirty_ways_) return nullptr;
  if (!channel_.can_send(1)) return &stats_.stall_dram;
  Tags::Line& oldest = tags_[dirty.oldest];
  stats_.cleaned += count(oldest.dirty);
  send_to_dram(tags_.line(dirty.oldest), oldest.dirty, true, 0, now);
  oldest.dirty = 0;
  return nullptr;
}

void L2Slice::send_to_dram(Address line, SectorMask sectors, bool write, std::uint32_t id,
                           Cycle now) {
  channel_.send({.address = map_.in_channel(slice_, line),
                 .sectors = sectors,
                 .write = write,
                 .id = id,
                 .fills = write ? nullptr : &fills_},
                now);
}

void L2Slice::occupy(unsigned ticks) { port_free_ = std::max(port_free_, tick_) + ticks; }

/// Answers the packet. If it is an atomic, performs it first.
void L2Slice::answer(const Packet& packet, Cycle now) {
  Cycle ready = now + latency_;
  if (is_atomic(packet.type))
    ready = std::max(ready, clock_.cycle_of(perform_atomic(packet)) + latency_) + atomic_latency_;
  if (is_partners(packet)) {  // the partner adds its own latency, so only the way there is missing
    last_reply_ = std::max(last_reply_, ready - latency_ + 1);
    link_.replies.send_at(packet, last_reply_);
    return;
  }
  last_answer_ = std::max(last_answer_, ready);
  output_.send_at(packet, last_answer_);
  ++stats_.replies;
}

unsigned L2Slice::transfer_ticks(SectorMask sectors) const {
  return (count(sectors) * kSectorBytes + port_bytes_ - 1) / port_bytes_;
}

/// Returns the tick of the packet's last operation.
Cycle L2Slice::perform_atomic(const Packet& packet) {
  const Cycle begin = std::max(port_free_, tick_);
  const AtomicUnit::Times times = atomics_.perform(packet, begin);
  stats_.atomic_cycles += times.free - begin;
  port_free_ = times.free;
  return times.last;
}

}  // namespace raddle::machine
