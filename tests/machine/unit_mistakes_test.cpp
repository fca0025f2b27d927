// Mistakes of a unit in the use of its SmPort. Each ends with an error, or a deadlock report, that
// names the unit.
#include <gmock/gmock-matchers.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "isa/table.h"
#include "kernels.h"
#include "machine/mechanism.h"
#include "machine/unit/message_config.h"
#include "machine/unit/message_network.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {
namespace {

enum class Mistake : std::uint8_t {
  none,
  unknown_receiver,  // a message to a multiprocessor that there is not
  too_many_messages,
  no_message,  // receives one
  no_lanes,    // accesses memory for none
  too_many_accesses,
  access_without_room,  // for an instruction
  finished_twice,
  foreign_lanes,  // finishes those that do not execute the instruction
  no_result,      // finishes one that it has not reserved
  no_room,        // writes one that it has not reserved
  unknown_warp,   // wakes its lanes
  deaf,           // receives no message, and sleeps
  busy_and_deaf,  // and is awake
} g_mistake = Mistake::none;

void execute_work(isa::WarpContext&, const isa::Instruction&) {}

/// Results of its instruction come with an answer from multiprocessor 1, which gets a message for
/// each.
class CarelessUnit : public SmUnit {
 public:
  explicit CarelessUnit(SmPort& port) : port_(port) {}

  bool can_issue(const isa::Instruction&, Cycle) const override {
    return port_.messages()->can_send();
  }

  LaneMask issue(const UnitIssue& issue, Cycle now) override {
    make_mistake(issue, now);
    results_.push_back({port_.reserve(issue, true), issue.lanes});
    port_.messages()->send({.to = 1}, now);
    return 0;
  }

  Cycle wake() const override {
    return deaf() && g_mistake == Mistake::deaf ? kNever : port_.messages()->ready_at();
  }
  void cycle(Cycle now) override {
    MessageEndpoint& messages = *port_.messages();
    if (deaf() || !messages.can_receive(now)) return;
    if (port_.sm() == 1 && !messages.can_send()) return;
    messages.receive();
    if (port_.sm() == 1) return messages.send({.to = 0}, now);
    const Result result = results_.back();
    results_.pop_back();
    port_.finish(result.number, result.lanes, now);
    if (g_mistake == Mistake::finished_twice) port_.finish(result.number, result.lanes, now);
  }

 private:
  struct Result {
    UnitResult number;
    LaneMask lanes;
  };

  bool deaf() const {
    return port_.sm() == 1 && (g_mistake == Mistake::deaf || g_mistake == Mistake::busy_and_deaf);
  }

  void make_mistake(const UnitIssue& issue, Cycle now) {
    UnitAccess access;
    access.lanes = issue.lanes;
    access.type = AccessType::prefetch;
    switch (g_mistake) {
      case Mistake::unknown_receiver:
        return port_.messages()->send({.to = 7}, now);
      case Mistake::too_many_messages:
        for (unsigned n = 0; n < 100; ++n) port_.messages()->send({.to = 1}, now);
        return;
      case Mistake::no_message:
        port_.messages()->receive();
        return;
      case Mistake::no_lanes:
        access.lanes = 0;
        return port_.access(access, Priority::low);
      case Mistake::too_many_accesses:
        for (unsigned n = 0; n < 1000; ++n) port_.access(access, Priority::low);
        return;
      case Mistake::access_without_room: {
        const Transaction transaction{};
        for (unsigned n = 0; n < 1000; ++n) port_.access_for(issue, &transaction, 1, CacheId::l1);
        return;
      }
      case Mistake::foreign_lanes:
        return port_.finish(port_.reserve(issue, true), issue.lanes + 1, now);
      case Mistake::no_result:
        return port_.finish(12345, issue.lanes, now);
      case Mistake::no_room: {
        const std::uint32_t values[kWarpSize] = {};
        return port_.write(12345, issue.instruction->d, issue.lanes, values);
      }
      case Mistake::unknown_warp:
        return port_.wake_lanes(kMaxWarps, issue.lanes);
      default:
        return;
    }
  }

  SmPort& port_;
  std::vector<Result> results_;
};

class Careless : public Mechanism {
 public:
  explicit Careless(LaunchPath& path) : network_(config_, 2, path.statistics(), "careless") {}
  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override {
    return std::make_unique<CarelessUnit>(port);
  }
  MessageNetwork* network() override { return &network_; }

 private:
  MessageNetworkConfig config_{"careless"};
  MessageNetwork network_;
};

const isa::Row kRows[] = {{"careless", ".work(.u32)", "d a", isa::Class::move, isa::Kind::unit,
                           [](const isa::Form&) -> isa::Execute { return execute_work; }, "",
                           "work", isa::kChangesState}};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind other;
    other.name = "other";
    MechanismKind careless;
    careless.name = "careless";
    careless.attach = [](const ConfigGroup&, LaunchPath& path) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Careless>(path);
    };
    careless.rows = [] { return std::span<const isa::Row>(kRows); };
    return std::vector<MechanismKind>{other, careless};
  }();
  return kinds;
}

namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;

/// Twenty results, of which each one waits for the one before.
constexpr const char* kWork = R"(
.visible .entry work(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 20;
ROUND:
  careless.work.u32 %r1, %r1;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra ROUND;
  ret;
})";

/// What the machine says of one block.
std::string said_of(Mistake mistake, unsigned threads = 16, const char* skip_idle = "true") {
  g_mistake = mistake;
  Machine machine(kWork,
                  {{"gpu.mechanisms", "careless"}, {"gpu.sms", "2"}, {"gpu.skip_idle", skip_idle}});
  machine.launch("work", 1, threads);
  std::string said;
  try {
    machine.run();
  } catch (const Error& error) {
    said = error.what();
  }
  for (const FaultReport& fault : machine.gpu().take_faults()) said += fault.text;
  return said;
}

TEST(UnitMistakes, WithoutOneNothingIsSaid) { EXPECT_EQ(said_of(Mistake::none), ""); }

TEST(UnitMistakes, OfMessagesAreNamed) {
  EXPECT_THAT(said_of(Mistake::unknown_receiver),
              HasSubstr("the unit of careless on SM 0 sends a message to SM 7, of 2"));
  EXPECT_THAT(said_of(Mistake::too_many_messages),
              HasSubstr("the unit of careless on SM 0 sends a message when "
                        "MessageEndpoint::can_send() is false"));
  EXPECT_THAT(said_of(Mistake::no_message),
              HasSubstr("the unit of careless on SM 0 receives a message, and none has come"));
}

TEST(UnitMistakes, OfAccessesAreNamed) {
  EXPECT_THAT(said_of(Mistake::no_lanes),
              HasSubstr("the unit of careless on SM 0 accesses memory for no lanes"));
  EXPECT_THAT(said_of(Mistake::too_many_accesses),
              HasSubstr("the unit of careless on SM 0 accesses memory when SmPort::can_access()"));
  EXPECT_THAT(said_of(Mistake::access_without_room),
              HasSubstr("the unit of careless on SM 0 accesses memory for an instruction that"));
}

TEST(UnitMistakes, OfResultsAreNamed) {
  EXPECT_THAT(said_of(Mistake::finished_twice),
              HasSubstr("the unit of careless on SM 0 finishes lanes 0xffff of a result"));
  EXPECT_THAT(said_of(Mistake::foreign_lanes),
              HasSubstr("the unit of careless on SM 0 finishes lanes 0x10000 of a result"));
  EXPECT_THAT(said_of(Mistake::no_result),
              HasSubstr("the unit of careless on SM 0 finishes a result that it has not reserved"));
  EXPECT_THAT(said_of(Mistake::no_room),
              HasSubstr("the unit of careless on SM 0 writes a result that it has not reserved"));
}

TEST(UnitMistakes, OfWarpsAreNamed) {
  EXPECT_THAT(said_of(Mistake::unknown_warp),
              HasSubstr("the unit of careless on SM 0 wakes lanes of warp 64"));
}

// One warp, whose message waits alone; and so many that those of the last wait in the hub.
TEST(UnitMistakes, AUnitThatReceivesNothingIsNamed) {
  for (const unsigned threads : {32u, 352u}) {
    for (const char* skip_idle : {"true", "false"}) {
      EXPECT_THAT(said_of(Mistake::deaf, threads, skip_idle),
                  AllOf(HasSubstr("deadlock: nothing can run any more"),
                        HasSubstr("SM 1: the unit of careless has not received the message from "
                                  "SM 0 that came in cycle")));
    }
  }
}

TEST(UnitMistakes, AUnitThatIsAwakeAndReceivesNothingIsNamed) {
  EXPECT_THAT(said_of(Mistake::busy_and_deaf),
              AllOf(HasSubstr("deadlock: for 4000000 cycles"),
                    HasSubstr("SM 1: the unit of careless has not received the message from SM 0 "
                              "that came in cycle")));
}

}  // namespace
}  // namespace raddle::machine
