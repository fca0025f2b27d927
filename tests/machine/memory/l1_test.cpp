#include "machine/l1/l1.h"

#include <fmt/core.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <map>

#include "base/stats.h"
#include "machine/l1/config.h"

namespace raddle::machine {
namespace {

using ::testing::ElementsAre;

/// An L1 cache between a program and a network that are both played by the test.
class L1Test : public ::testing::Test {
 protected:
  L1Test() {
    config_.sets = 1u;
    config_.ways = 2u;
    config_.latency = 32u;
    config_.miss_registers = 2u;
    config_.miss_merges = 2u;
    config_.cache_global = true;
    config_.fetch_line = false;
  }
  void start() {
    port_ = std::make_unique<MemoryPort>(config_.request_queue, config_.reply_queue);
    l1_ = std::make_unique<L1>(config_, 3, *port_, stats_);
  }
  void accept(const Transaction& transaction, std::uint32_t token) {
    ASSERT_TRUE(l1_->can_accept());
    l1_->accept(transaction, token, now_);
  }
  void cycle() {
    ++now_;
    l1_->cycle(now_);
    for (std::uint32_t token; l1_->take_completed(now_, token);) completed_[token].push_back(now_);
    if (port_->requests.can_receive(now_)) {
      requests_.push_back(port_->requests.receive());
    }
  }
  void run(unsigned cycles) {
    while (cycles-- != 0) cycle();
  }
  /// The network brings the answer to `requests_[index]`, to be received in the next cycle.
  void reply(std::size_t index) { port_->replies.send(requests_[index], now_); }
  void warm(Address line, SectorMask sectors) {
    accept({.line = line, .sectors = sectors}, 99);
    run(3);
    reply(requests_.size() - 1);
    run(2);
    requests_.clear();
    completed_.clear();
  }
  std::uint64_t counted(const char* name) const { return total(stats_, "l1", name); }

  ConfigGroup root_{""};
  L1Config config_{root_, "l1"};
  StatGroup stats_{"sm"};
  std::unique_ptr<MemoryPort> port_;
  std::unique_ptr<L1> l1_;
  Cycle now_ = 100;
  std::vector<Packet> requests_;
  std::map<std::uint32_t, std::vector<Cycle>> completed_;
};

TEST_F(L1Test, AHitTakesItsLatency) {
  start();
  warm(0, 0b0001);
  const Cycle accepted = now_;
  accept({.line = 0, .sectors = 0b0001}, 5);
  run(40);
  // Issue is the cycle before accept().
  EXPECT_THAT(completed_[5], ElementsAre(accepted + 31));
  EXPECT_TRUE(requests_.empty());
  EXPECT_EQ(counted("hits"), 1u);
  EXPECT_EQ(counted("misses"), 1u);
}

TEST_F(L1Test, AMissAsksForItsMissingSectorsAndCompletesWithTheReply) {
  start();
  warm(0, 0b0001);
  accept({.line = 0, .sectors = 0b0111}, 5);
  run(10);
  ASSERT_EQ(requests_.size(), 1u);
  EXPECT_EQ(requests_[0].sectors, 0b0110);
  EXPECT_EQ(requests_[0].sm, 3);
  EXPECT_TRUE(completed_.empty());
  reply(0);
  run(1);
  EXPECT_THAT(completed_[5], ElementsAre(now_));
}

TEST_F(L1Test, AMissFetchesTheLineWhereLinesAreFetched) {
  config_.fetch_line = true;
  start();
  accept({.line = 0, .sectors = 0b0001}, 5);
  run(5);
  EXPECT_EQ(requests_.at(0).sectors, kWholeLine);
}

TEST_F(L1Test, MissesOnOneSectorMergeUpToTheLimit) {
  start();
  for (std::uint32_t token : {1u, 2u, 3u}) accept({.line = 0, .sectors = 1}, token);
  run(20);
  EXPECT_EQ(requests_.size(), 1u);
  EXPECT_EQ(counted("merged"), 1u);
  reply(0);
  run(1);
  EXPECT_EQ(completed_[1].size() + completed_[2].size(), 2u);
  EXPECT_TRUE(completed_[3].empty());  // did not fit: looks the line up after the fill, and hits
  run(40);
  EXPECT_EQ(completed_[3].size(), 1u);
  EXPECT_GT(counted("stall_merges"), 10u);
  EXPECT_EQ(counted("hits"), 1u);
}

TEST_F(L1Test, AThirdLineWaitsForAMissRegister) {
  config_.ways = 4u;
  start();
  for (std::uint32_t i : {0u, 1u, 2u}) accept({.line = i * kLineBytes, .sectors = 1}, i);
  run(20);
  EXPECT_EQ(requests_.size(), 2u);
  reply(0);
  run(3);
  EXPECT_EQ(requests_.size(), 3u);
  EXPECT_GT(counted("stall_registers"), 10u);
}

TEST_F(L1Test, AThirdLineOfAFullSetWaitsForAFill) {
  config_.miss_registers = 8u;
  start();
  for (std::uint32_t i : {0u, 1u, 2u}) accept({.line = i * kLineBytes, .sectors = 1}, i);
  run(20);
  EXPECT_EQ(requests_.size(), 2u);
  EXPECT_EQ(l1_->wake(), kNever);  // only a reply helps
  reply(1);
  run(3);
  EXPECT_EQ(requests_.size(), 3u);
  EXPECT_GT(counted("stall_set"), 10u);
}

TEST_F(L1Test, UncachedLoadsGoPast) {
  config_.cache_global = false;
  start();
  for (std::uint32_t token : {1u, 2u}) accept({.line = 0, .sectors = 1}, token);
  accept({.line = 0, .sectors = 1, .read_only = true}, 3);
  accept({.line = 0, .sectors = 1, .local = true}, 4);
  run(20);
  EXPECT_EQ(requests_.size(), 3u);  // 1, 2, and one for both cached loads
  EXPECT_EQ(counted("uncached"), 2u);
  for (std::size_t i = 0; i < 3; ++i) reply(i), run(1);
  for (std::uint32_t token : {1u, 2u, 3u, 4u}) EXPECT_EQ(completed_[token].size(), 1u) << token;
}

TEST_F(L1Test, VolatileLoadsGoPastTheCachedLine) {
  start();
  warm(0, 1);
  accept({.line = 0, .sectors = 1, .bypass_l1 = true}, 1);
  run(5);
  EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(L1Test, GlobalStoresAreWrittenThroughAndEvict) {
  start();
  warm(0, 0b0011);
  accept({.line = 0, .sectors = 0b0001, .type = AccessType::store}, 1);
  run(5);
  ASSERT_EQ(requests_.size(), 1u);
  EXPECT_EQ(requests_[0].type, AccessType::store);
  EXPECT_TRUE(completed_.empty());
  reply(0);
  run(1);
  EXPECT_EQ(completed_[1].size(), 1u);
  accept({.line = 0, .sectors = 0b0011}, 2);
  run(5);
  EXPECT_EQ(requests_.at(1).sectors, 0b0001);
}

TEST_F(L1Test, GlobalStoresUpdateWhereTheyDoNotEvict) {
  config_.global_stores.set("update");
  start();
  warm(0, 0b0001);
  accept({.line = 0, .sectors = 0b0001, .type = AccessType::store}, 1);
  accept({.line = 0, .sectors = 0b0001}, 2);
  run(40);
  EXPECT_EQ(requests_.size(), 1u);
  EXPECT_EQ(completed_[2].size(), 1u);
}

TEST_F(L1Test, LocalStoresStayUntilTheirLineIsReplaced) {
  start();
  accept({.line = 0, .sectors = 0b0101, .type = AccessType::store, .local = true}, 1);
  run(40);
  EXPECT_TRUE(requests_.empty());
  EXPECT_EQ(completed_[1].size(), 1u);
  for (unsigned i : {1u, 2u}) accept({.line = i * kLineBytes, .sectors = 1, .local = true}, i + 1);
  run(10);
  ASSERT_EQ(requests_.size(), 3u);
  EXPECT_EQ(requests_[1].type, AccessType::store);
  EXPECT_EQ(requests_[1].line, 0u);
  EXPECT_EQ(requests_[1].sectors, 0b0101);
  EXPECT_EQ(counted("written_back"), 2u);
}

TEST_F(L1Test, LocalStoresGoOnWhereTheyAreTreatedAsGlobalOnes) {
  config_.local_stores.set("as_global");
  start();
  accept({.line = 0, .sectors = 1, .type = AccessType::store, .local = true}, 1);
  run(5);
  EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(L1Test, GlobalStoresStayWhereTheCacheWritesBack) {
  config_.global_stores.set("back");
  start();
  const Cycle accepted = now_;
  accept({.line = 0, .sectors = 0b0111, .whole = 0b0011, .type = AccessType::store}, 1);
  run(40);
  EXPECT_TRUE(requests_.empty());
  EXPECT_THAT(completed_[1], ElementsAre(accepted + 31));
  // Of the third sector some bytes are unknown; the others can be read.
  accept({.line = 0, .sectors = 0b0011}, 2);
  accept({.line = 0, .sectors = 0b0100}, 3);
  run(40);
  ASSERT_EQ(requests_.size(), 1u);
  EXPECT_EQ(requests_[0].sectors, 0b0100);
  EXPECT_EQ(counted("hits"), 2u);
  reply(0);
  run(2);
  EXPECT_EQ(completed_[3].size(), 1u);
  for (unsigned i : {1u, 2u}) accept({.line = i * kLineBytes, .sectors = 1}, i + 3);
  run(10);
  ASSERT_EQ(requests_.size(), 4u);  // the loads, and before the second of them the line 0
  EXPECT_EQ(requests_[2].type, AccessType::store);
  EXPECT_EQ(requests_[2].sectors, 0b0111);
  EXPECT_EQ(requests_[2].whole, 0b0111);
  EXPECT_EQ(requests_[2].reply, Packet::Reply::none);
}

TEST_F(L1Test, APartOfASectorIsWrittenBackAsAPart) {
  config_.global_stores.set("back");
  start();
  accept({.line = 0, .sectors = 0b0011, .whole = 0b0001, .type = AccessType::store}, 1);
  for (unsigned i : {1u, 2u}) accept({.line = i * kLineBytes, .sectors = 1}, i + 1);
  run(10);
  ASSERT_EQ(requests_.size(), 3u);
  EXPECT_EQ(requests_[1].sectors, 0b0011);
  EXPECT_EQ(requests_[1].whole, 0b0001);
}

TEST_F(L1Test, AnAtomicSendsWhatIsOnlyHereOnFirst) {
  config_.global_stores.set("back");
  start();
  accept({.line = 0, .sectors = 0b0011, .whole = 0b0011, .type = AccessType::store}, 1);
  accept({.line = 0, .sectors = 0b0001, .type = AccessType::atomic, .operations = 1}, 2);
  accept({.line = 0, .sectors = 0b0010}, 3);  // the other sector is still here
  run(40);
  ASSERT_EQ(requests_.size(), 2u);
  EXPECT_EQ(requests_[0].type, AccessType::store);
  EXPECT_EQ(requests_[0].sectors, 0b0001);
  EXPECT_EQ(requests_[1].type, AccessType::atomic);
  EXPECT_EQ(completed_[3].size(), 1u);
  accept({.line = 0, .sectors = 0b0001}, 4);  // the atomic has changed it
  run(5);
  EXPECT_EQ(requests_.size(), 3u);
}

TEST_F(L1Test, InvalidationForgetsCleanLines) {
  start();
  warm(0, 1);
  l1_->invalidate();
  accept({.line = 0, .sectors = 1}, 1);
  run(5);
  EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(L1Test, LooksUpAsManyTransactionsACycleAsItHasTags) {
  config_.lookups = 2u;
  start();
  warm(0, 0b0001);
  const Cycle accepted = now_;
  for (std::uint32_t token : {1u, 2u, 3u}) accept({.line = 0, .sectors = 1}, token);
  run(40);
  EXPECT_THAT(completed_[1], ElementsAre(accepted + 31));
  EXPECT_THAT(completed_[2], ElementsAre(accepted + 31));
  EXPECT_THAT(completed_[3], ElementsAre(accepted + 32));
}

TEST_F(L1Test, ComparesTagsNotBeforeTheIntervalIsOver) {
  config_.lookup_interval = 2u;
  start();
  warm(0, 0b0001);
  const Cycle accepted = now_;
  for (std::uint32_t token : {1u, 2u}) accept({.line = 0, .sectors = 1}, token);
  run(40);
  EXPECT_THAT(completed_[1], ElementsAre(accepted + 31));
  EXPECT_THAT(completed_[2], ElementsAre(accepted + 33));
}

TEST_F(L1Test, WholeSectorsThatAreStoredCanBeReadWhereStoresAllocate) {
  config_.global_stores.set("allocate");
  start();
  accept({.line = 0, .sectors = 0b0011, .whole = 0b0001, .type = AccessType::store}, 1);
  run(5);
  ASSERT_EQ(requests_.size(), 1u);  // and written through
  accept({.line = 0, .sectors = 0b0011}, 2);
  run(5);
  ASSERT_EQ(requests_.size(), 2u);
  EXPECT_EQ(requests_[1].sectors, 0b0010);  // of the other sector some bytes are unknown
}

TEST_F(L1Test, LoadsThatAskForItAreCachedWhereAskingHelps) {
  config_.cache_global = false;
  config_.cache_requested = true;
  start();
  accept({.line = 0, .sectors = 1, .requested = true}, 1);
  accept({.line = 0, .sectors = 1}, 2);
  run(10);
  EXPECT_EQ(counted("misses"), 1u);
  EXPECT_EQ(counted("uncached"), 1u);
}

TEST_F(L1Test, TwoCachesAtOnePortEachGetTheirOwnReplies) {
  start();
  L1 other(config_, CacheId::read_only, 3, *port_, stats_);
  accept({.line = 0, .sectors = 1}, 1);
  other.accept({.line = 0, .sectors = 1}, 2, now_);
  std::vector<std::uint32_t> others;
  const auto both = [&](unsigned cycles) {
    while (cycles-- != 0) {
      cycle();
      other.cycle(now_);
      for (std::uint32_t token; other.take_completed(now_, token);) others.push_back(token);
    }
  };
  both(5);
  ASSERT_EQ(requests_.size(), 2u);
  const std::size_t second = requests_[0].cache == CacheId::read_only ? 0 : 1;
  reply(second);
  both(3);
  EXPECT_THAT(others, ElementsAre(2u));
  EXPECT_TRUE(completed_.empty());
  reply(1 - second);
  both(3);
  EXPECT_EQ(completed_[1].size(), 1u);
}

TEST_F(L1Test, AFullNetworkHoldsUpTheQueueWhichIsBounded) {
  config_.request_queue = 2u;
  config_.input_queue = 3u;
  config_.cache_global = false;
  start();
  std::uint32_t accepted = 0;
  for (unsigned i = 0; i < 20; ++i) {
    ++now_;
    l1_->cycle(now_);
    if (l1_->can_accept()) l1_->accept({.line = 0, .sectors = 1}, accepted++, now_);
  }
  EXPECT_EQ(accepted, 5u);
  run(10);  // the network drains
  EXPECT_EQ(requests_.size(), 5u);
  EXPECT_GT(counted("stall_network"), 10u);
}

/// What a watcher has been told, in order.
struct Told : L1::Watcher {
  void looked_up(std::uint32_t token, Address line, SectorMask hits, SectorMask misses,
                 Cycle) override {
    told.push_back(fmt::format("{} looks up {}: {} there, {} not", token, line, hits, misses));
  }
  void assigned(std::uint32_t token, std::uint32_t, const Address* evicted, Cycle) override {
    told.push_back(fmt::format("{} takes a slot{}", token,
                               evicted == nullptr ? "" : fmt::format(" of {}", *evicted)));
  }
  void displaced(std::uint32_t, const Address* evicted, Cycle) override {
    told.push_back(fmt::format("state takes a slot{}",
                               evicted == nullptr ? "" : fmt::format(" of {}", *evicted)));
  }
  std::vector<std::string> told;
};

// StatePath::cached: a line of a block's state displaces one of the program's, and is found again.
TEST_F(L1Test, StateTakesLinesAndIsFoundInThem) {
  start();
  warm(0, 0b0001);
  warm(kLineBytes, 0b0001);
  Told watcher;
  l1_->watch(watcher);
  const Packet store{.line = 8 * kLineBytes, .sectors = 0b0011, .type = AccessType::store};
  EXPECT_FALSE(l1_->take_state(store, now_)) << "it is written through";
  EXPECT_THAT(watcher.told, ElementsAre("state takes a slot of 0"));
  Packet load = store;
  load.type = AccessType::load;
  EXPECT_TRUE(l1_->take_state(load, now_));
  load.sectors = 0b0111;
  EXPECT_FALSE(l1_->take_state(load, now_)) << "one of them is not there";
  accept({.line = 0, .sectors = 0b0001}, 5);
  run(3);
  EXPECT_EQ(requests_.size(), 1u) << "what it has displaced misses";
}

TEST_F(L1Test, AWatcherIsToldWhatIsFoundAndWhatMakesRoom) {
  start();
  Told watcher;
  l1_->watch(watcher);
  warm(0, 0b0011);
  EXPECT_THAT(watcher.told, ElementsAre("99 takes a slot", "99 looks up 0: 0 there, 3 not"));
  watcher.told.clear();
  warm(0, 0b0111);
  EXPECT_THAT(watcher.told, ElementsAre("99 looks up 0: 3 there, 4 not"));
  watcher.told.clear();
  warm(kLineBytes, 1);
  warm(2 * kLineBytes, 1);  // the first makes room
  EXPECT_THAT(watcher.told, ElementsAre("99 takes a slot", "99 looks up 128: 0 there, 1 not",
                                        "99 takes a slot of 0", "99 looks up 256: 0 there, 1 not"));
  watcher.told.clear();
  l1_->invalidate();
  warm(3 * kLineBytes, 1);  // of a line of which nothing is there any more
  EXPECT_THAT(watcher.told, ElementsAre("99 takes a slot", "99 looks up 384: 0 there, 1 not"));
  watcher.told.clear();
  for (const Address line : {4, 5}) {
    l1_->take_state({.line = line * kLineBytes, .sectors = 1, .type = AccessType::store}, 1000);
  }
  EXPECT_THAT(watcher.told, ElementsAre("state takes a slot", "state takes a slot of 384"));
}

}  // namespace
}  // namespace raddle::machine
