#include "machine/unit/message_network.h"

#include <algorithm>
#include <utility>

#include "machine/unit/message_config.h"

namespace raddle::machine {

MessageNetwork::MessageNetwork(const MessageNetworkConfig& config, unsigned sms, StatGroup& parent,
                               const char* name)
    : hop_latency_(config.hop_latency),
      hub_(sms, LatencyQueue<Message>(config.queue, config.hop_latency)),
      turn_(sms, 0),
      winner_(sms, kNobody),
      stats_(parent.unit<MessageNetworkStats>(name)) {
  for (unsigned sm = 0; sm < sms; ++sm) {
    endpoints_.push_back(
        std::make_unique<MessageEndpoint>(static_cast<std::uint16_t>(sm), config.queue));
  }
}

/// Each receiver with room takes one message, of the sender that is nearest to its turn.
void MessageNetwork::deliver(Cycle now) {
  const auto sms = static_cast<unsigned>(hub_.size());
  const auto distance = [&](unsigned sender, unsigned to) {
    return sender >= turn_[to] ? sender - turn_[to] : sender + sms - turn_[to];
  };
  for (unsigned sender = 0; sender < sms; ++sender) {
    if (!hub_[sender].can_receive(now)) continue;
    const unsigned to = hub_[sender].front().to;
    if (!endpoints_[to]->in_.can_send()) continue;
    unsigned& winner = winner_[to];
    if (winner == kNobody) asked_.push_back(to);
    if (winner == kNobody || distance(sender, to) < distance(winner, to)) winner = sender;
  }
  for (const unsigned to : asked_) {
    const unsigned sender = std::exchange(winner_[to], kNobody);
    stats_.wait_cycles += now - hub_[sender].ready_at();
    endpoints_[to]->in_.send_at(hub_[sender].receive(), now + hop_latency_);
    turn_[to] = sender + 1 == sms ? 0 : sender + 1;
    changes_.push_back({to, now + hop_latency_});
    ++stats_.delivered;
  }
  asked_.clear();
}

/// Each sender's first message enters the hub, if there is room.
void MessageNetwork::collect(Cycle now) {
  for (unsigned sender = 0; sender < hub_.size(); ++sender) {
    LatencyQueue<Message>& out = endpoints_[sender]->out_;
    if (out.empty() || !hub_[sender].can_send()) continue;
    if (!out.can_send()) changes_.push_back({sender, now + 1});
    hub_[sender].send(out.receive(), now);
    ++stats_.sent;
  }
}

Cycle MessageNetwork::next_delivery(Cycle now) const {
  Cycle next = kNever;
  for (unsigned sender = 0; sender < hub_.size(); ++sender) {
    if (!endpoints_[sender]->out_.empty() && hub_[sender].can_send()) return now + 1;
    if (!hub_[sender].empty()) next = std::min(next, std::max(hub_[sender].ready_at(), now + 1));
  }
  return next;
}

bool MessageNetwork::empty() const {
  return stats_.sent == stats_.delivered &&
         std::all_of(endpoints_.begin(), endpoints_.end(), [](const auto& endpoint) {
           return endpoint->out_.empty() && endpoint->in_.empty();
         });
}

}  // namespace raddle::machine
