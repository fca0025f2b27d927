#include "machine/dispatch/record_port.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

struct RecordPortTest : testing::Test {
  /// What the network takes at cycle `now`, if anything.
  std::vector<Packet> sent(Cycle now) {
    port.cycle(now);
    std::vector<Packet> packets;
    while (port.port().requests.can_receive(now + 1)) {
      packets.push_back(port.port().requests.receive());
    }
    return packets;
  }
  RecordPort port{13};
  int done = 0;
};

TEST_F(RecordPortTest, ALoadIsAPacketForEachLineAndSectorsThatItTouches) {
  port.load(0x1070, 0x50, [&] { ++done; });  // the last 16 bytes of a line, and 64 of the next
  EXPECT_EQ(port.wake(), 0u);
  const std::vector<Packet> first = sent(5), second = sent(6);
  ASSERT_EQ(first.size(), 1u) << "one per cycle";
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(first[0].line, 0x1000u);
  EXPECT_EQ(first[0].sectors, 0b1000);
  EXPECT_EQ(second[0].line, 0x1080u);
  EXPECT_EQ(second[0].sectors, 0b0011);
  EXPECT_EQ(first[0].sm, 13u) << "where the answer goes";
  EXPECT_EQ(port.wake(), kNever);
  port.port().replies.send(second[0], 10);
  port.cycle(11);
  EXPECT_EQ(done, 0);
  port.port().replies.send(first[0], 20);
  EXPECT_EQ(port.wake(), 21u);
  port.cycle(21);
  EXPECT_EQ(done, 1);
}

TEST_F(RecordPortTest, NobodyWaitsForStores) {
  port.store(0x2000, 20);
  const std::vector<Packet> packets = sent(1);
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_EQ(packets[0].type, AccessType::store);
  EXPECT_EQ(packets[0].sectors, 0b0001);
  port.port().replies.send(packets[0], 5);  // the L2 cache acknowledges it
  port.cycle(6);
  EXPECT_EQ(port.wake(), kNever);
}

}  // namespace
}  // namespace raddle::machine
