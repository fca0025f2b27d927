// The load-store unit. The test plays the multiprocessor and the network.
#include "machine/load_store/load_store.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <map>

#include "isa/form.h"
#include "machine/coalescer/config.h"
#include "machine/l1/config.h"
#include "machine/load_store/config.h"

namespace raddle::machine {
namespace {

using ::testing::ElementsAre;
using Space = isa::MemoryAccess::Space;

class LoadStoreTest : public ::testing::Test {
 protected:
  LoadStoreTest() {
    config_.shared.bank_bytes = 4u;
    config_.shared.latency = 26u;
    config_.shared.conflict_interval = 1u;
    config_.shared.conflict_latency = 14u;
    config_.constant.latency = 16u;
    config_.constant_l15.latency = 100u;
    config_.l1.latency = 32u;
    config_.l1.cache_global = true;
    config_.coalescer.request_bytes = 1024u;
  }
  void start() { unit_ = std::make_unique<LoadStore>(config_, 0, stats_, events_, host_clock_); }

  /// Lane i accesses word i * stride of `space`; the code's number tells instructions apart.
  void issue(std::uint32_t code, Space space, Address stride, LaneMask lanes = kAllLanes,
             AccessType type = AccessType::load, isa::CacheOperator cache = {},
             bool joined = false) {
    isa::WarpContext context;
    context.access.joined = joined;
    context.access.space = space;
    context.access.type = type;
    context.access.bytes = 4;
    context.access.cache = static_cast<std::uint8_t>(cache);
    context.access.lanes = lanes;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      context.access.address[lane] = lane * stride * 4;
    }
    unit_->issue(0, code, context);
  }
  /// Cycles; the network answers every request `network_` cycles after it was sent.
  void run(unsigned cycles) {
    while (cycles-- != 0) {
      ++now_;
      events_.take(now_, [&](const WarpEvent& event) {
        unit_->finish(event.path);
        completed_[event.code].push_back(now_);
      });
      unit_->cycle(now_, [&](unsigned, std::uint32_t code) { completed_[code].push_back(now_); });
      MemoryPort& port = unit_->port();
      if (network_busy_ || !port.requests.can_receive(now_)) continue;
      requests_.push_back(port.requests.receive());
      port.replies.send_at(requests_.back(), now_ + network_);
    }
  }
  void forget() {
    requests_.clear();
    completed_.clear();
  }

  GpuConfig config_;
  StatGroup stats_{"sm"};
  WarpEvents events_;
  HostClock host_clock_{false};
  std::unique_ptr<LoadStore> unit_;
  Cycle now_ = 100, network_ = 200;
  bool network_busy_ = false;  // takes nothing
  std::vector<Packet> requests_;
  std::map<std::uint32_t, std::vector<Cycle>> completed_;
};

TEST_F(LoadStoreTest, ASharedLoadTakesItsLatency) {
  start();
  const Cycle issued = now_;
  issue(1, Space::shared, 1);
  run(50);
  EXPECT_THAT(completed_[1], ElementsAre(issued + 26));
  EXPECT_TRUE(unit_->drained());
}

TEST_F(LoadStoreTest, BankConflictsSerialise) {
  start();
  const Cycle issued = now_;
  issue(1, Space::shared, 4);  // four lanes per bank: four passes
  issue(2, Space::shared, 1);
  run(100);
  EXPECT_THAT(completed_[1], ElementsAre(issued + 26 + 3 * 14));
  EXPECT_THAT(completed_[2], ElementsAre(issued + 4 + 26));  // begins after those passes
}

TEST_F(LoadStoreTest, SharedAtomicsTakeATurnForEachLaneOfAWord) {
  config_.shared.atomic_latency = 93u;
  config_.shared.atomic_conflict_latency = 134u;
  config_.shared.atomic_passes = 2u;
  start();
  const Cycle issued = now_;
  issue(1, Space::shared, 0, 0xf, AccessType::atomic);
  issue(2, Space::shared, 1);
  run(600);
  EXPECT_THAT(completed_[1], ElementsAre(issued + 93 + 3 * 134));
  EXPECT_THAT(completed_[2], ElementsAre(issued + 2 * 4 + 26));
}

TEST_F(LoadStoreTest, SwapsOfALoopTakeOnePassAndItsLoadIsLater) {
  config_.shared.atomic_latency = 30u;
  config_.shared.swap_delay = 20u;
  start();
  const Cycle issued = now_;
  issue(1, Space::shared, 0, kAllLanes, AccessType::load, {}, true);
  issue(2, Space::shared, 0, kAllLanes, AccessType::atomic, {}, true);
  issue(3, Space::shared, 1);
  run(100);
  EXPECT_THAT(completed_[1], ElementsAre(issued + 26 + 20));
  EXPECT_THAT(completed_[2], ElementsAre(issued + 1 + 30));
  EXPECT_THAT(completed_[3], ElementsAre(issued + 2 + 26));
}

TEST_F(LoadStoreTest, AResultLaterThanTheEventsReachComesInTime) {
  config_.shared.atomic_latency = 93u;
  config_.shared.atomic_conflict_latency = 134u;
  start();
  const Cycle issued = now_;
  issue(1, Space::shared, 0, kAllLanes, AccessType::atomic);
  EXPECT_GT(93 + 31 * 134, WarpEvents::kSpan);
  run(5000);
  EXPECT_THAT(completed_[1], ElementsAre(issued + 93 + 31 * 134));
  EXPECT_TRUE(unit_->drained());
}

TEST_F(LoadStoreTest, AConstantComesFromTheNextLevelOnceAndThenFromTheFirst) {
  start();
  issue(1, Space::constant, 0);
  run(300);
  ASSERT_EQ(requests_.size(), 1u);
  EXPECT_EQ(requests_[0].cache, CacheId::constant);
  EXPECT_EQ(completed_[1].size(), 1u);
  const Cycle issued = now_;
  issue(2, Space::constant, 0);
  run(50);
  EXPECT_THAT(completed_[2], ElementsAre(issued + 16));
  EXPECT_EQ(requests_.size(), 1u);
}

// CUDA C Programming Guide, "Constant Memory": a request is split into as many as there are
// different addresses in it.
TEST_F(LoadStoreTest, DifferentConstantsComeOneAfterTheOther) {
  start();
  issue(1, Space::constant, 1, 0xfu);
  run(300);
  const Cycle issued = now_;
  issue(2, Space::constant, 1, 0xfu);
  run(50);
  EXPECT_THAT(completed_[2], ElementsAre(issued + 16 + 3));
}

// CUDA C Programming Guide, "Local Memory": consecutive words are accessed by consecutive threads,
// so that a warp which accesses one relative address is coalesced.
TEST_F(LoadStoreTest, AWarpsAccessToOnePlaceInLocalMemoryIsOneTransaction) {
  start();
  issue(1, Space::local, 0);
  run(300);
  EXPECT_EQ(total(stats_, "coalescer", "transactions"), 1u);
  EXPECT_EQ(total(stats_, "coalescer", "sectors"), 4u);
}

TEST_F(LoadStoreTest, AConstantInTheSecondLevelTakesItsLatency) {
  config_.constant.bytes = 256u;  // one set of four lines of 64 bytes
  start();
  issue(1, Space::constant, 16);  // 32 lines of 64 bytes: the first are replaced
  run(2000);
  forget();
  const Cycle issued = now_;
  issue(2, Space::constant, 0);
  run(300);
  EXPECT_THAT(completed_[2], ElementsAre(issued + 100));
  EXPECT_TRUE(requests_.empty());
}

TEST_F(LoadStoreTest, ReadOnlyLoadsGoToTheCacheOfTheirOwn) {
  config_.read_only.sets = 4u;
  config_.read_only.latency = 112u;
  start();
  issue(1, Space::global, 1, kAllLanes, AccessType::load, isa::CacheOperator::nc);
  issue(2, Space::global, 1);
  run(400);
  ASSERT_EQ(requests_.size(), 2u);  // each cache asks for itself
  EXPECT_NE(requests_[0].cache, requests_[1].cache);
  const Cycle issued = now_;
  issue(3, Space::global, 1, kAllLanes, AccessType::load, isa::CacheOperator::nc);
  run(200);
  EXPECT_THAT(completed_[3], ElementsAre(issued + 112));
  EXPECT_TRUE(unit_->drained());
}

// gpu-benches, H200, L1 hits of 32-bit loads: 4 cycles per load at stride 4 (banks), 2 at stride 5
// and 3 at stride 9 (5 and 9 lines, four of which are looked up in a cycle).
TEST_F(LoadStoreTest, AnL1CacheInTheBanksOfSharedMemoryHasTheirConflicts) {
  config_.l1.shared_banks = true;
  config_.l1.lookups = 4u;
  config_.l1.sets = 64u;
  config_.l1.input_queue = 16u;
  start();
  const std::map<Address, Cycle> cycles_by_stride = {{1, 1}, {2, 2}, {4, 4},
                                                     {5, 2}, {8, 8}, {9, 3}};
  for (const auto& [stride, cycles] : cycles_by_stride) {
    issue(1, Space::global, stride);
    run(1000);
    forget();
    issue(2, Space::global, stride);
    issue(3, Space::global, stride);
    run(100);
    EXPECT_EQ(completed_[3].front() - completed_[2].front(), cycles) << "stride " << stride;
  }
}

TEST_F(LoadStoreTest, TheQueueIsBounded) {
  config_.load_store.queue = 3u;
  start();
  unsigned issued = 0;
  while (unit_->can_issue() && issued < 100) issue(issued++, Space::global, 1);
  EXPECT_EQ(issued, 3u);
}

TEST_F(LoadStoreTest, SharedMemoryTakesWaysOfTheL1Cache) {
  config_.l1.sets = 1u;
  config_.l1.ways = 12u;  // of 128 bytes
  config_.l1.carve_outs.set("0,1");
  start();
  unit_->reserve_shared(1000);  // 1 KB: 8 of 12 ways
  for (Address line = 0; line < 5; ++line)
    issue(1, Space::global, 32, LaneMask{1} << line), run(300);
  forget();
  issue(2, Space::global, 32, 1u);  // the first of five lines in four ways
  run(300);
  EXPECT_EQ(requests_.size(), 1u);
}

/// A unit that only counts what comes back to it.
struct Client : AccessClient {
  Cycle data_came(PathId, std::uint32_t, Cycle now) override { return now; }
  void returned(std::uint32_t tag, Cycle now) override { came[tag] = now; }
  std::map<std::uint32_t, Cycle> came;
};

/// Lane i: a line of its own, far from what issue() accesses.
isa::MemoryAccess scattered(unsigned lanes) {
  isa::MemoryAccess access;
  access.space = Space::global;
  access.bytes = 4;
  access.bypass_l1 = true;
  access.lanes = lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) access.address[lane] = (4096 + lane) * 128;
  return access;
}

TEST_F(LoadStoreTest, ABackgroundAccessIsSentWhenNothingElseIs) {
  config_.load_store.background_patience = 1 << 20;
  start();
  Client client;
  for (std::uint32_t code = 1; code <= 4; ++code) issue(code, Space::global, 32 * code);
  unit_->post(client, 7, scattered(2), true);
  run(1000);
  ASSERT_GE(requests_.size(), 2u);
  for (std::size_t n = 0; n + 2 < requests_.size(); ++n) EXPECT_LT(requests_[n].line, 4096u * 128);
  EXPECT_EQ(requests_[requests_.size() - 2].line, 4096u * 128);
  EXPECT_EQ(requests_.back().line, 4097u * 128);
  EXPECT_EQ(client.came.count(7), 1u);
  EXPECT_TRUE(unit_->drained());
}

TEST_F(LoadStoreTest, ABackgroundAccessWaitsNoLongerThanItsPatience) {
  // The unit is kept busy: a load of 32 lines whenever it takes one.
  config_.load_store.background_patience = 150;
  network_ = 20;
  start();
  Client client;
  issue(1, Space::global, 32);
  unit_->post(client, 7, scattered(2), true);
  for (std::uint32_t code = 2; code < 40; ++code) {
    while (!unit_->can_issue()) run(1);
    issue(code, Space::global, 32 * code);
    run(10);
  }
  EXPECT_EQ(client.came.count(7), 1u);
}

TEST_F(LoadStoreTest, EachBackgroundAccessWaitsNoLongerThanThat) {
  config_.load_store.background_patience = 150;
  network_ = 20;
  start();
  Client client;
  issue(1, Space::global, 32);
  for (std::uint32_t tag = 7; tag < 11; ++tag) unit_->post(client, tag, scattered(2), true);
  for (std::uint32_t code = 2; code < 12; ++code) {  // some 300 cycles, not four times 150
    while (!unit_->can_issue()) run(1);
    issue(code, Space::global, 32 * code);
    run(10);
  }
  for (std::uint32_t tag = 7; tag < 11; ++tag) EXPECT_EQ(client.came.count(tag), 1u) << tag;
}

TEST_F(LoadStoreTest, AnOwnAccessOfNormalPriorityTakesItsTurn) {
  start();
  Client client;
  issue(1, Space::global, 32);
  unit_->post(client, 7, scattered(1), false);
  issue(2, Space::global, 64);
  run(1000);
  std::size_t own = 0, second = 0;
  for (std::size_t n = 0; n < requests_.size(); ++n) {
    if (requests_[n].line == 4096u * 128) own = n;
    if (requests_[n].line == 31u * 64 * 4 / 128 * 128) second = n;
  }
  EXPECT_GT(own, 0u);
  EXPECT_GT(second, own);
  EXPECT_EQ(client.came.count(7), 1u);
}

/// When a load that is issued `after` cycles behind a background access of 32 lines completes.
TEST_F(LoadStoreTest, BackgroundAccessesDelayALoadByACycleAtMost) {
  for (const bool hits : {true, false}) {
    for (unsigned after = 0; after < 45; ++after) {
      Cycle taken[2];
      for (const bool background : {false, true}) {
        start();
        forget();
        Client client;
        if (hits) issue(1, Space::global, 1);
        run(500);
        if (background) unit_->post(client, 7, scattered(32), true);
        run(after);
        issue(2, Space::global, 1);
        const Cycle issued = now_;
        run(1000);
        ASSERT_EQ(completed_[2].size(), 1u);
        taken[background] = completed_[2][0] - issued;
        EXPECT_EQ(client.came.size(), background ? 1u : 0u);
      }
      EXPECT_LE(taken[1], taken[0] + 1) << (hits ? "hit" : "miss") << " after " << after;
    }
  }
}

TEST_F(LoadStoreTest, BackgroundAccessesThatWaitForTheNetworkDoNotHoldUpHits) {
  Cycle taken[2];
  for (const bool background : {false, true}) {
    start();
    forget();
    Client client;
    issue(1, Space::global, 1);
    run(500);
    network_busy_ = true;
    if (background) unit_->post(client, 7, scattered(32), true);
    run(100);
    issue(2, Space::global, 1);
    const Cycle issued = now_;
    run(100);
    ASSERT_EQ(completed_[2].size(), 1u) << (background ? "behind them" : "alone");
    taken[background] = completed_[2][0] - issued;
    network_busy_ = false;
    run(1000);
    EXPECT_EQ(client.came.size(), background ? 1u : 0u);
  }
  EXPECT_EQ(taken[1], taken[0]);
}

TEST_F(LoadStoreTest, ItWakesForBackgroundAccesses) {
  // What runs only in cycles from wake() on is the same as what runs in all.
  std::map<std::uint32_t, Cycle> came[2];
  for (const bool skips : {false, true}) {
    start();
    forget();
    now_ = 100;
    Client client;
    issue(1, Space::global, 32);
    unit_->post(client, 7, scattered(20), true);
    unit_->post(client, 8, scattered(3), true);
    for (unsigned n = 0; n < 2000; ++n) {
      if (!skips || unit_->wake() <= now_ + 1) {
        run(1);
        continue;
      }
      ++now_;
      MemoryPort& port = unit_->port();
      if (port.requests.can_receive(now_)) {
        port.replies.send_at(port.requests.receive(), now_ + network_);
      }
    }
    came[skips] = client.came;
  }
  EXPECT_EQ(came[0].size(), 2u);
  EXPECT_EQ(came[0], came[1]);
}

}  // namespace
}  // namespace raddle::machine
