#include "machine/dispatch/record_port.h"

#include <algorithm>
#include <utility>

namespace raddle::machine {

/// Adds a packet to `to_send` for each line that the range touches. Returns the number of packets.
unsigned RecordPort::split(Address address, unsigned bytes, Packet packet,
                           std::deque<Packet>& to_send) {
  packet.sm = number_;
  unsigned packets = 0;
  // Records are loaded in the same ranges in which they were stored, so no other byte of their
  // sectors is requested.
  for (const Address end = address + bytes; address < end; ++packets) {
    to_send.push_back(next_packet(packet, address, end));
  }
  return packets;
}

void RecordPort::load(Address address, unsigned bytes, std::function<void()> done) {
  Packet packet;
  packet.token = next_token_++;
  const unsigned packets = split(address, bytes, packet, loads_to_send_);
  loads_[packet.token] = {packets, std::move(done)};
}

void RecordPort::store(Address address, unsigned bytes) {
  Packet packet;
  packet.type = AccessType::store;
  packet.reply = Packet::Reply::none;
  split(address, bytes, packet, stores_to_send_);
}

bool RecordPort::cycle(Cycle now) {
  while (port_.replies.can_receive(now)) {
    const Packet packet = port_.replies.receive();
    if (packet.reply == Packet::Reply::none) continue;
    const auto found = loads_.find(packet.token);
    if (--found->second.packets != 0) continue;
    const std::function<void()> done = std::move(found->second.done);
    loads_.erase(found);
    if (done) done();
  }
  std::deque<Packet>& to_send = loads_to_send_.empty() ? stores_to_send_ : loads_to_send_;
  if (to_send.empty() || !port_.requests.can_send()) return false;
  port_.requests.send(to_send.front(), now);
  to_send.pop_front();
  return true;
}

}  // namespace raddle::machine
