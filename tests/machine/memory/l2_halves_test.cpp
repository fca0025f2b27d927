// An L2 cache of two halves: which addresses each has, which half keeps copies, and that two halves
// that ask each other do not deadlock.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "rig.h"

namespace raddle::machine {
namespace {

constexpr unsigned kLink = 70;

/// Multiprocessors 0 and 1 are of the first half, 2 and 3 of the second.
struct Halved : RigConfig {
  Halved() {
    l2.halves = 2u;
    l2.link_latency = kLink;
  }
};

/// The n-th line whose home is in that half.
Address line_of(const RigConfig& config, bool second_half, unsigned n = 0) {
  const AddressMap map(config.dram.channels * config.l2.slices_per_channel,
                       config.l2.slices_per_channel, config.l2.chunk_bytes, config.l2.hash, 2);
  for (Address line = 0;; line += kLineBytes) {
    if (map.is_in_second_half(map.slice(line)) == second_half && n-- == 0) return line;
  }
}

class L2Halves : public testing::Test {
 protected:
  Cycle load(Address line, unsigned sm = 0) { return access({.line = line, .sectors = 1}, sm); }
  Cycle store(Address line, unsigned sm = 0) {
    return access({.line = line, .sectors = 1, .whole = 1, .type = AccessType::store}, sm);
  }
  Cycle add(Address line, unsigned sm = 0) {
    return access(
        {.line = line, .sectors = 1, .type = AccessType::atomic, .operations = 1, .contention = 1},
        sm);
  }
  Cycle access(const Transaction& transaction, unsigned sm) {
    const Cycle latency = rig_.latency(transaction, sm);
    rig_.drain();
    return latency;
  }

  Halved config_;
  Rig rig_{config_, 4};
  const Address near_ = line_of(config_, false), far_ = line_of(config_, true);
};

// There and back, and a cycle each to be sent and taken.
constexpr Cycle kMore = 2 * kLink + 2;

TEST_F(L2Halves, TheOtherHalfsLinesTakeTheLinkOnceAndThenAreCopies) {
  const Cycle near_miss = load(near_), near_hit = load(near_);
  EXPECT_NEAR(static_cast<double>(load(far_)), static_cast<double>(near_miss + kMore), 2);
  EXPECT_EQ(load(far_), near_hit);
  EXPECT_EQ(load(far_, 1), near_hit) << "its neighbour is of the same half";
  EXPECT_EQ(rig_.sum("l2", "far_loads"), 1u);
  EXPECT_EQ(rig_.sum("l2", "far_misses"), 1u);
  EXPECT_EQ(rig_.sum("dram", "reads"), 2u);
}

TEST_F(L2Halves, WhatTheOtherHalfHasComesFromThere) {
  load(near_);
  const Cycle hit = load(near_);
  load(far_, 2);
  EXPECT_EQ(load(far_, 2), hit) << "near for the second half";
  EXPECT_EQ(load(far_), hit + kMore);
  EXPECT_EQ(rig_.sum("l2", "far_misses"), 0u);
}

TEST_F(L2Halves, WhatTheHomeChangesTheOtherHalfForgets) {
  load(near_);
  const Cycle hit = load(near_);
  for (const bool atomic : {false, true}) {
    load(far_);
    EXPECT_EQ(load(far_), hit);
    atomic ? add(far_, 3) : store(far_, 3);
    EXPECT_EQ(load(far_), hit + kMore);
  }
  EXPECT_EQ(rig_.sum("l2", "dropped_copies"), 2u);
  // Now there is a copy again; two stores drop it once.
  const std::uint64_t before = rig_.sum("link_requests", "packets");
  store(far_, 3);
  store(far_, 3);
  EXPECT_EQ(rig_.sum("link_requests", "packets"), before + 1);
}

TEST_F(L2Halves, WhatOneChangesInTheOtherHalfIsDoneThere) {
  load(near_);
  const Cycle hit = load(near_), near_add = add(near_);
  load(far_);
  EXPECT_EQ(add(far_), near_add + kMore);
  EXPECT_EQ(load(far_), hit + kMore) << "the copy was dropped";
  store(far_);
  EXPECT_EQ(load(far_), hit + kMore);
  EXPECT_EQ(load(far_, 2), hit);
}

TEST_F(L2Halves, CopiesTakeRoomAndAreReplaced) {
  Halved config;
  config.l2.sets = 1u;
  config.l2.ways = 4u;
  Rig rig(config, 4);
  const AddressMap map(config.dram.channels * config.l2.slices_per_channel,
                       config.l2.slices_per_channel, config.l2.chunk_bytes, config.l2.hash, 2);
  const Address first = line_of(config, true);
  // Five lines of one slice of the other half: in its partner there is room for four copies.
  std::vector<Address> lines;
  for (Address line = first; lines.size() < 5; line += kLineBytes) {
    if (map.slice(line) == map.slice(first)) lines.push_back(line);
  }
  for (unsigned round = 0; round < 2; ++round) {
    for (const Address line : lines) {
      rig.latency({.line = line, .sectors = 1});
      rig.drain();
    }
  }
  EXPECT_EQ(rig.sum("l2", "hits"), 0u);
  EXPECT_EQ(rig.sum("l2", "far_loads"), 10u);
}

/// Random accesses of all kinds by both halves to few lines, with next to no resources.
struct Completion {
  unsigned sm;
  std::uint32_t token;
  Cycle time;
  bool operator==(const Completion&) const = default;
};

struct Starved : Halved {
  Starved() {
    l1.cache_global = true;
    l2.sets = 1u;
    l2.ways = 2u;
    l2.miss_registers = 1u;
    l2.miss_merges = 2u;
    l2.output_queue = 1u;
    l2.link_latency = 3u;
    l2.link_bytes = 8u;
    interconnect.slice_queue = 1u;
    dram.channels = 2u;
    dram.input_queue = 2u;
  }
};

std::vector<Completion> run_traffic(Rig& rig, unsigned accesses) {
  std::mt19937 random(7);
  std::vector<Completion> completed;
  std::uint32_t accepted = 0;
  while (accepted < accesses || !rig.empty()) {
    if (accepted == accesses) rig.skip(kNever);
    rig.cycle(
        [&](unsigned sm, std::uint32_t token) { completed.push_back({sm, token, rig.now()}); },
        [&](unsigned sm) {
          if (accepted == accesses || !rig.l1(sm).can_accept()) return;
          Transaction t;
          t.line = Address{random() % 64} * kLineBytes;
          t.sectors = static_cast<SectorMask>(1 + random() % 15);
          t.type = static_cast<AccessType>(random() % 4);
          if (is_atomic(t.type)) t.operations = t.contention = 2;
          if (t.type == AccessType::store && random() % 2 == 0) t.whole = t.sectors;
          rig.l1(sm).accept(t, accepted++, rig.now());
        });
    if (rig.now() > 10'000'000) {
      ADD_FAILURE() << "somebody waits for ever: " << completed.size() << " of " << accepted;
      break;
    }
  }
  return completed;
}

TEST(L2HalvesTraffic, NobodyWaitsForEver) {
  // With a register for each way and a long link, copies on their way could take all ways of a set.
  for (const auto& [stores, registers] : {std::pair{"mask", 1u}, {"fetch", 1u}, {"mask", 4u}}) {
    Starved config;
    config.l2.partial_stores.set(stores);
    config.l2.miss_registers = registers;
    config.l2.link_latency = 50 * registers;
    Rig rig(config, 4);
    std::map<std::uint32_t, unsigned> times;
    for (const Completion& completion : run_traffic(rig, 4000)) ++times[completion.token];
    EXPECT_EQ(times.size(), 4000u);
    for (const auto& [token, count] : times) EXPECT_EQ(count, 1u) << token;
    EXPECT_EQ(rig.sum("l2", "requests"), rig.sum("l2", "replies"));
    EXPECT_EQ(rig.sum("link_requests", "packets") >= rig.sum("link_replies", "packets"), true);
    EXPECT_GT(rig.sum("l2", "stall_link"), 0u);
  }
}

TEST(L2HalvesTraffic, SkippingIdleCyclesChangesNothing) {
  for (const bool few : {false, true}) {
    const Halved some;
    const Starved none;
    const RigConfig& config = few ? static_cast<const RigConfig&>(none) : some;
    Rig skipped(config, 4, true), unskipped(config, 4, false);
    EXPECT_TRUE(run_traffic(skipped, 2000) == run_traffic(unskipped, 2000));
    for (const char* counter : {"hits", "far_loads", "stall_link", "dropped_copies", "replies"}) {
      EXPECT_EQ(skipped.sum("l2", counter), unskipped.sum("l2", counter)) << counter;
    }
  }
}

TEST(L2HalvesTraffic, ImpossibleHalvesAreRefused) {
  Halved config;
  config.dram.channels = 5u;
  EXPECT_THROW(Rig{config}, Error);
  config.dram.channels = 4u;
  config.l2.ways = 1u;
  EXPECT_THROW(Rig{config}, Error);
}

}  // namespace
}  // namespace raddle::machine
