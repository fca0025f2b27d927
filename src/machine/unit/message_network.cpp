#include "machine/unit/message_network.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "machine/unit/message_config.h"

namespace raddle::machine {

void MessageEndpoint::fail_unknown(const Message& message) const {
  fail("internal error: {} on SM {} sends a message to SM {}, of {}", owner_, number_, message.to,
       endpoints_);
}

void MessageEndpoint::fail_full() const {
  fail("internal error: {} on SM {} sends a message when MessageEndpoint::can_send() is false",
       owner_, number_);
}

void MessageEndpoint::fail_empty() const {
  fail("internal error: {} on SM {} receives a message, and none has come", owner_, number_);
}

MessageNetwork::MessageNetwork(const MessageNetworkConfig& config, unsigned sms, StatGroup& parent,
                               const char* name)
    : hop_latency_(config.hop_latency),
      owner_(name),
      hub_(sms, LatencyQueue<Message>(config.queue, config.hop_latency)),
      turn_(sms, 0),
      winner_(sms, kNobody),
      stats_(parent.unit<MessageNetworkStats>(name)) {
  for (unsigned sm = 0; sm < sms; ++sm) {
    endpoints_.push_back(std::make_unique<MessageEndpoint>(static_cast<std::uint16_t>(sm),
                                                           config.queue, sms, owner_));
  }
}

/// Each receiver with room takes one message, from the sender that is nearest to its turn.
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

/// The first message of each sender enters the hub, if there is room.
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
    if (hub_[sender].empty()) continue;
    // A full receiver must first receive, in a cycle in which this network takes part. Waking in
    // every cycle would hide that the machine is idle.
    if (!endpoints_[hub_[sender].front().to]->in_.can_send()) continue;
    next = std::min(next, std::max(hub_[sender].ready_at(), now + 1));
  }
  return next;
}

unsigned MessageNetwork::unreceived(Cycle now) const {
  unsigned messages = 0;
  for (const auto& endpoint : endpoints_) {
    if (endpoint->can_receive(now)) messages += endpoint->in_.size();
  }
  return messages;
}

std::uint64_t MessageNetwork::moved() const { return stats_.sent + stats_.delivered; }

void MessageNetwork::describe_unreceived(std::string& text, unsigned& lines, unsigned most,
                                         Cycle now) const {
  for (const auto& endpoint : endpoints_) {
    if (!endpoint->can_receive(now) || lines >= most) continue;
    ++lines;
    text += fmt::format(
        "\n  SM {}: {} has not received the message from SM {} that came in cycle {}",
        endpoint->number_, owner_, endpoint->in_.front().from, endpoint->in_.ready_at());
  }
}

bool MessageNetwork::empty() const {
  return stats_.sent == stats_.delivered &&
         std::all_of(endpoints_.begin(), endpoints_.end(), [](const auto& endpoint) {
           return endpoint->out_.empty() && endpoint->in_.empty();
         });
}

}  // namespace raddle::machine
