// The registry, with a minimal mechanism of this test instead of the built-in ones.
#include "machine/mechanism.h"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>

#include <functional>

#include "kernels.h"
#include "machine/scheduler/policy.h"
#include "machine/settings.h"

namespace raddle::machine {

namespace {
unsigned g_size = 5;  // the default of tiny.size
const char* g_name = "tiny";

struct TinyConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> size{*this, "size", g_size, "bytes", {1, 8}, "of nothing"};
};
struct Tiny : Mechanism {};

struct CuriousStats : StatGroup {
  using StatGroup::StatGroup;
  Counter blocks{*this, "blocks", "blocks", "Blocks that ended."};
};

/// Asks for everything of the machine that there is when it is made.
class Curious : public Mechanism {
 public:
  explicit Curious(LaunchPath& path) : stats_(path.statistics().unit<CuriousStats>("curious")) {
    EXPECT_EQ(path.distributor().size(), 0u);
    EXPECT_EQ(path.now(), 0u);
    path.store_record(path.services().space().allocate(64, memory::Kind::runtime, "record"), 64);
  }
  void block_ended(Grid&, const isa::BlockContext&) override { ++stats_.blocks; }

 private:
  CuriousStats& stats_;
};

/// Has statistics that end with it, though they are part of the machine's.
class Fleeting : public Mechanism {
 public:
  explicit Fleeting(LaunchPath& path) : stats_(path.statistics(), "fleeting") {}

 private:
  CuriousStats stats_;
};

/// A mechanism that is nothing but a policy; its settings have the name of both.
struct PacedConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> pace{*this, "pace", 2, "cycles", {1, 8}, "an example"};
};

bool g_never = false;  // it picks nobody

class Paced : public WarpPolicy {
 public:
  unsigned pick(const ReadyWarps& warps) override {
    return g_never ? kNobody : oldest_of(warps.ready, warps.ages);
  }
};

WarpPolicyKind g_policies[] = {
    {.name = "paced",
     .meaning = "an example",
     .source = "a test",
     .make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
       return std::make_unique<PacedConfig>(root, "paced");
     },
     .make = [](const WarpPolicySetup& setup) -> std::unique_ptr<WarpPolicy> {
       EXPECT_EQ(dynamic_cast<const PacedConfig&>(*setup.own).pace, 3u);
       return std::make_unique<Paced>();
     }}};
}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind tiny;
    tiny.name = "tiny";
    tiny.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
      return std::make_unique<TinyConfig>(root, g_name);
    };
    tiny.attach = [](const ConfigGroup&, LaunchPath&) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Tiny>();
    };
    MechanismKind bare;
    bare.name = "bare";
    MechanismKind curious;
    curious.name = "curious";
    curious.attach = [](const ConfigGroup&, LaunchPath& path) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Curious>(path);
    };
    MechanismKind fleeting;
    fleeting.name = "fleeting";
    fleeting.attach = [](const ConfigGroup&, LaunchPath& path) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Fleeting>(path);
    };
    MechanismKind paced;
    paced.name = "paced";
    paced.warp_policies = []() -> std::span<const WarpPolicyKind> { return g_policies; };
    return std::vector<MechanismKind>{tiny, bare, curious, fleeting, paced};
  }();
  return kinds;
}

namespace {

using namespace test;

TEST(Mechanism, WithoutBuiltinsAndDefaultIsOffUntilAskedFor) {
  GpuConfig config;
  EXPECT_THAT(mechanism_names(config), testing::IsEmpty());
  switch_on(config, "tiny");
  EXPECT_THAT(mechanism_names(config), testing::ElementsAre("tiny"));
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Mechanism, SettingsAreReadOnlyWhereItIsSwitchedOn) {
  const std::vector<std::string> settings{"tiny.size=7"};
  EXPECT_THAT(
      error_of([&] { change(*load_gpu("k20c"), settings, ""); }),
      testing::AllOf(testing::StartsWith("tiny.size=7: "), testing::HasSubstr("--with tiny")));
  EXPECT_EQ(error_of([&] { change(*load_gpu("k20c"), settings, "tiny"); }), "");
  const std::vector<std::string> both{"tiny.size=7", "gpu.mechanisms=tiny"};
  EXPECT_EQ(error_of([&] { change(*load_gpu("k20c"), both, ""); }), "");
}

TEST(Mechanism, SettingsOfAPolicyAreReadOnlyWhereItIsChosen) {
  const std::vector<std::string> settings{"throttle.period=1000"};
  EXPECT_THAT(
      error_of([&] { change(*load_gpu("k20c"), settings, ""); }),
      testing::AllOf(testing::HasSubstr("throttle.period=1000"),
                     testing::HasSubstr("dispatch.placement = round_robin: 'throttle' is not")));
  const std::vector<std::string> both{"throttle.period=1000", "dispatch.placement=throttle"};
  EXPECT_EQ(error_of([&] { change(*load_gpu("k20c"), both, ""); }), "");
}

TEST(Mechanism, SettingsOfAPolicyMayHaveTheNameOfTheMechanismThatBringsIt) {
  const std::vector<std::string> settings{"paced.pace=3"};
  EXPECT_THAT(error_of([&] { change(*load_gpu("k20c"), settings, ""); }),
              testing::HasSubstr("scheduler.policy = "));
  const std::vector<std::string> both{"paced.pace=3", "scheduler.policy=paced"};
  EXPECT_EQ(error_of([&] { change(*load_gpu("k20c"), both, ""); }), "");
  Machine machine(kAddIndex, {{"scheduler.policy", "paced"}, {"paced.pace", "3"}});
  machine.launch("add_index", 2, 64);
  machine.run();
  EXPECT_EQ(machine.out(100), 400u);
}

TEST(Mechanism, WhatIsOnlyChosenCannotBeSwitchedOn) {
  EXPECT_THAT(error_of([] { change(*load_gpu("k20c"), {}, "paced"); }),
              testing::HasSubstr("chosen by scheduler.policy=paced"));
}

TEST(Mechanism, APolicyThatNeverPicksAWarpIsRefused) {
  g_never = true;
  Machine machine(kAddIndex,
                  {{"scheduler.policy", "paced"}, {"paced.pace", "3"}, {"gpu.sms", "1"}});
  machine.launch("add_index", 1, 32);
  EXPECT_THAT(error_of([&] { machine.run(); }),
              testing::HasSubstr("scheduler.policy has picked no warp"));
  g_never = false;
}

TEST(Mechanism, NamesOfChoicesAreTheirsAlone) {
  g_policies[0].name = "gto";
  EXPECT_THAT(error_of([] { GpuConfig config; }),
              testing::HasSubstr("two choices of scheduler.policy have the name gto"));
  g_policies[0].name = "paced";
}

// A program resets the device between two launches.
TEST(Mechanism, StatisticsGoOnAfterAReset) {
  Machine machine(kAddIndex, {{"gpu.mechanisms", "curious"}});
  for (const unsigned blocks : {3, 4}) {
    machine.launch("add_index", blocks, 32);
    machine.run();
    machine.gpu().reset([] {});
  }
  EXPECT_EQ(total(machine.gpu().statistics(), "curious", "blocks"), 7u);
}

TEST(Mechanism, StatisticsThatEndWithItAreRefusedAtAReset) {
  Machine machine(kAddIndex, {{"gpu.mechanisms", "fleeting"}});
  EXPECT_THAT(error_of([&] { machine.gpu().reset([] {}); }),
              testing::AllOf(testing::HasSubstr("the statistics gpu.fleeting have ended"),
                             testing::HasSubstr("StatGroup::unit()")));
}

TEST(Mechanism, DefaultsAreWhatTheirSettingsAdmit) {
  g_size = 9;
  EXPECT_THAT(error_of([] { GpuConfig config; }),
              testing::AllOf(testing::HasSubstr("default"), testing::HasSubstr("tiny.size = 9"),
                             testing::HasSubstr("1..8")));
  g_size = 8;
  EXPECT_EQ(error_of([] { GpuConfig config; }), "");
}

TEST(Mechanism, NamesOfGroupsOfSettingsAreTheirsAlone) {
  g_name = "l1";
  EXPECT_THAT(error_of([] { GpuConfig config; }), testing::HasSubstr("the name l1"));
  g_name = "tiny";
}

TEST(Mechanism, WithoutBuiltinsRuns) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(kAddIndex, {{"gpu.functional", functional}, {"gpu.mechanisms", "tiny"}});
    machine.launch("add_index", 2, 64);
    machine.run();
    EXPECT_EQ(machine.out(100), 400u);
  }
}

TEST(Mechanism, ThatIsNothingButANameRuns) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(kAddIndex, {{"gpu.functional", functional}, {"gpu.mechanisms", "bare"}});
    machine.launch("add_index", 2, 64);
    machine.run();
    EXPECT_EQ(machine.out(100), 400u);
  }
}

TEST(Mechanism, FindsTheMachineCompleteWhenItIsMade) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(kAddIndex, {{"gpu.functional", functional}, {"gpu.mechanisms", "curious"}});
    machine.launch("add_index", 2, 64);
    machine.run();
    EXPECT_EQ(machine.out(100), 400u);
    EXPECT_EQ(total(machine.gpu().statistics(), "curious", "blocks"), 2u);
  }
}

}  // namespace
}  // namespace raddle::machine
