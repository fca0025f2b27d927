#include "machine/interconnect/crossbar.h"

#include <algorithm>

namespace raddle::machine {
namespace {

const char* name_of(Crossbar::Direction direction) {
  constexpr const char* kNames[] = {"requests", "replies", "link_requests", "link_replies"};
  return kNames[static_cast<std::size_t>(direction)];
}

}  // namespace

Crossbar::Crossbar(Direction direction, ClockRatio clock, unsigned latency, unsigned flit_bytes,
                   const AddressMap& map, std::vector<Queue*> inputs, std::vector<Queue*> outputs,
                   StatGroup& parent)
    : direction_(direction),
      clock_(clock),
      latency_(latency),
      flit_bytes_(flit_bytes),
      map_(map),
      inputs_(inputs.size()),
      bid_at_(inputs.size()),
      outputs_(outputs.size()),
      stats_(parent.unit<CrossbarStats>(name_of(direction))) {
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs_[i].queue = inputs[i];
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs_[i].queue = outputs[i];
  asked_.reserve(outputs.size());
  moves_.reserve(outputs.size());
}

const std::vector<Crossbar::Move>& Crossbar::cycle(Cycle now) {
  moves_.clear();
  const Cycle end = clock_.first_tick(now + 1);
  for (Cycle tick = std::max(clock_.first_tick(now), first_bid_); tick < end; ++tick) {
    if (!handing_out_.empty()) [[unlikely]]
      hand_out_rest(tick);
    bid_at_.for_each_due(tick, [&](unsigned input) { bid(input, tick); });
    for (const std::uint32_t output : asked_) grant(output, tick, now);
    asked_.clear();
    first_bid_ = bid_at_.first();
    if (!handing_out_.empty()) [[unlikely]]
      first_bid_ = std::min(first_bid_, tick + 1);
  }
  return moves_;
}

void Crossbar::bid(std::uint32_t input, Cycle tick) {
  Input& from = inputs_[input];
  if (groups_ != nullptr && direction_ == Direction::requests) [[unlikely]] {
    const Packet& packet = from.queue->front();
    if (groups_->concerns(packet) && groups_->join(packet)) {
      from.queue->receive();
      from.output = kNobody;
      from.free = tick + 1;
      bid_at_[input] = next_bid(from);
      moves_.push_back({input, kNowhere, 0});
      ++stats_.joined;
      return;
    }
  }
  if (from.output == kNobody) from.output = route(input, from.queue->front());
  Output& to = outputs_[from.output];
  if (to.free > tick) {
    bid_at_[input] = to.free;
    return;
  }
  if (!to.queue->can_send()) return;
  const auto count = static_cast<std::uint32_t>(inputs_.size());
  const std::uint32_t distance = input >= to.next ? input - to.next : input + count - to.next;
  if (to.bidder == kNobody) asked_.push_back(from.output);
  if (distance < to.distance) {
    to.distance = distance;
    to.bidder = input;
  }
}

void Crossbar::grant(std::uint32_t to, Cycle tick, Cycle now) {
  Output& output = outputs_[to];
  // A reply handed out in this tick may have taken the port, or the last room in its queue.
  if (groups_ != nullptr && (output.free > tick || !output.queue->can_send())) [[unlikely]] {
    output.bidder = output.distance = kNobody;
    return;
  }
  Input& from = inputs_[output.bidder];
  stats_.wait_cycles += now - from.queue->ready_at();
  const Packet packet = from.queue->receive();
  const unsigned size = flits(packet);
  const Cycle arrival = clock_.cycle_of(tick + size - 1) + latency_;
  output.queue->send_at(packet, arrival);
  moves_.push_back({output.bidder, to, arrival});
  from.free = output.free = tick + size;
  from.output = kNobody;
  bid_at_[output.bidder] = next_bid(from);
  output.next = output.bidder + 1 == inputs_.size() ? 0 : output.bidder + 1;
  output.bidder = output.distance = kNobody;
  ++stats_.packets;
  stats_.flits += size;
  if (groups_ == nullptr || !groups_->concerns(packet)) return;
  if (direction_ == Direction::requests) return groups_->open(packet);
  groups_->answered(packet, [&](const Packet& waiting) { hand_out(waiting, tick); });
}

/// Sends a reply to another multiprocessor of the group, through that multiprocessor's port.
void Crossbar::hand_out(const Packet& packet, Cycle tick) {
  Output& output = outputs_[packet.sm];
  if (output.to_hand_out.empty() && output.queue->can_send()) return pass_on(packet, tick);
  if (output.to_hand_out.empty()) handing_out_.push_back(packet.sm);
  output.to_hand_out.push_back(packet);
}

void Crossbar::pass_on(const Packet& packet, Cycle tick) {
  Output& output = outputs_[packet.sm];
  const unsigned size = flits(packet);
  const Cycle begin = std::max(output.free, tick);
  output.free = begin + size;
  const Cycle arrival = clock_.cycle_of(begin + size - 1) + latency_;
  output.queue->send_at(packet, arrival);
  moves_.push_back({kNowhere, packet.sm, arrival});
}

void Crossbar::hand_out_rest(Cycle tick) {
  std::erase_if(handing_out_, [&](std::uint32_t sm) {
    Output& output = outputs_[sm];
    std::size_t done = 0;
    while (done < output.to_hand_out.size() && output.queue->can_send()) {
      pass_on(output.to_hand_out[done++], tick);
    }
    output.to_hand_out.erase(output.to_hand_out.begin(),
                             output.to_hand_out.begin() + static_cast<std::ptrdiff_t>(done));
    return output.to_hand_out.empty();
  });
}

bool Crossbar::on_host_of_client(Address line) const {
  return std::any_of(clients_.begin(), clients_.end(), [line](const memory::AddressSpace* space) {
    return space != nullptr && space->on_host(line, kLineBytes);
  });
}

std::uint32_t Crossbar::route(std::uint32_t input, const Packet& packet) const {
  switch (direction_) {
    case Direction::requests:
      if (space_ != nullptr && space_->on_host(packet.line, kLineBytes)) [[unlikely]]
        return static_cast<std::uint32_t>(outputs_.size() - 1);
      if (!clients_.empty() && on_host_of_client(packet.line)) [[unlikely]]
        return static_cast<std::uint32_t>(outputs_.size() - 1);
      return map_.asked(packet.line, packet.sm);
    case Direction::replies:
      return packet.sm;
    default:
      return map_.partner(input);
  }
}

unsigned Crossbar::flits(const Packet& packet) const {
  const bool request = direction_ == Direction::requests || direction_ == Direction::link_requests;
  const unsigned payload = request ? request_payload(packet) : reply_payload(packet);
  return (kHeaderBytes + payload + flit_bytes_ - 1) / flit_bytes_;
}

}  // namespace raddle::machine
