// Worklists in hardware: no work id is lost or returned twice, and kernels end.
#include <algorithm>
#include <cstdio>

#include "base/stats.h"
#include "machine/kernels.h"
#include "machine/summary.h"
#include "mechanisms/hwwl_kernels.h"

namespace raddle::mechanisms {
namespace {

using machine::test::Machine;
using Settings = machine::test::Settings;

Settings with(Settings settings) {
  settings.push_back({"gpu.mechanisms", "hwwl"});
  settings.push_back({"gpu.sms", "4"});
  return settings;
}

class List {
 public:
  explicit List(const Settings& settings, bool two_sides = true)
      : machine_(kKernels, with(settings)) {
    for (std::uint32_t id = 0; id < kIds; ++id) machine_.out(id) = 0;
    run(two_sides ? "double" : "single", 1, 1);
  }
  Machine& machine() { return machine_; }
  void run(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    machine_.launch(kernel, blocks, threads);
    machine_.run();
  }
  /// What the host reads: how many ids can be pulled.
  std::uint32_t left() { return machine_.in(0); }
  std::uint32_t pulled(std::uint32_t id) { return machine_.out(id); }
  /// Steps until nothing is left; 0: it never ended.
  unsigned steps(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    for (unsigned step = 1; step < 100; ++step) {
      run(kernel, blocks, threads);
      if (left() == 0) return step;
    }
    return 0;
  }
  /// Whether the ids below `count` were pulled once each, and no others.
  testing::AssertionResult once(std::uint32_t count) {
    for (std::uint32_t id = 0; id < kIds; ++id) {
      if (pulled(id) == (id < count ? 1 : 0)) continue;
      return testing::AssertionFailure() << "id " << id << ": " << pulled(id) << " times";
    }
    return testing::AssertionSuccess();
  }
  std::string fault() {
    std::string text;
    for (const auto& fault : machine_.gpu().take_faults()) text += fault.text;
    return text;
  }

 private:
  Machine machine_;
};

/// Settings, threads of a kernel.
struct Shape {
  std::uint32_t blocks, threads;
};
using Case = std::tuple<const char*, const char*, const char*, bool, Shape>;

class EveryId : public testing::TestWithParam<Case> {};

TEST_P(EveryId, IsPulledOnce) {
  const auto& [scheme, refill, entries, two_sides, shape] = GetParam();
  List list(
      {{"hwwl.redistribution", scheme}, {"hwwl.refill", refill}, {"hwwl.bank_entries", entries}},
      two_sides);
  list.run("root", 1, 1);
  const unsigned steps = list.steps("tree", shape.blocks, shape.threads);
  EXPECT_TRUE(list.once(kIds));
  // The tree has 12 levels: 2^12 > 3000.
  EXPECT_EQ(steps, two_sides ? 12u : 1u);
}

constexpr Shape kFull{16, 256}, kFew{2, 40}, kOne{1, 8};

INSTANTIATE_TEST_SUITE_P(
    Redistributed, EveryId,
    testing::Combine(testing::Values("threshold", "local_sort", "global_sort", "ideal"),
                     testing::Values("interval", "on_demand"), testing::Values("2", "32", "0"),
                     testing::Bool(), testing::Values(kFull, kFew, kOne)));

INSTANTIATE_TEST_SUITE_P(Where, EveryId,
                         testing::Combine(testing::Values("none"),
                                          testing::Values("interval", "on_demand"),
                                          testing::Values("2", "32", "0"), testing::Bool(),
                                          testing::Values(kFull)));

class IdealList : public testing::TestWithParam<std::tuple<const char*, bool, Shape>> {};

TEST_P(IdealList, GivesEveryIdOnce) {
  const auto& [kind, two_sides, shape] = GetParam();
  List list({{"hwwl.list", kind}}, two_sides);
  list.run("root", 1, 1);
  EXPECT_NE(list.steps("tree", shape.blocks, shape.threads), 0u);
  EXPECT_TRUE(list.once(kIds));
}

INSTANTIATE_TEST_SUITE_P(Both, IdealList,
                         testing::Combine(testing::Values("ideal_fifo", "ideal_sorted"),
                                          testing::Bool(), testing::Values(kFull, kFew, kOne)));

class Ways : public testing::TestWithParam<std::tuple<Settings, bool>> {};

TEST_P(Ways, GiveEveryIdOnce) {
  const auto& [settings, two_sides] = GetParam();
  List list(settings, two_sides);
  list.run("root", 1, 1);
  EXPECT_NE(list.steps("tree", 16, 128), 0u);
  EXPECT_TRUE(list.once(kIds));
}

INSTANTIATE_TEST_SUITE_P(
    All, Ways,
    testing::Combine(
        testing::Values(Settings{{"gpu.functional", "true"}},
                        Settings{{"gpu.preempt_every", "300"}},
                        Settings{{"gpu.preempt_every", "150"}, {"hwwl.list", "ideal_fifo"}},
                        Settings{{"gpu.preempt_every", "100"},
                                 {"hwwl.refill", "on_demand"},
                                 {"hwwl.bank_entries", "4"}},
                        Settings{{"gpu.skip_idle", "false"}},
                        Settings{{"scheduler.divergence", "stack"}}, Settings{{"hwwl.banks", "32"}},
                        Settings{{"hwwl.banks", "5"}},
                        Settings{{"hwwl.network.queue", "1"}, {"hwwl.network.hop_latency", "50"}},
                        Settings{{"hwwl.broadcast", "200"}}, Settings{{"hwwl.interval", "1"}},
                        Settings{{"hwwl.wait_latency", "4"}}),
        testing::Bool()));

TEST(Hwwl, WithoutRedistributionNobodyWaitsForWorkThatNobodyPulls) {
  // Work is pushed in all cores, and pulled in few lanes: it ends, with work left.
  for (const auto& [entries, threads] : {std::pair{"0", 32u}, {"4", 8u}, {"32", 8u}}) {
    List list({{"hwwl.redistribution", "none"}, {"hwwl.bank_entries", entries}});
    list.run("range", 8, 256);
    list.run("drain", 1, threads);
    EXPECT_GT(list.left(), 0u) << entries;
  }
}

TEST(Hwwl, AnEmptiedListIsEmptyForAllCores) {
  for (const char* mode : {"single", "double"}) {
    List list(Settings{}, mode == std::string("double"));
    list.run("range", 4, 64);
    list.run(mode == std::string("double") ? "single" : "double", 1, 1);  // changes the mode
    list.run(mode, 1, 1);
    EXPECT_EQ(list.left(), 0u);
    list.run("drain", 1, 32);
    EXPECT_TRUE(list.once(0)) << mode;
  }
}

TEST(Hwwl, TheSameBufferAndModeAgainLoseNothing) {
  for (const char* functional : {"false", "true"}) {
    List list(Settings{{"gpu.functional", functional}});
    list.run("range", 4, 64);
    list.run("double", 1, 1);
    EXPECT_EQ(list.left(), 256u) << functional;
    EXPECT_NE(list.steps("drain", 64, 256), 0u);
    EXPECT_TRUE(list.once(256)) << functional;
  }
}

TEST(Hwwl, IsFullWhenNoBankOfTheCoreHasRoom) {
  // 16 banks of 8 for a side, no buffer: 128 ids of one lane go to all banks.
  Machine machine((std::string(kKernels) + R"(
.visible .entry many(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [in];
  wlinit.b64 %rd1, 256;
  wlcfg.b32 1;
  mov.u32 %r1, 0;
LOOP:
  wlpush.b32 %r1, 0;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, 128;
  @%p bra LOOP;
  ret;
})")
                      .c_str(),
                  with({{"hwwl.bank_entries", "16"}}));
  machine.launch("many", 1, 1);
  machine.run();
  EXPECT_TRUE(machine.gpu().take_faults().empty());
  EXPECT_EQ(machine.in(0), 128u);
}

TEST(Hwwl, StatisticsAreTheSameWithAndWithoutSkippingAndThreads) {
  const Settings ways[] = {{{"hwwl.bank_entries", "4"}},
                           {{"hwwl.bank_entries", "4"}, {"hwwl.refill", "on_demand"}},
                           {{"hwwl.redistribution", "none"}},
                           {{"hwwl.redistribution", "global_sort"}, {"hwwl.interval", "3"}},
                           {{"hwwl.redistribution", "ideal"}},
                           {{"hwwl.list", "ideal_sorted"}},
                           {{"gpu.preempt_every", "400"}}};
  for (const Settings& way : ways) {
    for (const bool two_sides : {false, true}) {
      std::string first;
      for (const auto& [skips, threads] : {std::pair{"true", "1"}, {"false", "1"}, {"true", "2"}}) {
        Settings settings = way;
        settings.push_back({"gpu.skip_idle", skips});
        settings.push_back({"gpu.threads", threads});
        List list(settings, two_sides);
        list.run("root", 1, 1);
        list.steps("tree", 16, 128);
        const StatGroup& all = list.machine().gpu().statistics();
        std::string seen = std::to_string(list.machine().gpu().now());
        for (const char* name :
             {"pulled", "waits", "dones", "redistributions", "delayed", "donated", "sent",
              "spilled", "refilled", "port_cycles", "active_lane_cycles"}) {
          seen += std::string(" ") + name + " " + std::to_string(total(all, "hwwl", name));
        }
        if (first.empty()) first = seen;
        EXPECT_EQ(seen, first) << way[0].first << ' ' << way[0].second << " skips " << skips;
      }
    }
  }
}

TEST(Hwwl, SidesSwapWhenTheLastKernelThatUsesThemEnds) {
  List list(Settings{});
  list.run("range", 2, 32);
  EXPECT_EQ(list.left(), 64u);
  list.run("size", 1, 1);  // uses the list, but nothing has been taken: no swap
  EXPECT_EQ(list.left(), 64u);
  EXPECT_EQ(list.pulled(0), 64u);
}

TEST(Hwwl, SidesDoNotSwapWhileWorkIsLeft) {
  // Lanes of a few banks take one id each: the rest stays on the pull side, and what is pushed
  // meanwhile stays on the other.
  List list(Settings{});
  list.run("range", 2, 32);
  list.run("take", 4, 4);
  const std::uint32_t left = list.left();
  EXPECT_GT(left, 0u);
  EXPECT_LT(left, 64u);
  list.run("root", 1, 1);
  EXPECT_EQ(list.left(), left);
  EXPECT_EQ(list.steps("drain", 64, 256), 2u);  // the rest, then the one that was pushed
  EXPECT_EQ(list.pulled(0), 2u);
}

TEST(Hwwl, NobodyIsDoneWhileWorkIsOnItsWayBetweenCores) {
  // All ids are pushed in one core, whose lanes take some and exit; the rest is sent, and for
  // hundreds of cycles it is in no bank.
  List list({{"hwwl.network.hop_latency", "500"}, {"hwwl.threshold", "0"}}, false);
  list.run("range", 1, 64);
  list.run("one_each", 4, 32);
  const StatGroup& all = list.machine().gpu().statistics();
  EXPECT_GT(total(all, "hwwl", "sent"), 0u);
  EXPECT_TRUE(list.once(64));
  EXPECT_EQ(list.left(), 0u);
}

TEST(Hwwl, NobodyIsDoneWhileAThreadThatMayPushHoldsWork) {
  // One id at a time, of which every thread takes at most one: the others must wait for who holds it.
  List list(Settings{}, false);
  list.run("root", 1, 1);
  list.run("relay", 4, 64);
  EXPECT_TRUE(list.once(100));
}

TEST(Hwwl, BanksOfBusyLanesKeepTheirWork) {
  // Lanes that hold an id for longer than banks go unserved come back for the next.
  List list(Settings{{"hwwl.unserved_after", "1000"}});
  list.run("range", 4, 128);
  list.run("slow", 4, 16);
  EXPECT_EQ(total(list.machine().gpu().statistics(), "hwwl", "rescued"), 0u);
  EXPECT_TRUE(list.once(512));
}

TEST(Hwwl, RefillsAtIntervalsHaveNoBound) {
  // Section III.D: as many requests as the load-store unit has room for; only those on demand have a
  // limit (which is 1 here, and would be 8 ids a load).
  std::uint64_t cycles[2];
  for (const bool bound : {false, true}) {
    List list({{"hwwl.bank_entries", "8"}, {"hwwl.refill_loads", bound ? "1" : "8"}});
    list.run("range", 11, 256);
    const Cycle begin = list.machine().gpu().now();
    list.run("drain", 64, 256);
    cycles[bound] = list.machine().gpu().now() - begin;
    EXPECT_TRUE(list.once(11 * 256));
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(Hwwl, AThreadThatExitsHoldsNothing) {
  // Single-buffered: those who still pull wait for those who hold an id, who exit instead of
  // pulling again.
  for (const char* functional : {"false", "true"}) {
    List list({{"gpu.functional", functional}}, false);
    list.run("range", 2, 32);
    list.run("drain", 16, 256);
    EXPECT_TRUE(list.once(64)) << functional;
  }
}

TEST(Hwwl, OverflowIsAnErrorWithItsSize) {
  for (const char* functional : {"false", "true"}) {
    Machine machine((std::string(kKernels) + R"(
.visible .entry small(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  wlinit.b64 %rd1, 768;
  wlcfg.b32 1;
  ret;
})")
                        .c_str(),
                    with({{"hwwl.bank_entries", "2"}, {"gpu.functional", functional}}));
    machine.launch("small", 1, 1);
    machine.run();
    machine.launch("range", 4, 128);
    machine.run();
    std::string text;
    for (const auto& fault : machine.gpu().take_faults()) text += fault.text;
    EXPECT_NE(text.find("the worklist is full"), std::string::npos) << text;
    EXPECT_NE(text.find("wlinit was given 768 bytes for 4 multiprocessors and two sides"),
              std::string::npos)
        << text;
  }
}

class WrongUse : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(WrongUse, IsAnErrorThatSaysWhatIsWrong) {
  for (const char* functional : {"false", "true"}) {
    List list(Settings{{"gpu.functional", functional}});
    list.run(GetParam().first, 1, 1);
    const std::string text = list.fault();
    EXPECT_NE(text.find(GetParam().second), std::string::npos) << functional << ": " << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongUse,
    testing::Values(std::pair{"large_id",
                              "work id 16777216 does not fit into the worklist's 24 bits"},
                    std::pair{"other_list", "there is one worklist, number 0"},
                    std::pair{"unaligned", "is not aligned to 256 bytes"},
                    std::pair{"too_long", "does not lie in allocated memory"},
                    std::pair{"third_mode", "wlcfg takes 0 (single-buffered) or 1"}));

TEST(Hwwl, CostsWhatThePaperSays) {
  // Section V.B: 16 banks of 32 entries of 24 bits, about 1.6 KB with their registers, 2.5 % of a
  // register file of 16,384 entries of 32 bits; a sorting network of 4 stages.
  List list(Settings{{"sm.registers", "16384"}});
  const StatGroup& all = list.machine().gpu().statistics();
  EXPECT_EQ(total(all, "hwwl_cost", "bank_bytes"), 1536u);
  const double bytes = static_cast<double>(total(all, "hwwl_cost", "bank_bytes") +
                                           total(all, "hwwl_cost", "register_bytes"));
  EXPECT_NEAR(bytes / 1000, 1.6, 0.05);
  EXPECT_NEAR(bytes / 65536, 0.025, 0.0005);
  EXPECT_EQ(total(all, "hwwl_cost", "sort_stages"), 4u);
}

TEST(Hwwl, BanksTakeNoMoreThanTheirEntries) {
  List list(Settings{{"hwwl.bank_entries", "8"}});
  list.run("range", 8, 256);
  const StatGroup& all = list.machine().gpu().statistics();
  EXPECT_EQ(total(all, "hwwl", "bank_peak"), 4u);  // of a side
  EXPECT_GT(total(all, "hwwl", "spilled"), 0u);
  EXPECT_NE(list.steps("drain", 64, 256), 0u);
  EXPECT_TRUE(list.once(2048));
}

TEST(Hwwl, CoresWithABacklogGetNothingOfOthers) {
  // All cores have most of their work in memory; their banks run empty now and then.
  std::uint64_t sent[2];
  for (const bool backlog : {false, true}) {
    List list({{"hwwl.threshold", "2"},
               {"hwwl.bank_entries", "12"},
               {"hwwl.backlog", backlog ? "true" : "false"}});
    list.run("range", 16, 256);
    list.steps("drain", 64, 256);
    EXPECT_TRUE(list.once(4096));
    sent[backlog] = total(list.machine().gpu().statistics(), "hwwl", "sent");
  }
  EXPECT_GT(sent[false], 4 * sent[true]);
}

TEST(Hwwl, RedistributionKeepsLanesFromWaiting) {
  // One root: without redistribution its descendants stay in one bank of one core.
  std::uint64_t waits[2];
  for (const bool sorts : {false, true}) {
    List list({{"hwwl.redistribution", sorts ? "local_sort" : "none"}, {"hwwl.bank_entries", "0"}});
    list.run("root", 1, 1);
    list.steps("tree", 16, 256);
    waits[sorts] = total(list.machine().gpu().statistics(), "hwwl", "waits");
  }
  EXPECT_GT(waits[false], 2 * waits[true]);
}

}  // namespace
}  // namespace raddle::mechanisms
