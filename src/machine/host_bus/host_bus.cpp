#include "machine/host_bus/host_bus.h"

#include <algorithm>
#include <cmath>

#include "machine/host_bus/config.h"

namespace raddle::machine {
namespace {

/// Bytes of values in a packet of a copy. The speed of copies counts these bytes only.
constexpr unsigned kCopyPacket = 128;

double cycles_per_byte(double gigabytes, unsigned core_mhz, unsigned header) {
  const double of_values = core_mhz / (gigabytes * 1000);
  return of_values * kCopyPacket / (kCopyPacket + header);
}

}  // namespace

HostBus::HostBus(const HostBusConfig& config, const Speed& speed, StatGroup& parent)
    : header_(config.header_bytes),
      way_(config.latency * speed.core_mhz / 1000 / 2),
      up_{cycles_per_byte(speed.to_host, speed.core_mhz, config.header_bytes)},
      down_{cycles_per_byte(speed.to_device, speed.core_mhz, config.header_bytes)},
      input_(config.queue, 1),
      output_(config.queue, 1),
      reads_(config.reads, 1),
      writes_(config.reads, 1),
      stats_(parent.unit<HostBusStats>("host_bus")) {}

void HostBus::cycle(Cycle now) {
  hand_over(reads_, now);
  hand_over(writes_, now);
  while (input_.can_receive(now)) {
    if (!can_take(input_.front())) return;
    stats_.wait_cycles += now - input_.ready_at();
    take(input_.receive(), now);
  }
}

void HostBus::take(const Packet& packet, Cycle now) {
  const unsigned up = request_payload(packet), down = reply_payload(packet);
  const double sent = up_.move(up + header_, static_cast<double>(now)) + way_;
  stats_.bytes_to_host += up;
  if (packet.type == AccessType::store) {
    writes_.send_at(packet, static_cast<Cycle>(std::ceil(sent)) + 1);
    ++stats_.writes;
    return;
  }
  const double back = down_.move(down + header_, sent) + way_;
  reads_.send_at(packet, static_cast<Cycle>(std::ceil(back)) + 1);
  stats_.bytes_to_device += down;
  ++(is_atomic(packet.type) ? stats_.atomics : stats_.reads);
}

void HostBus::hand_over(LatencyQueue<Packet>& from, Cycle now) {
  while (from.can_receive(now) && output_.can_send()) output_.send(from.receive(), now);
}

Cycle HostBus::wake() const {
  // Without room, nothing happens before a packet has left.
  Cycle wake = kNever;
  if (output_.can_send()) wake = std::min(reads_.ready_at(), writes_.ready_at());
  if (input_.empty()) return wake;
  return can_take(input_.front()) ? std::min(wake, input_.ready_at()) : wake;
}

}  // namespace raddle::machine
