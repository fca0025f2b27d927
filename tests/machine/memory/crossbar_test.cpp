#include "machine/interconnect/crossbar.h"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <memory>

namespace raddle::machine {
namespace {

using ::testing::ElementsAre;

constexpr unsigned kLatency = 10;
constexpr unsigned kFlit = 40;

/// Replies go from the inputs to the output that Packet::sm names.
class CrossbarTest : public ::testing::Test {
 protected:
  void start(unsigned inputs, unsigned outputs, unsigned output_capacity = 64) {
    auto make = [](std::vector<std::unique_ptr<Crossbar::Queue>>& queues, unsigned capacity) {
      queues.push_back(std::make_unique<Crossbar::Queue>(capacity, 1));
    };
    for (unsigned i = 0; i < inputs; ++i) make(inputs_, 64);
    for (unsigned i = 0; i < outputs; ++i) make(outputs_, output_capacity);
    std::vector<Crossbar::Queue*> from, to;
    for (const auto& queue : inputs_) from.push_back(queue.get());
    for (const auto& queue : outputs_) to.push_back(queue.get());
    crossbar_ = std::make_unique<Crossbar>(Crossbar::Direction::replies, clock_, kLatency, kFlit,
                                           map_, from, to, stats_);
  }
  void send(unsigned input, unsigned output, SectorMask sectors, std::uint32_t token) {
    inputs_[input]->send(
        {.token = token, .sm = static_cast<std::uint16_t>(output), .sectors = sectors}, now_);
    crossbar_->offered(input);
  }
  void run(unsigned cycles) {
    while (cycles-- != 0) crossbar_->cycle(++now_);
  }
  std::vector<std::uint32_t> received(unsigned output) {
    std::vector<std::uint32_t> tokens;
    while (outputs_[output]->can_receive(now_)) {
      tokens.push_back(outputs_[output]->receive().token);
    }
    return tokens;
  }

  ClockRatio clock_{1, 1};
  AddressMap map_{1, 1, 256, false};
  StatGroup stats_{"interconnect"};
  std::vector<std::unique_ptr<Crossbar::Queue>> inputs_, outputs_;
  std::unique_ptr<Crossbar> crossbar_;
  Cycle now_ = 0;
};

TEST_F(CrossbarTest, APacketTakesTheLatencyAndACycleForEachFurtherFlit) {
  start(1, 2);
  send(0, 1, 0b0001, 7);  // 8 + 32 bytes: one flit
  run(1);
  EXPECT_EQ(outputs_[1]->ready_at(), 1u + kLatency);
  received(1);
  now_ = 100;
  send(0, 0, kWholeLine, 8);  // 8 + 128 bytes: four flits
  run(1);
  EXPECT_EQ(outputs_[0]->ready_at(), 101u + kLatency + 3);
}

TEST_F(CrossbarTest, AnInputAndAnOutputMoveAFlitACycle) {
  start(1, 1);
  for (std::uint32_t token : {1u, 2u, 3u}) send(0, 0, kWholeLine, token);
  run(3 * 4 + kLatency - 1);
  EXPECT_THAT(received(0), ElementsAre(1, 2));
  run(1);
  EXPECT_THAT(received(0), ElementsAre(3));
}

TEST_F(CrossbarTest, FlitsMoveInTicksOfTheNetworksClock) {
  clock_ = ClockRatio(1, 2);
  start(1, 1);
  for (std::uint32_t token : {1u, 2u}) send(0, 0, kWholeLine, token);  // ready in cycle 1
  // Ticks are in cycles 0, 2, 4 ...: four flits from cycle 2 on, the last in cycle 8.
  run(2);
  EXPECT_EQ(outputs_[0]->ready_at(), 8u + kLatency);
  run(7);
  EXPECT_EQ(inputs_[0]->size(), 1u);
  run(1);
  EXPECT_EQ(inputs_[0]->size(), 0u);
}

TEST_F(CrossbarTest, AFasterNetworkMovesSeveralPacketsACycle) {
  clock_ = ClockRatio(2, 1);
  start(2, 1);
  for (unsigned input : {0u, 1u}) send(input, 0, 1, input);
  run(1 + kLatency);
  EXPECT_THAT(received(0), ElementsAre(0, 1));
}

TEST_F(CrossbarTest, DifferentPairsDoNotDisturbEachOther) {
  start(2, 2);
  send(0, 0, kWholeLine, 1);
  send(1, 1, kWholeLine, 2);
  run(1);
  EXPECT_EQ(outputs_[0]->ready_at(), outputs_[1]->ready_at());
}

TEST_F(CrossbarTest, AnOutputServesItsInputsInTurn) {
  start(3, 1);
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned input : {0u, 1u, 2u}) send(input, 0, 1, 10 * round + input);
  }
  run(6 + kLatency);
  EXPECT_THAT(received(0), ElementsAre(0, 1, 2, 10, 11, 12));
}

TEST_F(CrossbarTest, AnOutputTakesOnePacketAfterTheOther) {
  start(2, 1);
  send(0, 0, kWholeLine, 0);  // four flits, in cycles 1 to 4
  run(3);
  send(1, 0, kWholeLine, 1);  // ready while the last of them moves
  run(1 + kLatency);
  EXPECT_THAT(received(0), ElementsAre(0));
  run(3);
  EXPECT_THAT(received(0), ::testing::IsEmpty());
  run(1);
  EXPECT_THAT(received(0), ElementsAre(1));
}

TEST_F(CrossbarTest, AFullOutputQueueHoldsPacketsBackAndLosesNone) {
  start(1, 1, 2);
  for (std::uint32_t token : {1u, 2u, 3u}) send(0, 0, 1, token);
  run(50);
  EXPECT_EQ(outputs_[0]->size(), 2u);
  EXPECT_EQ(inputs_[0]->size(), 1u);
  EXPECT_THAT(received(0), ElementsAre(1, 2));
  run(1 + kLatency);
  EXPECT_THAT(received(0), ElementsAre(3));
}

TEST_F(CrossbarTest, SleepsUntilAPacketIsReady) {
  start(1, 1);
  EXPECT_EQ(crossbar_->wake(), kNever);
  send(0, 0, 1, 1);
  EXPECT_EQ(crossbar_->wake(), 1u);
}

}  // namespace
}  // namespace raddle::machine
