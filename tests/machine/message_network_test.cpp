// Messages between multiprocessors: two hops, one message in and one out a cycle, bounded queues.
#include "machine/unit/message_network.h"

#include <gmock/gmock-matchers.h>

#include <deque>
#include <map>
#include <random>

#include "machine/unit/message_config.h"

namespace raddle::machine {
namespace {

using testing::ElementsAre;

class MessageNetworkTest : public testing::Test {
 protected:
  struct Root : ConfigGroup {
    Root() : ConfigGroup("") {}
    MessageNetworkConfig network{*this, "network"};
  };

  void start(unsigned sms) {
    network_.reset();
    stats_ = std::make_unique<StatGroup>("gpu");
    network_ = std::make_unique<MessageNetwork>(root_.network, sms, *stats_, "network");
    receives_.assign(sms, true);
    arrived_.assign(sms, {});
  }
  void send(unsigned from, unsigned to, std::uint32_t word) {
    Message message;
    message.to = static_cast<std::uint16_t>(to);
    message.words[0] = word;
    network_->endpoint(from).send(message, now_);
  }
  /// The rest of the cycle, and the beginning of the next, in which whoever does so receives one.
  void step() {
    network_->exchange(now_, [](unsigned, Cycle) {});
    ++now_;
    for (unsigned sm = 0; sm < arrived_.size(); ++sm) {
      MessageEndpoint& end = network_->endpoint(sm);
      if (!receives_[sm] || !end.can_receive(now_)) continue;
      arrived_[sm].push_back({now_, end.receive()});
    }
  }
  void run(unsigned cycles) {
    while (cycles-- != 0) step();
  }
  std::vector<Cycle> times(unsigned sm) const {
    std::vector<Cycle> times;
    for (const Arrival& one : arrived_[sm]) times.push_back(one.at);
    return times;
  }

  struct Arrival {
    Cycle at;
    Message message;
  };
  Root root_;
  std::unique_ptr<StatGroup> stats_;
  std::unique_ptr<MessageNetwork> network_;
  Cycle now_ = 1000;
  std::vector<bool> receives_;
  std::vector<std::vector<Arrival>> arrived_;
};

TEST_F(MessageNetworkTest, AMessageTakesTwoHops) {
  for (const unsigned hop : {1u, 7u}) {
    root_.network.hop_latency = hop;
    start(4);
    const Cycle sent = now_;
    send(1, 3, 42);
    run(20);
    EXPECT_THAT(times(3), ElementsAre(sent + 2 * hop));
    EXPECT_EQ(arrived_[3][0].message.from, 1);
    EXPECT_EQ(arrived_[3][0].message.words[0], 42u);
  }
}

TEST_F(MessageNetworkTest, ASenderInjectsOneEachCycle) {
  start(4);
  const Cycle sent = now_;
  for (unsigned to = 1; to < 4; ++to) send(0, to, 0);
  run(20);
  EXPECT_THAT(times(1), ElementsAre(sent + 2));
  EXPECT_THAT(times(2), ElementsAre(sent + 3));
  EXPECT_THAT(times(3), ElementsAre(sent + 4));
}

TEST_F(MessageNetworkTest, AReceiverTakesOneEachCycleAndSendersTakeTurns) {
  start(4);
  const Cycle sent = now_;
  for (unsigned from = 1; from < 4; ++from) {
    send(from, 0, 0);
    send(from, 0, 1);
  }
  run(20);
  EXPECT_THAT(times(0), ElementsAre(sent + 2, sent + 3, sent + 4, sent + 5, sent + 6, sent + 7));
  std::vector<unsigned> from;
  for (const Arrival& one : arrived_[0]) from.push_back(one.message.from);
  EXPECT_THAT(from, ElementsAre(1, 2, 3, 1, 2, 3));
}

TEST_F(MessageNetworkTest, WhatIsForAFullReceiverHoldsUpItsSenderAndNobodyElse) {
  start(3);
  receives_[0] = false;
  unsigned sent = 0;
  for (unsigned n = 0; n < 40; ++n, step()) {
    if (!network_->endpoint(1).can_send()) continue;
    send(1, 0, sent++);
  }
  // Before the hub, in it, and behind it: a queue each.
  EXPECT_EQ(sent, 3 * root_.network.queue);
  const Cycle now = now_;
  send(2, 1, 0);
  run(5);
  EXPECT_THAT(times(1), ElementsAre(now + 2));
  receives_[0] = true;
  run(40);
  ASSERT_EQ(arrived_[0].size(), sent);
  for (unsigned n = 0; n < sent; ++n) EXPECT_EQ(arrived_[0][n].message.words[0], n);
  EXPECT_TRUE(network_->empty());
}

TEST_F(MessageNetworkTest, NothingIsLostOrOvertakenInRandomTraffic) {
  root_.network.hop_latency = 3u;
  start(7);
  std::mt19937 random(1);
  std::map<std::pair<unsigned, unsigned>, std::deque<std::uint32_t>> expected;
  for (unsigned n = 0; n < 3000; ++n, step()) {
    for (unsigned sm = 0; sm < 7; ++sm) {
      receives_[sm] = random() % 3 != 0;
      // Many to one now and then.
      const unsigned to = random() % 4 == 0 ? 0 : random() % 7;
      if (n >= 2000 || random() % 2 == 0 || !network_->endpoint(sm).can_send()) continue;
      const auto word = static_cast<std::uint32_t>(random());
      expected[{sm, to}].push_back(word);
      send(sm, to, word);
    }
  }
  for (unsigned to = 0; to < 7; ++to) {
    for (const Arrival& one : arrived_[to]) {
      auto& queue = expected[{one.message.from, to}];
      ASSERT_FALSE(queue.empty());
      ASSERT_EQ(one.message.words[0], queue.front());
      queue.pop_front();
    }
  }
  for (const auto& [pair, left] : expected) EXPECT_TRUE(left.empty());
  EXPECT_TRUE(network_->empty());
}

TEST_F(MessageNetworkTest, CyclesBeforeItsWakeChangeNothing) {
  for (const unsigned hop : {1u, 5u, 40u}) {
    root_.network.hop_latency = hop;
    start(3);
    send(0, 2, 1);
    send(1, 2, 2);
    std::vector<Cycle> worked;
    for (unsigned n = 0; n < 200; ++n) {
      const bool awake = n == 0 || network_->wake() <= now_;
      const auto before = total(*stats_, "", "sent") + total(*stats_, "", "delivered");
      step();
      const auto after = total(*stats_, "", "sent") + total(*stats_, "", "delivered");
      EXPECT_TRUE(awake || before == after) << "hop " << hop << ", cycle " << n;
    }
    EXPECT_EQ(arrived_[2].size(), 2u);
  }
}

// Nothing happens before the one whose queue is full has received: the machine need not look.
TEST_F(MessageNetworkTest, SleepsWhileAReceiverIsFull) {
  root_.network.queue = 1;
  start(2);
  receives_[1] = false;
  for (unsigned n = 0; n < 3; ++n) {
    send(0, 1, n);
    run(10);
  }
  EXPECT_FALSE(network_->empty());
  EXPECT_EQ(network_->wake(), kNever);
  receives_[1] = true;
  run(10);
  EXPECT_EQ(arrived_[1].size(), 3u);
  EXPECT_TRUE(network_->empty());
}

}  // namespace
}  // namespace raddle::machine
