#include "machine/sm/state_mover.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

struct StateMoverTest : testing::Test {
  /// All that it can send from cycle `now` on, one packet a cycle.
  std::vector<Packet> sent(Cycle now) {
    std::vector<Packet> packets;
    for (; mover.can_send(); ++now) {
      mover.send(now);
      while (port.requests.can_receive(now + 1)) packets.push_back(port.requests.receive());
    }
    return packets;
  }
  void answer(const Packet& packet, Cycle now) {
    port.replies.send(packet, now);
    mover.receive(now + 1);
  }
  MemoryPort port{2, 8};
  StatGroup group{"sm"};
  PreemptionStats stats{group, "preemption"};
  StateMover mover{5, port, stats};
};

// 300 bytes are two lines, a sector and half of one: as many packets and sectors go.
TEST_F(StateMoverTest, SavesLineByLineAndIsDoneWhenAllIsAcknowledged) {
  const StateMover::Number number = mover.save(0x1000, 300, {});
  const std::vector<Packet> packets = sent(1);
  ASSERT_EQ(packets.size(), 3u);
  for (const Packet& packet : packets) {
    EXPECT_EQ(packet.type, AccessType::store);
    EXPECT_EQ(packet.cache, CacheId::state);
    EXPECT_EQ(packet.sm, 5u);
    EXPECT_EQ(packet.whole, packet.sectors);
  }
  EXPECT_EQ(packets[1].line, 0x1080u);
  EXPECT_EQ(packets[2].sectors, 0b0011);
  EXPECT_EQ(stats.saved_bytes, 2u * 128 + 2 * 32);
  for (const Packet& packet : packets) {
    EXPECT_FALSE(mover.done(number));
    answer(packet, 10);
  }
  EXPECT_TRUE(mover.done(number));
  EXPECT_FALSE(mover.waits());
}

TEST_F(StateMoverTest, TransfersGoOneAfterTheOtherAndEndByThemselves) {
  const StateMover::Number first = mover.restore(0x1000, 128), second = mover.restore(0x2000, 128);
  const std::vector<Packet> packets = sent(1);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[0].line, 0x1000u);
  EXPECT_EQ(packets[0].type, AccessType::load);
  answer(packets[1], 10);
  EXPECT_FALSE(mover.done(first));
  EXPECT_TRUE(mover.done(second));
  EXPECT_EQ(stats.restored_bytes, 256u);
}

// Nobody waits for a dropped one; what only the L1 cache knew goes where it belongs all the same.
TEST_F(StateMoverTest, DroppedTransfersSendTheirLinesAlone) {
  const StateMover::Number dropped =
      mover.save(0x1000, 1024, {{.line = 0x8000, .sectors = 0b0110, .whole = 0b0010}});
  mover.send(1);
  const Packet before = port.requests.receive();
  mover.drop(dropped);
  const StateMover::Number next = mover.save(0x3000, 32, {});
  const std::vector<Packet> packets = sent(2);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[0].line, 0x8000u);
  EXPECT_EQ(packets[0].sectors, 0b0110);
  EXPECT_EQ(packets[0].whole, 0b0010);
  EXPECT_EQ(packets[1].line, 0x3000u);
  answer(before, 10);
  answer(packets[0], 12);
  EXPECT_FALSE(mover.done(next));
  answer(packets[1], 14);
  EXPECT_TRUE(mover.done(next));
  EXPECT_FALSE(mover.waits());
}

TEST_F(StateMoverTest, LeavesRepliesToOthers) {
  mover.restore(0x1000, 32);
  sent(1);
  Packet other;
  other.cache = CacheId::l1;
  answer(other, 10);
  EXPECT_TRUE(port.replies.can_receive(11));
}

}  // namespace
}  // namespace raddle::machine
