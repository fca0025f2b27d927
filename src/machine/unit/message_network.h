// Messages among the units of multiprocessors: a bounded network of a mechanism's own, a tree with
// a hub at its root (hardware-worklists, section III.C: "it takes two hops to transfer work between
// any two cores in the ideal case").
//
// A multiprocessor sends one message a cycle into the hub and receives one a cycle from it. The hub
// has a queue for each sender. Each receiver takes, in turn, from the senders whose first message
// is for it. A receiver with a full queue takes none, and messages behind one for it wait too.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/latency_queue.h"

namespace raddle {
class StatGroup;
}

namespace raddle::machine {

struct MessageNetworkConfig;  // unit/message_config.h
struct MessageNetworkStats;

struct Message {
  std::uint16_t from = 0, to = 0;  // multiprocessors
  std::uint32_t kind = 0;          // meaning defined by the units
  std::array<std::uint32_t, 2> words{};
};

/// A multiprocessor's endpoint, used by its unit in the phase of multiprocessors, or after it.
class MessageEndpoint {
 public:
  /// `endpoints`: their number; `owner`: the mechanism whose units use them, for errors.
  MessageEndpoint(std::uint16_t number, unsigned queue, unsigned endpoints,
                  const std::string& owner)
      : out_(queue, 1), in_(queue, 1), number_(number), endpoints_(endpoints), owner_(owner) {}

  bool can_send() const { return out_.can_send(); }
  /// The message leaves after this cycle, or behind earlier messages. Fills in `from`.
  void send(Message message, Cycle now) {
    if (message.to >= endpoints_) [[unlikely]]
      fail_unknown(message);
    if (!can_send()) [[unlikely]]
      fail_full();
    message.from = number_;
    out_.send(message, now);
  }
  bool can_receive(Cycle now) const { return in_.can_receive(now); }
  Message receive() {
    if (in_.empty()) [[unlikely]]
      fail_empty();
    return in_.receive();
  }
  /// When the first message has arrived; for SmUnit::wake().
  Cycle ready_at() const { return in_.ready_at(); }

 private:
  friend class MessageNetwork;
  [[noreturn]] void fail_unknown(const Message& message) const;
  [[noreturn]] void fail_full() const;
  [[noreturn]] void fail_empty() const;

  LatencyQueue<Message> out_, in_;
  std::uint16_t number_;
  unsigned endpoints_;
  const std::string& owner_;
};

class MessageNetwork {
 public:
  /// `name`: group of its statistics, below `parent`.
  MessageNetwork(const MessageNetworkConfig& config, unsigned sms, StatGroup& parent,
                 const char* name);
  MessageNetwork(const MessageNetwork&) = delete;  // its endpoints refer to it
  MessageNetwork& operator=(const MessageNetwork&) = delete;

  /// For errors: the mechanism whose units use the network.
  void belongs_to(std::string_view mechanism) {
    owner_ = "the unit of ";
    owner_ += mechanism;
  }

  MessageEndpoint& endpoint(unsigned sm) { return *endpoints_[sm]; }

  /// Called at the end of cycle `now`, in which multiprocessors have changed their endpoints. Calls
  /// changed(sm, at) for each multiprocessor that has a message to receive at `at`, or can send
  /// again.
  template <class Changed>
  void exchange(Cycle now, Changed&& changed) {
    changes_.clear();
    deliver(now);
    collect(now);
    wake_ = next_delivery(now);
    for (const Change& change : changes_) changed(change.sm, change.at);
  }
  /// The next cycle in which exchange() has work, if no unit sends or receives before.
  Cycle wake() const { return wake_; }
  /// No message is in flight.
  bool empty() const;
  /// Messages that have arrived by `now` and that no unit has received; 0: no unit blocks others.
  unsigned unreceived(Cycle now) const;
  /// Messages that have entered and left the hub.
  std::uint64_t moved() const;
  /// Adds a line for each multiprocessor whose unit has not received its messages, until there are
  /// `most`.
  void describe_unreceived(std::string& text, unsigned& lines, unsigned most, Cycle now) const;

 private:
  struct Change {
    unsigned sm;
    Cycle at;
  };
  static constexpr unsigned kNobody = ~0u;
  void deliver(Cycle now);
  void collect(Cycle now);
  Cycle next_delivery(Cycle now) const;

  unsigned hop_latency_;
  std::string owner_;
  std::vector<std::unique_ptr<MessageEndpoint>> endpoints_;
  std::vector<LatencyQueue<Message>> hub_;  // [sender]
  std::vector<unsigned> turn_;              // [receiver]: the sender whose turn is first
  std::vector<unsigned> winner_;            // [receiver]: the sender that it takes from
  std::vector<unsigned> asked_;             // receivers that have a winner in this cycle
  std::vector<Change> changes_;
  Cycle wake_ = kNever;
  MessageNetworkStats& stats_;
};

}  // namespace raddle::machine
