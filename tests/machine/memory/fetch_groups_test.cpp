// Multiprocessors of a group that fetch the same lines.
#include "machine/interconnect/fetch_groups.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  bool loads = false;   // interconnect.group_loads
  Packet::Reply reply = Packet::Reply::fill;
  SectorMask of_others = kWholeLine;  // what all but the first ask for
};

Fetched fetch(unsigned sms, unsigned group, CacheId cache, const Asked& asked = {}) {
  RigConfig config;
  config.interconnect.fetch_group.set(std::to_string(group));
  config.interconnect.group_loads.set(asked.loads ? "true" : "false");
  config.l2.halves.set(std::to_string(asked.halves));
  std::vector<std::unique_ptr<MemoryPort>> ports;
  std::vector<MemoryPort*> of_memory;
  for (unsigned sm = 0; sm < sms; ++sm) {
    ports.push_back(std::make_unique<MemoryPort>(std::max(8u, asked.lines), asked.replies));
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
                                  .sectors = sm == 0 ? kWholeLine : asked.of_others,
                                  .reply = asked.reply,
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

TEST(FetchGroups, OfLoadsAskOnceForData) {
  const Fetched fetched = fetch(6, 3, CacheId::l1, {.loads = true});
  EXPECT_EQ(fetched.requests, 2u);
  EXPECT_EQ(fetched.answers, std::vector<unsigned>(6, 1));
}

/// More lines than the table begins with, each in two rounds: nothing is lost, or answered twice.
TEST(FetchGroups, AnswerEachOfManyLines) {
  const Fetched fetched =
      fetch(16, 8, CacheId::l1, {.replies = 4, .lines = 100, .rounds = 2, .loads = true});
  EXPECT_EQ(fetched.answers, std::vector<unsigned>(16, 200));
  EXPECT_EQ(fetched.requests + fetched.joined, 16u * 200);
}

/// A part of the sectors under way is shared, more than them is not.
TEST(FetchGroups, ShareSectorsThatAreUnderWay) {
  EXPECT_EQ(fetch(3, 3, CacheId::l1, {.loads = true, .of_others = 0b0010}).requests, 1u);
}

TEST(FetchGroups, LeaveLoadsPastTheCacheAlone) {
  EXPECT_EQ(fetch(6, 3, CacheId::l1, {.loads = true, .reply = Packet::Reply::complete}).requests,
            6u);
}

}  // namespace
}  // namespace raddle::machine
