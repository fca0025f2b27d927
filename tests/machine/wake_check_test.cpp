// Runs that skip no cycle detect a part that would have slept too long. Each way to break the rule
// is found, and the message names the mechanism.
#include <gmock/gmock-matchers.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "kernels.h"
#include "machine/mechanism.h"
#include "machine/unit/message_config.h"
#include "machine/unit/message_network.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {
namespace {

/// The cycle in which something happens that has to be told.
constexpr Cycle kPoke = 500;

struct WakefulConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  TextField breaks{*this, "breaks", "nothing", "nothing|made|unit|mechanism|message",
                   "who changes something without telling"};
  Field<bool> tells{*this, "tells", true, "", {}, "and whether it does tell"};
};

struct WakefulStats : StatGroup {
  using StatGroup::StatGroup;
  Counter ran{*this, "ran", "cycles", "Cycles of the unit."};
  Mean when{*this, "when", "SM cycles", "In which they were."};
};

class WakefulUnit : public SmUnit {
 public:
  WakefulUnit(SmPort& port, Cycle due)
      : port_(port), stats_(port.statistics().unit<WakefulStats>("wakeful")), due_(due) {}

  Cycle wake() const override { return std::min(port_.messages()->ready_at(), due_); }
  void cycle(Cycle now) override {
    ++stats_.ran;
    stats_.when.add(now);
    due_ = kNever;
    if (port_.messages()->can_receive(now)) port_.messages()->receive();
  }

  void poke(Cycle at, bool tells) {
    due_ = at;
    if (tells) port_.rouse();
  }
  void send(Cycle now, bool tells) {
    port_.messages()->send({.to = 1}, now);
    if (tells) port_.rouse();
  }

 private:
  SmPort& port_;
  WakefulStats& stats_;
  Cycle due_;
};

class Wakeful : public Mechanism {
 public:
  Wakeful(const WakefulConfig& config, LaunchPath& path)
      : config_(config), path_(path), network_(network_config_, 2, path.statistics(), "wakes") {}

  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override {
    auto unit = std::make_unique<WakefulUnit>(port, config_.breaks == "made" ? 3 : kNever);
    units_.push_back(unit.get());
    return unit;
  }
  MessageNetwork* network() override { return &network_; }

  Cycle wake() const override {
    if (done_) return kNever;
    const bool hides = config_.breaks == "mechanism" && !config_.tells;
    return hides && path_.now() < kPoke ? kNever : kPoke;
  }
  void cycle() override {
    done_ = true;
    if (config_.breaks == "unit") units_[0]->poke(path_.now() + 3, config_.tells);
    if (config_.breaks == "message") units_[0]->send(path_.now(), config_.tells);
  }

 private:
  const WakefulConfig& config_;
  LaunchPath& path_;
  MessageNetworkConfig network_config_{"wakes"};
  MessageNetwork network_;
  std::vector<WakefulUnit*> units_;
  bool done_ = false;
};

MechanismKind wakeful_kind() {
  MechanismKind kind;
  kind.name = "wakeful";
  kind.meaning = "changes at a time what sleeps";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<WakefulConfig>(root, "wakeful");
  };
  kind.attach = [](const ConfigGroup& config, LaunchPath& path) -> std::unique_ptr<Mechanism> {
    return std::make_unique<Wakeful>(static_cast<const WakefulConfig&>(config), path);
  };
  return kind;
}

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = {wakeful_kind()};
  return kinds;
}

namespace {

using testing::HasSubstr;

constexpr const char* kSleep = R"(
.visible .entry sleep(.param .u64 in, .param .u64 out) {
  nanosleep.u32 8000;
  ret;
})";

/// What the units did and when; or the error.
std::string run(const char* breaks, const char* tells, const char* skip_idle,
                const char* threads = "1") {
  test::Machine machine(kSleep, {{"gpu.mechanisms", "wakeful"},
                                 {"gpu.sms", "2"},
                                 {"gpu.skip_idle", skip_idle},
                                 {"gpu.threads", threads},
                                 {"wakeful.breaks", breaks},
                                 {"wakeful.tells", tells}});
  machine.launch("sleep", 2, 32);
  try {
    machine.run();
  } catch (const Error& error) {
    return error.what();
  }
  std::string all = std::to_string(machine.gpu().now());
  for (const StatGroup* sm : machine.gpu().statistics().children()) {
    for (const StatGroup* group : sm->children()) {
      if (group->name() != "wakeful") continue;
      for (const Statistic* statistic : group->statistics()) {
        for (const std::uint64_t word : statistic->words()) all += ' ' + std::to_string(word);
      }
    }
  }
  return all;
}

// Each of these is wrong when cycles are skipped, and nothing but this check would say so.
TEST(WakeCheck, NamesWhoIsToRunBeforeTheMachineWasTold) {
  const std::string unit = run("unit", "false", "false");
  EXPECT_THAT(unit, HasSubstr("in cycle 501, SM 0 was to sleep until"));
  EXPECT_THAT(unit, HasSubstr("its unit of wakeful is to run in cycle 503"));
  EXPECT_THAT(unit, HasSubstr("SmPort::rouse()"));
  EXPECT_THAT(
      run("mechanism", "false", "false"),
      HasSubstr("without anything having happened wakeful has something to do in cycle 500"));
  EXPECT_THAT(run("message", "false", "false"),
              HasSubstr("a network of messages has something to do in cycle 502"));
}

TEST(WakeCheck, FindsItWithSeveralThreads) {
  EXPECT_EQ(run("unit", "false", "false", "2"), run("unit", "false", "false"));
}

TEST(WakeCheck, FindsNothingWhereTheMachineWasTold) {
  for (const char* breaks : {"nothing", "made", "unit", "mechanism", "message"}) {
    EXPECT_EQ(run(breaks, "true", "false"), run(breaks, "true", "true")) << breaks;
  }
}

}  // namespace
}  // namespace raddle::machine
