// A slice of an L2 cache of two halves. It is the home of lines, of which the other half may have
// copies, and it keeps copies of lines of the other half. NVIDIA: a request goes to a slice of the
// multiprocessor's own half. If the memory is attached to the other half, the request goes from
// there directly to the slice that is the point of coherence (developer forum, 361731; A100 white
// paper, "A100 L2 Cache").
#include <algorithm>

#include "machine/l2/l2_slice.h"

namespace raddle::machine {
namespace {

/// Copies are in the same tags as the slice's own lines, whose addresses in the slice may be equal.
constexpr Address kCopyBit = Address{1} << 62;

bool only_reads(AccessType type) {
  return type == AccessType::load || type == AccessType::prefetch;
}

}  // namespace

/// Performs a packet on a line of this slice's own. Multiprocessors of both halves may send it. If
/// one of this half changes the line, the other half must drop its copy.
Counter* L2Slice::perform_for_both(const Packet& packet, Cycle now) {
  const Address line = map_.in_slice(packet.line);
  const bool partners = is_partners(packet);
  const std::uint32_t before = tags_.find(line);
  const bool may_be_copied = before == Tags::kNoSlot || tags_[before].copied;
  const bool tells = !partners && !only_reads(packet.type) && may_be_copied;
  if (tells && !link_.requests.can_send()) return &stats_.stall_link;
  if (Counter* lacks = perform_at_home(packet, now)) return lacks;
  if (tells) {
    link_.requests.send({.line = packet.line, .sm = packet.sm, .type = AccessType::store}, now);
  }
  // If the partner changes sectors, it drops them from its copy itself.
  if (tells || (partners && only_reads(packet.type))) {
    tags_[tags_.find(line)].copied = !tells;
  }
  return nullptr;
}

/// Performs a packet on a line of the partner. It comes from a multiprocessor of this half, or from
/// the partner, which has changed the line.
Counter* L2Slice::perform_on_copy(const Packet& packet, Cycle now) {
  if (is_partners(packet)) {
    drop_copy(packet.line, kWholeLine);
    occupy(1);
    return nullptr;
  }
  return only_reads(packet.type) ? read_copy(packet, now) : pass_on(packet, now);
}

Counter* L2Slice::read_copy(const Packet& packet, Cycle now) {
  const Address line = map_.in_slice(packet.line) | kCopyBit;
  const std::uint32_t slot = tags_.find(line);
  const SectorMask present = slot == Tags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  const auto missing = static_cast<SectorMask>(packet.sectors & ~present);
  if (missing != 0) {
    if (Counter* lacks = fetch(packet, missing, line, slot, now)) return lacks;
    occupy(1);
  } else {
    tags_.use(slot);
    occupy(transfer_ticks(packet.sectors));
    answer(packet, now);
  }
  stats_.hits += count(packet.sectors & present);
  stats_.misses += count(missing);
  if (loads_data(packet)) stats_.loads += count(packet.sectors);
  return nullptr;
}

/// Like miss(), but from the partner. One way of each set stays free for the slice's own lines.
Counter* L2Slice::fetch(const Packet& packet, SectorMask missing, Address line, std::uint32_t slot,
                        Cycle now) {
  std::uint32_t id = slot == Tags::kNoSlot ? Tags::kNoMiss : tags_[slot].miss;
  if (id == Tags::kNoMiss && fetching_ == registers_) return &stats_.stall_registers;
  if (id != Tags::kNoMiss && !misses_.can_wait(id)) return &stats_.stall_merges;
  if (id == Tags::kNoMiss && tags_.pinned(line) + 1 >= ways_) return &stats_.stall_set;
  const SectorMask pending = id == Tags::kNoMiss ? SectorMask{0} : misses_.pending(id);
  const auto fetched = static_cast<SectorMask>(missing & ~pending);
  if (fetched != 0 && !link_.requests.can_send()) return &stats_.stall_link;
  if (slot == Tags::kNoSlot) {
    if (Counter* lacks = make_room(line, 0, slot, now)) return lacks;
  }
  if (id == Tags::kNoMiss) ++fetching_;
  id = await(packet, missing, fetched, slot);
  stats_.merged += count(static_cast<SectorMask>(missing & pending));
  if (fetched == 0) return nullptr;
  stats_.far_loads += count(fetched);
  Packet request = packet;
  request.sectors = fetched;
  request.token = id;
  link_.requests.send(request, now);
  return nullptr;
}

/// A store joins an earlier store to the same line that waits for the link, unless another packet
/// for this line waits between them.
bool L2Slice::join_store(const Packet& packet) {
  if (packet.type != AccessType::store) return false;
  Packet* const waiting =
      link_.requests.newest([&](const Packet& other) { return other.line == packet.line; });
  if (waiting == nullptr || waiting->type != AccessType::store) return false;
  waiting->sectors |= packet.sectors;
  waiting->whole |= packet.whole;
  ++stats_.joined_stores;
  return true;
}

/// Passes stores and atomics on to their home slice.
Counter* L2Slice::pass_on(const Packet& packet, Cycle now) {
  const bool joined = join_store(packet);
  if (!joined && !link_.requests.can_send()) return &stats_.stall_link;
  drop_copy(packet.line, packet.sectors);
  occupy(packet.type == AccessType::store ? transfer_ticks(packet.sectors) : 1);
  if (!joined) {
    link_.requests.send(packet, now);
  } else if (packet.reply != Packet::Reply::none) {
    answer(packet, now);
  }
  return nullptr;
}

/// Data on their way stay valid: values are kept elsewhere, and the caches model timing only.
void L2Slice::drop_copy(Address line, SectorMask sectors) {
  const std::uint32_t slot = tags_.find(map_.in_slice(line) | kCopyBit);
  if (slot == Tags::kNoSlot || (tags_[slot].valid & sectors) == 0) return;
  tags_[slot].valid &= static_cast<SectorMask>(~sectors);
  ++stats_.dropped_copies;
}

/// Takes replies from the partner: sectors for copies, and answers to packets that were passed on.
void L2Slice::take_fetched(Cycle now) {
  if (!link_.fetched.can_receive(now) || output_.free() < misses_.most_waiters()) return;
  const Packet reply = link_.fetched.receive();
  if (!only_reads(reply.type)) {
    last_answer_ = std::max(last_answer_, now + latency_);
    output_.send_at(reply, last_answer_);
    ++stats_.replies;
    return;
  }
  const unsigned taken = misses_.taken();
  filled(reply.token, reply.sectors, [&](const Packet& packet) { answer(packet, now); });
  fetching_ -= taken - misses_.taken();
}

}  // namespace raddle::machine
