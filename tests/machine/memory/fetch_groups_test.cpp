// Multiprocessors of a group that fetch the same code.
#include "machine/interconnect/fetch_groups.h"

#include <gtest/gtest.h>

#include "rig.h"

namespace raddle::machine {
namespace {

struct Fetched {
  std::uint64_t requests = 0;     // that reached the L2 cache
  std::uint64_t joined = 0;       // that did not cross the network
  std::vector<unsigned> answers;  // [multiprocessor]
};

/// Multiprocessors that all ask for the same lines at once, as many of a group as `group` says.
struct Asked {
  unsigned replies = 64;  // room for them
  unsigned lines = 1;
  unsigned halves = 1;
  unsigned rounds = 1;  // each after the answers of the one before
};

Fetched fetch(unsigned sms, unsigned group, CacheId cache, const Asked& asked = {}) {
  RigConfig config;
  config.interconnect.fetch_group.set(std::to_string(group));
  config.l2.halves.set(std::to_string(asked.halves));
  std::vector<std::unique_ptr<MemoryPort>> ports;
  std::vector<MemoryPort*> of_memory;
  for (unsigned sm = 0; sm < sms; ++sm) {
    ports.push_back(std::make_unique<MemoryPort>(8, asked.replies));
    of_memory.push_back(ports.back().get());
  }
  StatGroup root("");
  MemorySystem memory({config.interconnect, config.l2, config.dram, config.core_mhz,
                       config.dram_mhz, config.perfect},
                      of_memory, root);
  Fetched fetched{0, 0, std::vector<unsigned>(sms, 0)};
  for (unsigned round = 0; round < asked.rounds; ++round) {
    const Cycle begin = round * Cycle{5000};
    for (unsigned sm = 0; sm < sms; ++sm) {
      for (unsigned line = 0; line < asked.lines; ++line) {
        ports[sm]->requests.send({.line = 0x10000 + Address{line} * kLineBytes,
                                  .sm = static_cast<std::uint16_t>(sm),
                                  .sectors = kWholeLine,
                                  .reply = Packet::Reply::fill,
                                  .cache = cache},
                                 begin);
      }
      memory.requested(sm);
    }
    for (Cycle now = begin; now < begin + 5000; ++now) {
      for (unsigned sm = 0; sm < sms; ++sm) {
        if (!ports[sm]->replies.can_receive(now)) continue;
        EXPECT_EQ(ports[sm]->replies.receive().sm, sm);
        ++fetched.answers[sm];
      }
      for (unsigned p = 0; p < memory.partitions(); ++p) memory.cycle_partition(p, now);
      memory.exchange(now);
    }
  }
  EXPECT_TRUE(memory.empty());
  fetched.requests = total(root, "l2", "requests");
  fetched.joined = total(root, "requests", "joined");
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
  const Fetched fetched = fetch(6, 6, CacheId::instruction, {.replies = 1, .lines = 8});
  EXPECT_EQ(fetched.requests, 8u);
  EXPECT_EQ(fetched.answers, std::vector<unsigned>(6, 8));
}

/// Pairs of multiprocessors belong to the halves in turn: each half is asked once a round.
TEST(FetchGroups, OfTwoHalvesAskOnceEach) {
  const Fetched fetched = fetch(8, 8, CacheId::instruction, {.halves = 2, .rounds = 2});
  EXPECT_EQ(fetched.joined, 2 * 6u);
  EXPECT_EQ(fetched.answers, std::vector<unsigned>(8, 2));
}

TEST(FetchGroups, LeaveDataAlone) { EXPECT_EQ(fetch(6, 3, CacheId::l1).requests, 6u); }

}  // namespace
}  // namespace raddle::machine
