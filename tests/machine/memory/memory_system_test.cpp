#include "machine/memory_system/memory_system.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "machine/interconnect/config.h"
#include "machine/l1/config.h"
#include "machine/l2/config.h"
#include "rig.h"

namespace raddle::machine {
namespace {

// K40 latencies measured for the Performance Prediction Toolkit; from issue, which is the cycle
// before the L1 cache accepts.
TEST(MemorySystem, UnloadedLatenciesAreThoseMeasuredOnKepler) {
  Rig rig{RigConfig{}};
  const Transaction global{.line = 0x10000, .sectors = 1};
  EXPECT_NEAR(static_cast<double>(rig.latency(global) + 1), 331, 2);
  rig.drain();
  EXPECT_EQ(rig.latency(global) + 1, 188u);
  const Transaction local{.line = 0x20000, .sectors = 1, .local = true};
  rig.latency(local);
  EXPECT_EQ(rig.latency(local) + 1, 32u);
}

/// Every multiprocessor loads or stores whole lines one after the other: GB/s of DRAM.
double streaming_bandwidth(AccessType type) {
  constexpr unsigned kLines = 20000;
  RigConfig config;
  Rig rig(config, 13);
  unsigned sent = 0, done = 0;
  while (done < kLines) {
    rig.cycle([&](unsigned, std::uint32_t) { ++done; },
              [&](unsigned sm) {
                if (sent == kLines || !rig.l1(sm).can_accept()) return;
                const Transaction line{
                    .line = Address{sent++} * kLineBytes, .sectors = kWholeLine, .type = type};
                rig.l1(sm).accept(line, 0, rig.now());
              });
  }
  const double bytes = kSectorBytes * (rig.sum("dram", "reads") + rig.sum("dram", "writes"));
  return bytes / static_cast<double>(rig.now()) * config.core_mhz * 1e-3;
}

TEST(MemorySystem, StreamingReadsReachFourFifthsOfThePins) {
  const double pins = 2 * 2.6 * 320 / 8;  // GB/s
  const double reached = streaming_bandwidth(AccessType::load);
  EXPECT_GT(reached, 0.8 * pins);
  EXPECT_LE(reached, pins);
}

// From the acceptance on: the request is at the other side in the next cycle, its reply a cycle later,
// as long as a hit takes and those two.
TEST(MemorySystem, PerfectMemoryAnswersInTheNextCycle) {
  RigConfig config;
  config.l1.cache_global = true;
  config.perfect = true;
  Rig rig(config);
  const Transaction load{.line = 0x10000, .sectors = 1};
  const Cycle miss = rig.latency(load);
  rig.drain();
  EXPECT_LE(miss, rig.latency(load) + 3);
  rig.latency({.line = 0x20000, .sectors = 1, .type = AccessType::atomic, .operations = 1});
  EXPECT_EQ(rig.sum("requests", "packets") + rig.sum("l2", "requests"), 0u);
  EXPECT_EQ(rig.sum("dram", "requests"), 0u);
}

/// Random traffic of all kinds, in bursts with pauses, so that there is something to skip; then
/// everything drains.
class Traffic {
 public:
  static constexpr unsigned kBursts = 40, kBurst = 100;
  static constexpr Cycle kPause = 4000;

  struct Completion {
    unsigned sm;
    std::uint32_t token;
    Cycle time;
    bool operator==(const Completion&) const = default;
  };

  Traffic(unsigned sms, bool skip, unsigned l2_mhz = 0, unsigned network_mhz = 0,
          bool perfect = false)
      : rig_(config(l2_mhz, network_mhz, perfect), sms, skip) {}
  void run() {
    while (accepted_ < kBursts * kBurst || !rig_.empty()) {
      rig_.skip(start_of_next());
      rig_.cycle(
          [&](unsigned sm, std::uint32_t token) { completed_.push_back({sm, token, rig_.now()}); },
          [&](unsigned sm) {
            if (rig_.now() < start_of_next() || !rig_.l1(sm).can_accept()) return;
            rig_.l1(sm).accept(some(random_), accepted_++, rig_.now());
          });
    }
  }

  static RigConfig& config(unsigned l2_mhz, unsigned network_mhz, bool perfect) {
    static RigConfig config;
    config.l1.cache_global = true;
    config.l2.mhz = l2_mhz;
    config.interconnect.mhz = network_mhz;
    config.perfect = perfect;
    return config;
  }
  /// When the next transaction may be accepted.
  Cycle start_of_next() const {
    return accepted_ == kBursts * kBurst ? kNever : accepted_ / kBurst * kPause;
  }
  static Transaction some(std::mt19937& random) {
    Transaction t;
    t.line = Address{random() % 30000} * kLineBytes;
    t.sectors = static_cast<SectorMask>(1 + random() % 15);
    t.type = static_cast<AccessType>(random() % 4);
    t.local = !is_atomic(t.type) && random() % 4 == 0;
    if (is_atomic(t.type)) {
      t.operations = static_cast<std::uint8_t>(1 + random() % 32);
      t.contention = static_cast<std::uint8_t>(1 + random() % t.operations);
    }
    return t;
  }

  Rig rig_;
  std::mt19937 random_{42};
  std::uint32_t accepted_ = 0;
  std::vector<Completion> completed_;
};

void print(const StatGroup& group, std::string& text) {
  text += group.name() + "\n";
  for (const Counter* counter : group.counters()) {
    text += std::string(counter->name()) + " " + std::to_string(counter->value()) + "\n";
  }
  for (const StatGroup* child : group.children()) print(*child, text);
}
std::string print(const StatGroup& group) {
  std::string text;
  print(group, text);
  return text;
}

TEST(MemorySystem, EveryAcceptedTransactionCompletesOnce) {
  Traffic traffic(4, true);
  traffic.run();
  std::map<std::uint32_t, unsigned> times;
  for (const auto& completion : traffic.completed_) ++times[completion.token];
  EXPECT_EQ(times.size(), traffic.accepted_);
  for (const auto& [token, count] : times) EXPECT_EQ(count, 1u) << token;
  EXPECT_EQ(traffic.rig_.sum("l1", "requests"), traffic.rig_.sum("l1", "replies"));
  EXPECT_EQ(traffic.rig_.sum("l2", "requests"), traffic.rig_.sum("l2", "replies"));
  EXPECT_EQ(traffic.rig_.sum("dram", "requests"), traffic.rig_.sum("dram", "completed"));
}

TEST(MemorySystem, PerfectMemoryLosesNothing) {
  Traffic traffic(4, true, 0, 0, true);
  traffic.run();
  std::map<std::uint32_t, unsigned> times;
  for (const auto& completion : traffic.completed_) ++times[completion.token];
  EXPECT_EQ(times.size(), traffic.accepted_);
  for (const auto& [token, count] : times) EXPECT_EQ(count, 1u) << token;
  Traffic every_cycle(4, false, 0, 0, true);
  every_cycle.run();
  EXPECT_EQ(traffic.completed_, every_cycle.completed_);
}

TEST(MemorySystem, SkippingIdleCyclesChangesNothing) {
  Traffic skipped(4, true), unskipped(4, false);
  skipped.run();
  unskipped.run();
  EXPECT_TRUE(skipped.completed_ == unskipped.completed_);
  EXPECT_LT(skipped.rig_.cycles_run(), unskipped.rig_.cycles_run() / 2);
  EXPECT_EQ(print(skipped.rig_.statistics()), print(unskipped.rig_.statistics()));
}

TEST(MemorySystem, SkippingIdleCyclesChangesNothingWithClocksOfTheirOwn) {
  Traffic skipped(4, true, 500, 900), unskipped(4, false, 500, 900);
  skipped.run();
  unskipped.run();
  EXPECT_TRUE(skipped.completed_ == unskipped.completed_);
  EXPECT_EQ(print(skipped.rig_.statistics()), print(unskipped.rig_.statistics()));
}

TEST(MemorySystem, SleepsWhenNothingIsUnderWay) {
  Rig rig{RigConfig{}};
  rig.latency({.line = 0, .sectors = 1});
  rig.drain();
  const Cycle before = rig.now();
  rig.skip(kNever);
  EXPECT_EQ(rig.now(), before);
  EXPECT_TRUE(rig.empty());
}

TEST(MemorySystem, RefusesChunksThatAreNoPowerOfTwo) {
  RigConfig config;
  config.l2.chunk_bytes = 384u;
  EXPECT_THROW(Rig{config}, Error);
}

TEST(AddressMap, GivesEachLineOnePlaceInItsSliceAndChannel) {
  for (const unsigned pair_bytes : {0u, 512u, 1024u}) {
    for (const unsigned slices : {20u, 64u}) {
      const AddressMap map(slices, 2, 256, true, 1, pair_bytes);
      std::set<std::pair<std::uint32_t, Address>> in_slice, in_channel;
      const unsigned lines = 2 * slices * 100;
      for (Address line = 0; line < lines; ++line) {
        const Address address = line * kLineBytes;
        const std::uint32_t slice = map.slice(address);
        ASSERT_LT(slice, slices);
        const Address inside = map.in_slice(address);
        ASSERT_LT(inside, 200u * kLineBytes);  // without gaps
        in_slice.insert({slice, inside});
        in_channel.insert({map.channel(slice), map.in_channel(slice, inside)});
      }
      EXPECT_EQ(in_slice.size(), lines);
      EXPECT_EQ(in_channel.size(), lines);
    }
  }
}

/// As reductions of an H200 show: 2, 4, 8, 16, 24 and 48 lines have one, two, two, four, six and twelve.
TEST(AddressMap, PairsOfSlicesTakeAKilobyteInTurn) {
  const AddressMap map(94, 1, 256, true, 2, 1024);
  for (const auto& [lines, slices] :
       {std::pair{1u, 1u}, {2u, 1u}, {4u, 2u}, {8u, 2u}, {16u, 4u}, {24u, 6u}, {48u, 12u}}) {
    std::set<std::uint32_t> used;
    for (Address line = 0; line < lines; ++line) used.insert(map.slice(line * kLineBytes));
    EXPECT_EQ(used.size(), slices) << lines << " lines";
  }
}

TEST(AddressMap, StridesOfPairsUseBothSlicesOfThem) {
  const AddressMap map(64, 1, 256, true, 1, 1024);
  std::set<std::uint32_t> used;
  for (unsigned i = 0; i < 1024; ++i) used.insert(map.slice(i * 1024));
  EXPECT_EQ(used.size(), 64u);
}

TEST(AddressMap, StridesOfThePowersOfTwoUseManySlices) {
  const AddressMap map(64, 2, 256, true);
  for (Address stride = 256; stride <= 1 << 20; stride *= 2) {
    std::set<std::uint32_t> used;
    for (unsigned i = 0; i < 256; ++i) used.insert(map.slice(i * stride));
    EXPECT_GT(used.size(), 32u) << "stride " << stride;
  }
}

}  // namespace
}  // namespace raddle::machine
