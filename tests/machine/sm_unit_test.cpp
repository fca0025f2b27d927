// Guarantees for every unit of a multiprocessor. The test uses a unit with pseudo-random times: its
// results come late and in parts, and lanes wait at its instructions for no reason.
#include "machine/unit/sm_unit.h"

#include <gmock/gmock-matchers.h>

#include <array>
#include <bit>
#include <map>
#include <random>
#include <string>

#include "base/error.h"
#include "isa/global_port.h"
#include "isa/table.h"
#include "kernels.h"
#include "machine/lane_controls.h"
#include "machine/mechanism.h"

namespace raddle::machine {
namespace {

void execute_add(isa::WarpContext&, const isa::Instruction&) {}
void execute_double(isa::WarpContext&, const isa::Instruction&) {}
void execute_odd(isa::WarpContext&, const isa::Instruction&) {}
void execute_load(isa::WarpContext&, const isa::Instruction&) {}
void execute_store(isa::WarpContext&, const isa::Instruction&) {}

struct LateStats : StatGroup {
  using StatGroup::StatGroup;
  Counter odd{*this, "odd", "lanes", "Lanes that executed late.odd."};
  Counter loads{*this, "loads", "lanes", "Lanes that loaded."};
  Counter returned{*this, "returned", "accesses", "Accesses that came back."};
  Counter accessed{*this, "accessed", "accesses", "Accesses made."};
  Counter waited{*this, "waited", "lanes", "Lanes that waited."};
  Counter commits{*this, "commits", "calls", "Calls of commit()."};
};

// Mistakes of a unit: it takes no instruction, it finishes no result.
bool g_refuses = false, g_keeps = false;

class LateUnit : public SmUnit {
 public:
  explicit LateUnit(SmPort& port)
      : port_(port), stats_(port.statistics().unit<LateStats>("late")) {}

  bool can_issue(const isa::Instruction& i, Cycle now) const override {
    const bool memory = i.execute == execute_load || i.execute == execute_store;
    return !g_refuses && busy_until_ <= now && (!memory || port_.can_access(next_priority()));
  }
  /// Not the same whenever it is asked.
  bool collects_operands(const isa::Instruction& i) const override {
    return i.execute != execute_odd && ++asked_ % 3 != 0;
  }

  LaneMask issue(const UnitIssue& issue, Cycle now) override {
    const unsigned warp = warp_of(issue.path);
    for (Waiting& one : waiting_) one.lanes &= one.warp == warp ? ~issue.joined : kAllLanes;
    busy_until_ = now + 1 + random_() % 3;
    const LaneMask waits = random_() % 24 == 0 ? issue.lanes & random_() : 0;
    if (waits != 0) {
      waiting_.push_back({now + 1 + random_() % 40, warp, waits});
      stats_.waited += static_cast<unsigned>(std::popcount(waits));
    }
    UnitIssue rest = issue;
    rest.lanes &= ~waits;
    if (rest.lanes != 0) execute(rest, now);
    return waits;
  }

  void returned(std::uint32_t tag, const std::uint32_t* values, Cycle now) override {
    ++stats_.returned;
    if (tag == kStore) return;
    Work& work = work_[tag];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) work.value[lane] = values[lane];
    work.due = now + random_() % 3;
  }

  void cycle(Cycle now) override {
    std::erase_if(waiting_, [&](const Waiting& one) {
      if (one.at > now) return false;
      if (one.lanes != 0) port_.wake_lanes(one.warp, one.lanes);
      return true;
    });
    for (Work& work : work_) {
      if (g_keeps) continue;
      while (work.left != 0 && work.due <= now) finish_part(work, now);
    }
    port_.ask_commit();
  }
  Cycle wake() const override {
    Cycle wake = kNever;
    for (const Waiting& one : waiting_) wake = std::min(wake, one.at);
    if (g_keeps) return wake;
    for (const Work& work : work_) wake = std::min(wake, work.left != 0 ? work.due : kNever);
    return wake;
  }
  void commit(Cycle) override { ++stats_.commits; }

 private:
  static constexpr std::uint32_t kStore = ~0u;
  struct Waiting {
    Cycle at;
    unsigned warp;
    LaneMask lanes;
  };
  struct Work {
    UnitResult result = 0;
    Cycle due = kNever;
    LaneMask left = 0;
    isa::Execute what = nullptr;
    isa::Slot d = 0;
    std::uint16_t predicate = 0;
    std::array<std::uint64_t, kWarpSize> value{};
  };

  Priority next_priority() const { return accesses_ % 2 == 0 ? Priority::low : Priority::normal; }

  void execute(const UnitIssue& issue, Cycle now) {
    const isa::Instruction& i = *issue.instruction;
    if (i.execute == execute_store) return store(issue);
    auto work = std::find_if(work_.begin(), work_.end(), [](const Work& w) { return w.left == 0; });
    if (work == work_.end()) work = work_.insert(work, Work{});
    *work = {port_.reserve(issue, random_() % 2 == 0),
             now + 1 + random_() % 60,
             issue.lanes,
             i.execute,
             i.d,
             i.p,
             {}};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const auto* a = issue.warp->source<std::uint32_t>(i.s[0]);
      const auto* b = issue.warp->source<std::uint32_t>(i.s[1]);
      if (i.execute == execute_add) work->value[lane] = a[lane] + b[lane];
      if (i.execute == execute_double) work->value[lane] = std::uint64_t{2} * a[lane];
      if (i.execute == execute_odd) work->value[lane] = a[lane] & 1;
    }
    const auto lanes = static_cast<unsigned>(std::popcount(issue.lanes));
    if (i.execute == execute_odd) stats_.odd += lanes;
    if (i.execute != execute_load) return;
    stats_.loads += lanes;
    work->due = kNever;
    access(issue, AccessType::load, static_cast<std::uint32_t>(work - work_.begin()));
  }

  void store(const UnitIssue& issue) { access(issue, AccessType::store, kStore); }

  void access(const UnitIssue& issue, AccessType type, std::uint32_t tag) {
    UnitAccess access;
    access.type = type;
    access.lanes = issue.lanes;
    access.tag = tag;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      access.address[lane] = issue.warp->source<std::uint64_t>(issue.instruction->s[0])[lane];
      if (type != AccessType::store) continue;
      access.values[lane] = issue.warp->source<std::uint32_t>(issue.instruction->s[1])[lane];
    }
    port_.access(access, next_priority());
    ++accesses_;
    ++stats_.accessed;
  }

  /// Half of the lanes that are left, or all, some time from now.
  void finish_part(Work& work, Cycle now) {
    LaneMask lanes = work.left & random_();
    if (lanes == 0 || random_() % 2 == 0) lanes = work.left;
    if (work.what == execute_odd) {
      LaneMask odd = 0;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        odd |= static_cast<LaneMask>(work.value[lane]) << lane;
      }
      port_.write_predicate(work.result, work.predicate, lanes, odd);
    } else if (work.what == execute_double) {
      port_.write(work.result, work.d, lanes, work.value.data());
    } else {
      std::array<std::uint32_t, kWarpSize> narrow;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        narrow[lane] = static_cast<std::uint32_t>(work.value[lane]);
      }
      port_.write(work.result, work.d, lanes, narrow.data());
    }
    work.left &= ~lanes;
    port_.finish(work.result, lanes,
                 now + (random_() % 64 == 0 ? random_() % 1500 : random_() % 4));
    work.due = now + 1 + random_() % 40;
  }

  SmPort& port_;
  LateStats& stats_;
  std::mt19937 random_{1};
  Cycle busy_until_ = 0;
  unsigned accesses_ = 0;
  mutable unsigned asked_ = 0;
  std::vector<Waiting> waiting_;
  std::vector<Work> work_;
};

struct Late : Mechanism {
  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override {
    return std::make_unique<LateUnit>(port);
  }
};

template <isa::Execute execute>
isa::Execute choose(const isa::Form&) {
  return execute;
}

constexpr const char* kWords = "add double odd load store";
const isa::Row kRows[] = {
    {"late", ".add(.u32)", "d a b", isa::Class::move, isa::Kind::unit, choose<execute_add>, "",
     kWords, isa::kChangesState},
    {"late", ".double(.u32)", "d:u64 a", isa::Class::move, isa::Kind::unit, choose<execute_double>,
     "", kWords, isa::kChangesState},
    {"late", ".odd(.u32)", "p a", isa::Class::move, isa::Kind::unit, choose<execute_odd>, "",
     kWords, isa::kChangesState},
    {"late", ".load(.u32)", "d a:u64", isa::Class::move, isa::Kind::unit, choose<execute_load>, "",
     kWords, isa::kChangesState},
    {"late", ".store(.u32)", "a:u64 b", isa::Class::move, isa::Kind::unit, choose<execute_store>,
     "", kWords, isa::kChangesState},
};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind late;
    late.name = "late";
    late.attach = [](const ConfigGroup&, LaunchPath&) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Late>();
    };
    late.rows = [] { return std::span<const isa::Row>(kRows); };
    return std::vector<MechanismKind>{late};
  }();
  return kinds;
}

namespace {

using namespace test;

constexpr unsigned kBlocks = 3, kThreads = 80, kRounds = 4;

/// Reads after writes, writes after writes, writes after reads; predicates, wide registers, guards,
/// branches, calls and barriers: see expected().
constexpr const char* kKernel = R"(
.func (.reg .b32 %result) through(.reg .b32 %argument) {
  .reg .b32 %r<4>;
  late.add.u32 %r1, %argument, %argument;
  late.add.u32 %result, %r1, 1;
  ret;
}
.visible .entry rounds(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<20>; .reg .b64 %rd<12>; .reg .pred %p<6>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r5, %r4;
  mov.u32 %r6, 3;
  mov.u32 %r7, 0;
  mov.u32 %r12, 0;
ROUND:
  late.add.u32 %r5, %r5, %r6;
  late.add.u32 %r8, %r5, %r5;
  mov.u32 %r9, %r8;
  late.add.u32 %r8, %r9, %r6;
  mov.u32 %r8, 5;
  late.add.u32 %r10, %r6, %r8;
  add.u32 %r6, %r6, 1;
  late.double.u32 %rd6, %r10;
  cvt.u32.u64 %r11, %rd6;
  late.odd.u32 %p1, %r5;
  @%p1 late.add.u32 %r5, %r5, %r11;
  and.b32 %r13, %r5, 2;
  setp.eq.u32 %p2, %r13, 0;
  @%p2 bra MEET;
  late.add.u32 %r5, %r5, 7;
  call (%r5), through, (%r5);
MEET:
  st.global.u32 [%rd4], %r5;
  late.load.u32 %r14, %rd4;
  add.u32 %r14, %r14, 1;
  late.store.u32 %rd4, %r14;
  bar.sync 0;
  ld.global.u32 %r15, [%rd4];
  add.u32 %r12, %r12, %r15;
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p3, %r7, 4;
  @%p3 bra ROUND;
  late.add.u32 %r12, %r12, %r9;
  st.global.u32 [%rd5], %r12;
  ret;
})";

/// In each of 16 rounds a thread stores its number plus the round, and behind a barrier adds what its
/// neighbour has stored, and how many threads of even number have come to the barrier.
constexpr const char* kNeighbours = R"(
.visible .entry neighbours(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<16>; .reg .b64 %rd<12>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  add.u32 %r5, %r3, 1;
  rem.u32 %r5, %r5, %r2;
  mad.lo.s32 %r5, %r1, %r2, %r5;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  mul.wide.u32 %rd6, %r5, 4;
  add.s64 %rd6, %rd1, %rd6;
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
  and.b32 %r10, %r3, 1;
  setp.eq.u32 %p2, %r10, 0;
ROUND:
  late.add.u32 %r8, %r4, %r6;
  st.volatile.global.u32 [%rd4], %r8;
  bar.red.popc.u32 %r11, 0, %p2;
  add.u32 %r7, %r7, %r11;
  ld.volatile.global.u32 %r9, [%rd6];
  add.u32 %r7, %r7, %r9;
  bar.sync 0;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 16;
  @%p1 bra ROUND;
  st.global.u32 [%rd5], %r7;
  ret;
})";

std::uint32_t expected(std::uint32_t thread) {
  std::uint32_t x = thread, y = 3, sum = 0, twice = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    x += y;
    twice = 2 * x;
    const std::uint32_t w = y + 5;
    ++y;
    if (x % 2 != 0) x += 2 * w;
    if ((x & 2) != 0) x = 2 * (x + 7) + 1;
    sum += x + 1;
  }
  return sum + twice;
}

void add(const StatGroup& group, const std::string& path, std::string& text) {
  for (const Counter* counter : group.counters()) {
    text += path + std::string(counter->name()) + " " + std::to_string(counter->value()) + "\n";
  }
  for (const StatGroup* child : group.children()) add(*child, path + child->name() + ".", text);
}

class SmUnits : public testing::TestWithParam<Settings> {
 protected:
  std::unique_ptr<Machine> run(const Settings& more = {}, const char* text = kKernel,
                               const char* kernel = "rounds") {
    Settings settings = GetParam();
    settings.insert(settings.end(), more.begin(), more.end());
    settings.emplace_back("gpu.mechanisms", "late");
    settings.emplace_back("gpu.sms", "2");
    auto machine = std::make_unique<Machine>(text, settings);
    machine->launch(kernel, kBlocks, kThreads);
    machine->run();
    for (const FaultReport& fault : machine->gpu().take_faults()) ADD_FAILURE() << fault.text;
    return machine;
  }
  static std::string statistics(Machine& machine) {
    std::string text;
    add(machine.gpu().statistics(), "", text);
    return text;
  }
};

TEST_P(SmUnits, ResultsRespectHazards) {
  const auto machine = run();
  for (unsigned n = 0; n < kBlocks * kThreads; ++n) {
    ASSERT_EQ(machine->out(n), expected(n)) << "thread " << n;
  }
}

/// Lanes that wait at the unit have not come to the barrier.
TEST_P(SmUnits, BarriersWaitForLanesThatWait) {
  const auto machine = run({}, kNeighbours, "neighbours");
  EXPECT_GT(total(machine->gpu().statistics(), "late", "waited"), 0u);
  for (unsigned n = 0; n < kBlocks * kThreads; ++n) {
    const unsigned block = n / kThreads,
                   neighbour = block * kThreads + (n + 1 - block * kThreads) % kThreads;
    ASSERT_EQ(machine->out(n), 16 * (neighbour + kThreads / 2) + 15 * 16 / 2) << "thread " << n;
  }
}

TEST_P(SmUnits, EachLaneExecutesEachInstructionOnce) {
  const auto machine = run();
  const StatGroup& all = machine->gpu().statistics();
  EXPECT_EQ(total(all, "late", "odd"), kBlocks * kThreads * kRounds);
  EXPECT_EQ(total(all, "late", "loads"), kBlocks * kThreads * kRounds);
  EXPECT_GT(total(all, "late", "waited"), 0u);
}

TEST_P(SmUnits, EveryAccessComesBack) {
  const auto machine = run();
  const StatGroup& all = machine->gpu().statistics();
  EXPECT_GT(total(all, "late", "accessed"), 0u);
  EXPECT_EQ(total(all, "late", "returned"), total(all, "late", "accessed"));
}

TEST_P(SmUnits, WakesAreExact) {
  EXPECT_EQ(statistics(*run({{"gpu.skip_idle", "false"}})), statistics(*run()));
}

TEST_P(SmUnits, ThreadsChangeNothing) {
  EXPECT_EQ(statistics(*run({{"gpu.threads", "3"}})), statistics(*run()));
}

std::vector<Settings> every_scheme() {
  std::vector<Settings> all;
  for (const LaneControlKind* kind : all_lane_controls()) {
    all.push_back({{"scheduler.divergence", kind->name.data()}});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Schemes, SmUnits, testing::ValuesIn(every_scheme()));

INSTANTIATE_TEST_SUITE_P(
    Machines, SmUnits,
    testing::Values(Settings{{"operands.style", "fixed"}, {"scheduler.divergence", "independent"}},
                    Settings{{"operands.collectors", "1"}, {"operands.result_buses", "1"}},
                    Settings{{"load_store.background_queue", "1"}, {"l1.request_queue", "2"}}));

/// One warp on one multiprocessor whose unit makes that mistake: what the machine says of it.
std::string said_of(bool& mistake) {
  mistake = true;
  Machine machine(kKernel, {{"gpu.mechanisms", "late"}, {"gpu.sms", "1"}});
  machine.launch("rounds", 1, 32);
  std::string said;
  try {
    machine.run();
  } catch (const Error& error) {
    said = error.what();
  }
  for (const FaultReport& fault : machine.gpu().take_faults()) said += fault.text;
  mistake = false;
  return said;
}

TEST(UnitsThatDoNotAnswer, AUnitThatTakesNothingIsNamed) {
  EXPECT_THAT(said_of(g_refuses),
              testing::AllOf(testing::HasSubstr("the unit of late has taken no instruction"),
                             testing::HasSubstr("late.")));
}

/// Warp 0 waits for the unit, for ever; the other warps of its scheduler copy a register, which is of
/// the class that the unit's rows have, many times before they store.
TEST(UnitsThatDoNotAnswer, ABusyUnitHoldsNoOtherInstructionsBack) {
  std::string kernel = R"(
.visible .entry copies(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %r1;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra COPY;
  late.add.u32 %r2, %r1, %r1;
COPY:
)";
  for (int n = 0; n < 20; ++n) kernel += n % 2 == 0 ? "mov.u32 %r3, %r2;\n" : "mov.u32 %r2, %r3;\n";
  kernel +=
      "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r2; ret; }\n";
  g_refuses = true;
  Machine machine(kernel.c_str(), {{"gpu.mechanisms", "late"},
                                   {"gpu.sms", "1"},
                                   {"scheduler.count", "1"},
                                   {"scheduler.policy", "gto"}});
  machine.launch("copies", 1, 128);
  EXPECT_THAT([&] { machine.run(); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("has taken no instruction")));
  g_refuses = false;
  for (std::uint32_t thread = 32; thread < 128; ++thread) ASSERT_EQ(machine.out(thread), thread);
}

TEST(UnitsThatDoNotAnswer, AResultThatIsNotFinishedIsNamed) {
  EXPECT_THAT(said_of(g_keeps),
              testing::AllOf(testing::HasSubstr("deadlock"),
                             testing::HasSubstr("the unit of late has not finished")));
}

}  // namespace
}  // namespace raddle::machine
