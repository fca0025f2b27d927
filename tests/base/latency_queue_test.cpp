#include "base/latency_queue.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

TEST(LatencyQueue, ItemArrivesExactlyItsLatencyLater) {
  LatencyQueue<int> queue(4, 5);
  queue.send(7, 10);
  EXPECT_FALSE(queue.can_receive(14));
  EXPECT_TRUE(queue.can_receive(15));
  EXPECT_EQ(queue.receive(), 7);
}

TEST(LatencyQueue, NothingIsVisibleInTheCycleInWhichItWasSent) {
  LatencyQueue<int> queue(4, 0);
  queue.send(7, 10);
  EXPECT_FALSE(queue.can_receive(10));
  EXPECT_TRUE(queue.can_receive(11));
}

TEST(LatencyQueue, AFullQueueTakesNoMore) {
  LatencyQueue<int> queue(2, 1);
  queue.send(1, 0);
  queue.send(2, 0);
  EXPECT_FALSE(queue.can_send());
  queue.receive();
  EXPECT_TRUE(queue.can_send());
}

TEST(LatencyQueue, KeepsOrderAcrossItsWrapAround) {
  LatencyQueue<int> queue(3, 1);
  int received = 0;
  for (int i = 0; i < 20; ++i) {
    queue.send(i, static_cast<Cycle>(i));
    if (i % 2 == 0) continue;
    EXPECT_EQ(queue.receive(), received++);
    EXPECT_EQ(queue.receive(), received++);
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.ready_at(), kNever);
}

}  // namespace
}  // namespace raddle
