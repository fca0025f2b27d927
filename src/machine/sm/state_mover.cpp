#include "machine/sm/state_mover.h"

#include <algorithm>
#include <utility>

namespace raddle::machine {

StateMover::Number StateMover::begin(Transfer transfer) {
  transfer.number = ++last_;
  unsent_ += !transfer.sent();
  transfers_.push_back(std::move(transfer));
  return last_;
}

StateMover::Number StateMover::save(Address address, std::uint64_t bytes,
                                    std::vector<DirtyLine> lines, StatePath path) {
  return begin({.type = AccessType::store,
                .next = address,
                .end = address + bytes,
                .lines = std::move(lines),
                .path = path});
}

StateMover::Number StateMover::restore(Address address, std::uint64_t bytes, StatePath path) {
  return begin({.next = address, .end = address + bytes, .lines = {}, .path = path});
}

bool StateMover::done(Number number) const {
  const auto found = std::find_if(transfers_.begin(), transfers_.end(),
                                  [&](const Transfer& one) { return one.number == number; });
  return found->sent() && found->unanswered == 0;
}

void StateMover::drop(Number number) {
  const auto found = std::find_if(transfers_.begin(), transfers_.end(),
                                  [&](const Transfer& one) { return one.number == number; });
  unsent_ -= !found->sent();
  found->next = found->end;
  found->dropped = true;
  if (found->sent()) {
    transfers_.erase(found);
  } else {
    ++unsent_;
  }
}

void StateMover::receive(Cycle now) {
  if (!port_.replies.can_receive(now) || port_.replies.front().cache != CacheId::state) return;
  const Packet reply = port_.replies.receive();
  ++stats_.replies;
  --unanswered_;
  for (Transfer& transfer : transfers_) {
    if (transfer.number == reply.token) --transfer.unanswered;
  }
}

Packet StateMover::packet_of(Transfer& transfer) {
  Packet packet;
  packet.token = transfer.number;
  packet.sm = static_cast<std::uint16_t>(sm_);
  packet.type = transfer.type;
  packet.cache = CacheId::state;
  if (transfer.next != transfer.end) {
    packet.past_l2 = transfer.path == StatePath::memory;
    return next_packet(packet, transfer.next, transfer.end);
  }
  const DirtyLine line = transfer.lines.back();
  transfer.lines.pop_back();
  packet.line = line.line;
  packet.sectors = line.sectors;
  packet.whole = line.whole;
  return packet;
}

void StateMover::send(Cycle now) {
  const auto found = std::find_if(transfers_.begin(), transfers_.end(),
                                  [](const Transfer& one) { return !one.sent(); });
  Transfer& first = *found;
  const bool of_state = first.next != first.end;
  const Packet packet = packet_of(first);
  const std::uint64_t bytes = std::uint64_t{count(packet.sectors)} * kSectorBytes;
  (first.type == AccessType::store ? stats_.saved_bytes : stats_.restored_bytes) += bytes;
  if (!(of_state && first.path == StatePath::cached && l1_->take_state(packet, now))) {
    port_.requests.send(packet, now);
    ++stats_.requests;
    ++first.unanswered;
    ++unanswered_;
  }
  if (!first.sent()) return;
  --unsent_;
  if (first.dropped) transfers_.erase(found);
}

}  // namespace raddle::machine
