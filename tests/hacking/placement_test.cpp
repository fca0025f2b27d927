// The examples of HACKING.md in a registry of their own: they compile and do what the page says.
#include <gmock/gmock-matchers.h>

#include <map>
#include <optional>

#include "base/error.h"
#include "machine/kernels.h"
#include "machine/mechanism.h"
#include "machine/observer.h"
#include "machine/placement/placement.h"
#include "prefetch_stats.h"

namespace raddle::mechanisms::block_throttle {
machine::MechanismKind kind();
}

namespace raddle::machine {
namespace {

/// What a policy was told.
struct Record {
  std::uint64_t started = 0, ended = 0, samples = 0, instructions = 0, issued = 0;
  std::uint64_t accesses = 0, transactions = 0, l1_hits = 0, l1_misses = 0, stalls = 0;
  std::vector<Cycle> at;  // samples
};

/// Sums what a policy is told of blocks, and may ask all of them to leave.
class Recorder : public Mechanism, public Placement {
 public:
  static inline Record told;
  static inline bool asks = false, asks_for_none = false, keeps_first = false;
  static inline std::optional<PlacedBlock> first;  // that it has seen, and asks to leave for ever

  Placement* placement(Placement&) override { return this; }
  std::optional<Choice> choose(const Offer& offer, Cycle) override {
    const auto sm = first_with_room(offer.sms, offer.candidates.front().grid->needs, 0);
    return sm ? std::optional(Choice{0, *sm}) : std::nullopt;
  }
  void block_started(const PlacedBlock&) override { ++told.started; }
  void block_ended(const PlacedBlock& block, bool left) override {
    EXPECT_TRUE(asks || !left);
    ++told.ended;
    told.instructions += block.warp_instructions;
    const BlockCounts& counts = *block.counts;
    for (const std::uint64_t n : counts.issued) told.issued += n;
    for (const std::uint64_t n : counts.stalls) told.stalls += n;
    told.accesses += counts.accesses;
    told.transactions += counts.transactions;
    told.l1_hits += counts.l1_hits;
    told.l1_misses += counts.l1_misses;
  }
  Cycle sample_period() const override { return 100; }
  void sample(std::span<const SmView> sms, Cycle now, DepartureRequests& departures) override {
    told.at.push_back(now);
    if (asks_for_none) {
      departures.request({});
      return;
    }
    if (first) departures.request(*first);
    if (!asks) return;
    for (const SmView& sm : sms) {
      for (const PlacedBlock& block : sm.blocks()) {
        departures.request(block);
        if (keeps_first && !first) first = block;
      }
    }
  }
};

struct NoSettings : ConfigGroup {
  using ConfigGroup::ConfigGroup;
};

MechanismKind recorder() {
  MechanismKind kind;
  kind.name = "recorder";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<NoSettings>(root, "recorder");
  };
  kind.attach = [](const ConfigGroup&, LaunchPath&) -> std::unique_ptr<Mechanism> {
    return std::make_unique<Recorder>();
  };
  return kind;
}

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds{mechanisms::block_throttle::kind(), recorder()};
  return kinds;
}

namespace {

using test::Machine;

const std::string kKernels = std::string(test::kAddIndex) + test::kReverse;

TEST(BlockThrottle, PlacesFewerBlocksWhereTheyWaitForMemory) {
  std::uint64_t lowered[2], peak[2];
  for (const bool strict : {false, true}) {
    Machine machine(kKernels.c_str(), {{"gpu.mechanisms", "block_throttle"},
                                       {"gpu.sms", "2"},
                                       {"block_throttle.period", "100"},
                                       {"block_throttle.waiting", strict ? "0" : "1"}});
    machine.launch("add_index", 200, 32);
    machine.run();
    for (std::uint32_t i = 0; i < 200 * 32; ++i) ASSERT_EQ(machine.out(i), 4 * i);
    lowered[strict] = total(machine.gpu().statistics(), "block_throttle", "lowered");
    peak[strict] = total(machine.gpu().statistics(), "block_throttle", "blocks_peak");
  }
  EXPECT_EQ(lowered[false], 0u);
  EXPECT_GT(lowered[true], 0u);
  EXPECT_EQ(peak[false], 16u);  // sm.blocks of the K20c
}

TEST(BlockThrottle, DoesNotShareThePlacingOfBlocks) {
  const auto both = [] {
    Machine(kKernels.c_str(), {{"gpu.mechanisms", "block_throttle,recorder"}});
  };
  EXPECT_THAT(both, testing::ThrowsMessage<Error>("block_throttle and recorder both place blocks: "
                                                  "switch one of them off"));
}

TEST(Statistic, IsADeclarationAndAnIncrement) {
  StatGroup sm("sm");
  Prefetcher prefetcher(sm);
  prefetcher.follow(3);
  prefetcher.follow(1);
  for (const unsigned distance : {1, 3}) prefetcher.issue(distance);
  prefetcher.use(200);
  std::map<std::string, double> values;
  for (const Statistic* statistic : sm.children().at(0)->statistics()) {
    for (const StatFigure& figure : figures(*statistic)) {
      values[std::string(statistic->name()) + " " + figure.part] = figure.value;
    }
  }
  EXPECT_EQ(values.at("accuracy "), 0.5);
  EXPECT_EQ(values.at("streams_peak "), 3);
  EXPECT_EQ(values.at("distance mean"), 2);
  EXPECT_EQ(values.at("early bins.128-255"), 1);
}

class Told : public testing::Test {
 protected:
  void run(const char* skip, const char* threads) {
    Recorder::told = {};
    machine_.emplace(kKernels.c_str(), test::Settings{{"gpu.mechanisms", "recorder"},
                                                      {"gpu.skip_idle", skip},
                                                      {"l1.cache_global", "true"},
                                                      {"gpu.threads", threads}});
    machine_->launch("reverse", 60, 256);
    machine_->launch("add_index", 60, 64);
    machine_->run();
  }
  std::uint64_t all(const char* unit, const char* name) {
    return total(machine_->gpu().statistics(), unit, name);
  }
  std::optional<Machine> machine_;
  Record& told = Recorder::told;
};

TEST_F(Told, CountsOfBlocksAddUpToThoseOfTheUnits) {
  run("true", "1");
  EXPECT_EQ(told.started, 120u);
  EXPECT_EQ(told.ended, 120u);
  EXPECT_EQ(told.instructions, all("sm", "warp_instructions"));
  EXPECT_EQ(told.issued, told.instructions);
  EXPECT_EQ(told.accesses, all("load_store", "instructions"));
  EXPECT_EQ(told.l1_hits, all("l1", "hits"));
  EXPECT_EQ(told.l1_misses, all("l1", "misses"));
  EXPECT_GT(told.l1_misses, 0u);
  EXPECT_EQ(told.transactions, all("coalescer", "transactions"));
  std::uint64_t stalls = 0;
  for (const char* slot : {"unit_busy", "operands", "execution", "memory", "no_instruction",
                           "fetch", "barrier", "fence", "runtime", "asleep"}) {
    stalls += all("slots", slot);
  }
  EXPECT_LE(told.stalls, stalls);
  EXPECT_GE(told.stalls, stalls * 9 / 10);  // warps that are ending are nobody's reason
}

TEST_F(Told, SamplesComeAtTheirTime) {
  run("true", "1");
  const std::vector<Cycle> at = told.at;
  ASSERT_GT(at.size(), 5u);
  for (std::size_t n = 1; n < at.size(); ++n) EXPECT_EQ(at[n] - at[n - 1], 100u);
  run("false", "1");
  EXPECT_EQ(told.at, at);
  run("true", "3");
  EXPECT_EQ(told.at, at);
}

/// However often they are asked, they come to their end.
TEST_F(Told, BlocksThatAreAskedToLeaveComeBack) {
  Recorder::asks = true;
  run("true", "1");
  Recorder::asks = false;
  EXPECT_EQ(told.started, told.ended);
  EXPECT_GT(all("dispatch", "asked_to_leave"), 0u);
  EXPECT_GT(all("dispatch", "preempted_blocks"), 0u);
  EXPECT_EQ(all("preemption", "left"), all("preemption", "returned"));
}

TEST_F(Told, ARequestForNoBlockIsAnError) {
  Recorder::asks_for_none = true;
  EXPECT_THAT(
      [&] { run("true", "1"); },
      testing::ThrowsMessage<Error>("a policy of placement asks a block to leave that is none"));
  Recorder::asks_for_none = false;
}

/// It leaves once, at most; from then on another may be in its place.
TEST_F(Told, ARequestForABlockThatIsGoneIsNone) {
  Recorder::asks = true;
  Recorder::keeps_first = true;
  run("true", "1");
  Recorder::asks = Recorder::keeps_first = false;
  Recorder::first.reset();
  EXPECT_EQ(told.started, told.ended);
}

/// A lone warp waits for memory when it is asked: nothing else would wake the machine.
TEST_F(Told, BlocksBeginToLeaveInTheCycleAfterTheSample) {
  Recorder::asks = true;
  std::uint64_t draining[2];
  for (const bool skips : {false, true}) {
    machine_.emplace(kKernels.c_str(), test::Settings{{"gpu.mechanisms", "recorder"},
                                                      {"gpu.sms", "1"},
                                                      {"gpu.skip_idle", skips ? "true" : "false"}});
    for (unsigned n = 0; n < 20; ++n) machine_->launch("add_index", 1, 32);
    machine_->run();
    draining[skips] = all("preemption", "draining_cycles");
  }
  Recorder::asks = false;
  EXPECT_GT(draining[false], 0u);
  EXPECT_EQ(draining[true], draining[false]);
}

}  // namespace
}  // namespace raddle::machine
