// Multiprocessors of a group that fetch the same code.
#include "machine/interconnect/fetch_groups.h"

#include <gtest/gtest.h>

#include "rig.h"

namespace raddle::machine {
namespace {

struct Fetched {
  std::uint64_t requests = 0;     // that reached the L2 cache
  std::vector<unsigned> answers;  // [multiprocessor]
};

/// Multiprocessors that all ask for the same lines at once, as many of a group as `group` says.
Fetched fetch(unsigned sms, unsigned group, CacheId cache, unsigned replies = 64,
              unsigned lines = 1) {
  RigConfig config;
  config.interconnect.fetch_group = group;
  std::vector<std::unique_ptr<MemoryPort>> ports;
  std::vector<MemoryPort*> of_memory;
  for (unsigned sm = 0; sm < sms; ++sm) {
    ports.push_back(std::make_unique<MemoryPort>(8, replies));
    of_memory.push_back(ports.back().get());
  }
  StatGroup root("");
  MemorySystem memory({config.interconnect, config.l2, config.dram, config.core_mhz,
                       config.dram_mhz, config.perfect},
                      of_memory, root);
  for (unsigned sm = 0; sm < sms; ++sm) {
    for (unsigned line = 0; line < lines; ++line) {
      ports[sm]->requests.send({.line = 0x10000 + Address{line} * kLineBytes,
                                .sm = static_cast<std::uint16_t>(sm),
                                .sectors = kWholeLine,
                                .reply = Packet::Reply::fill,
                                .cache = cache},
                               0);
    }
    memory.requested(sm);
  }
  Fetched fetched{0, std::vector<unsigned>(sms, 0)};
  for (Cycle now = 0; now < 5000; ++now) {
    for (unsigned sm = 0; sm < sms; ++sm) {
      if (!ports[sm]->replies.can_receive(now)) continue;
      EXPECT_EQ(ports[sm]->replies.receive().sm, sm);
      ++fetched.answers[sm];
    }
    for (unsigned p = 0; p < memory.partitions(); ++p) memory.cycle_partition(p, now);
    memory.exchange(now);
  }
  EXPECT_TRUE(memory.empty());
  fetched.requests = total(root, "l2", "requests");
  return fetched;
}

TEST(FetchGroups, AskOnceAndAllAreAnswered) {
  const Fetched fetched = fetch(6, 3, CacheId::instruction);
  EXPECT_EQ(fetched.requests, 2u);
  EXPECT_EQ(fetched.answers, std::vector<unsigned>(6, 1));
}

TEST(FetchGroups, OfOneAskEachForItself) {
  EXPECT_EQ(fetch(6, 1, CacheId::instruction).requests, 6u);
}

/// Of several lines at once, with room for one answer: some have to wait for it.
TEST(FetchGroups, WaitForRoom) {
  const Fetched fetched = fetch(6, 6, CacheId::instruction, 1, 8);
  EXPECT_EQ(fetched.requests, 8u);
  EXPECT_EQ(fetched.answers, std::vector<unsigned>(6, 8));
}

TEST(FetchGroups, LeaveDataAlone) { EXPECT_EQ(fetch(6, 3, CacheId::l1).requests, 6u); }

}  // namespace
}  // namespace raddle::machine
