// Warps with several paths: the guarantees for policies, units and schemes of lane control.
#include <gmock/gmock-matchers.h>

#include "base/error.h"
#include "kernels.h"
#include "machine/mechanism.h"
#include "machine/reconvergence/stack.h"
#include "machine/scheduler/policy.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {
namespace {

/// What a policy that looks at all that it is offered has seen.
struct Seen {
  const isa::Program* program = nullptr;
  unsigned picks = 0, foreign = 0, wrong_load_store = 0, others_issued = 0;
} g_seen;

/// Oldest first.
class Reader : public WarpPolicy {
 public:
  unsigned pick(const ReadyWarps& warps) override {
    const isa::Instruction* const first = g_seen.program->code.data();
    for (WarpMask rest = warps.ready; rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      const isa::Instruction* const next = warps.next[warp];
      if (next < first || next >= first + g_seen.program->code.size()) {
        ++g_seen.foreign;
        continue;
      }
      const bool load_store = (warps.load_store & warp_bit(warp)) != 0;
      g_seen.wrong_load_store += (next->kind == isa::Kind::memory) != load_store;
    }
    ++g_seen.picks;
    const unsigned picked = oldest_of(warps.ready, warps.ages);
    next_ = warps.next[picked];
    return picked;
  }
  /// The units of arithmetic are never busy here.
  void issued(unsigned /*warp*/, const isa::Instruction& instruction, Cycle) override {
    if (g_seen.foreign != 0) return;
    g_seen.others_issued += next_->kind == isa::Kind::compute && next_ != &instruction;
  }

 private:
  const isa::Instruction* next_ = nullptr;
};

constexpr WarpPolicyKind kPolicies[] = {
    {.name = "reader",
     .meaning = "an example",
     .source = "a test",
     .make = [](const WarpPolicySetup&) -> std::unique_ptr<WarpPolicy> {
       return std::make_unique<Reader>();
     }}};

/// The youngest two ways can run, and change places whenever they are chosen.
class TwoThatSwap : public SimtStack {
 public:
  using SimtStack::SimtStack;
  bool choose() override {
    pause();
    while (std::uint64_t arrived = all_arrived()) {
      arrive_at_parent(static_cast<std::uint8_t>(std::countr_zero(arrived)));
    }
    const std::uint8_t first = youngest(ready());
    if (first == kNoSplit) return false;
    run(first, turn_);
    const std::uint8_t second = youngest(ready() & ~bit(first));
    if (second != kNoSplit) run(second, 1 - turn_);
    turn_ = 1 - turn_;
    return true;
  }

 private:
  std::uint64_t all_arrived() const {
    std::uint64_t arrived = 0;
    for (std::uint64_t rest = ready(); rest != 0; rest &= rest - 1) {
      const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
      if (has_arrived(split)) arrived |= bit(split);
    }
    return arrived;
  }

  unsigned turn_ = 0;
};

/// The SIMT stack, on the second path alone.
class SecondPath : public SimtStack {
 public:
  using SimtStack::SimtStack;
  bool choose() override {
    pause();
    for (;;) {
      const std::uint8_t first = youngest(ready());
      if (first == kNoSplit) return false;
      if (!has_arrived(first)) {
        run(first, 1);
        return true;
      }
      arrive_at_parent(first);
    }
  }
};

template <class Scheme>
std::unique_ptr<LaneControl> make(WarpValues& values, Cursor* cursors) {
  return std::make_unique<Scheme>(values, cursors);
}

constexpr LaneControlKind kSchemes[] = {
    {.name = "two_that_swap",
     .meaning = "an example",
     .source = "a test",
     .paths = 2,
     .whole_warps_at_barriers = true,
     .functional = "stack",
     .make = make<TwoThatSwap>},
    {.name = "second_path",
     .meaning = "an example",
     .source = "a test",
     .paths = 2,
     .whole_warps_at_barriers = true,
     .functional = "stack",
     .make = make<SecondPath>},
};

void execute_copy(isa::WarpContext&, const isa::Instruction&) {}

Cycle g_last_copy = 0;
bool g_refuses = false;  // it takes no instruction

/// Copies a word, and reads it without an operand collector.
class CopyUnit : public SmUnit {
 public:
  explicit CopyUnit(SmPort& port) : port_(port) {}
  bool can_issue(const isa::Instruction&, Cycle) const override { return !g_refuses; }
  bool collects_operands(const isa::Instruction&) const override { return false; }
  LaneMask issue(const UnitIssue& issue, Cycle now) override {
    g_last_copy = now;
    const UnitResult result = port_.reserve(issue, false);
    port_.write(result, issue.instruction->d, issue.lanes,
                issue.warp->source<std::uint32_t>(issue.instruction->s[0]));
    port_.finish(result, issue.lanes, now + 20);
    return 0;
  }

 private:
  SmPort& port_;
};

struct Copy : Mechanism {
  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override {
    return std::make_unique<CopyUnit>(port);
  }
};

const isa::Row kRows[] = {
    {"copy", ".word(.u32)", "d a", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_copy; }, "", "word", isa::kChangesState},
};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind reader;
    reader.name = "reader";
    reader.warp_policies = [] { return std::span<const WarpPolicyKind>(kPolicies); };
    MechanismKind schemes;
    schemes.name = "schemes";
    schemes.lane_controls = [] { return std::span<const LaneControlKind>(kSchemes); };
    MechanismKind copy;
    copy.name = "copy";
    copy.attach = [](const ConfigGroup&, LaunchPath&) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Copy>();
    };
    copy.rows = [] { return std::span<const isa::Row>(kRows); };
    return std::vector<MechanismKind>{reader, schemes, copy};
  }();
  return kinds;
}

namespace {

using namespace test;

/// Lanes go 20 times round, odd and even ones on ways of their own: a thread t comes to
/// 20 * (t % 2 ? 3 : 5) + t. In between they load and store.
constexpr const char* kWays = R"(
.visible .entry ways(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd2, %rd2, %rd3;
  st.global.u32 [%rd2], %r4;
  and.b32 %r5, %r3, 1;
  setp.eq.u32 %p1, %r5, 0;
  mov.u32 %r6, 20;
ROUND:
  @%p1 bra EVEN;
  ld.global.u32 %r7, [%rd2];
  add.u32 %r7, %r7, 1;
  add.u32 %r7, %r7, 1;
  add.u32 %r7, %r7, 1;
  st.global.u32 [%rd2], %r7;
  bra JOIN;
EVEN:
  mov.u32 %r8, 2;
  add.u32 %r8, %r8, 1;
  add.u32 %r8, %r8, 2;
  ld.global.u32 %r7, [%rd2];
  add.u32 %r7, %r7, %r8;
  st.global.u32 [%rd2], %r7;
JOIN:
  sub.u32 %r6, %r6, 1;
  setp.ne.u32 %p2, %r6, 0;
  @%p2 bra ROUND;
  ret;
})";

constexpr unsigned kBlocks = 6, kThreads = 96;

void run_ways(const Settings& settings) {
  Machine machine(kWays, settings);
  g_seen = {};
  g_seen.program = &machine.program();
  machine.launch("ways", kBlocks, kThreads);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  for (unsigned n = 0; n < kBlocks * kThreads; ++n) {
    ASSERT_EQ(machine.out(n), n + 20 * (n % 2 != 0 ? 3 : 5)) << "thread " << n;
  }
}

class SeveralPaths : public testing::TestWithParam<const char*> {};

// Blocks that leave give their slots to warps of which other paths are ready.
TEST_P(SeveralPaths, PoliciesSeeTheInstructionThatIssues) {
  for (const char* preempt_every : {"0", "300"}) {
    run_ways({{"scheduler.policy", "reader"},
              {"scheduler.divergence", GetParam()},
              {"scheduler.formation_leader", "policy"},
              {"scheduler.dispatch_width", "1"},
              {"gpu.sms", "2"},
              {"gpu.preempt_every", preempt_every}});
    EXPECT_GT(g_seen.picks, 0u);
    EXPECT_EQ(g_seen.foreign, 0u) << "not of the program";
    EXPECT_EQ(g_seen.wrong_load_store, 0u);
    EXPECT_EQ(g_seen.others_issued, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(, SeveralPaths,
                         testing::Values("stack", "dual_path", "multi_path", "two_that_swap",
                                         "second_path", "dynamic_warps", "subdivided_warps"),
                         [](const auto& info) { return std::string(info.param); });

// A scheme may choose any of its paths, from the first instruction on.
TEST(Schemes, MayLetAWarpBeginOnAnyPath) {
  for (const char* preempt_every : {"0", "300"}) {
    run_ways({{"scheduler.divergence", "second_path"},
              {"gpu.sms", "2"},
              {"gpu.preempt_every", preempt_every}});
  }
}

/// No lanes part: one of the paths runs. The first half of the warps keeps the operand collectors
/// busy, the other one copies.
constexpr const char* kStraight = R"(
.visible .entry straight(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r9, 40;
  mov.u32 %r10, 7;
  setp.ge.u32 %p1, %r1, 256;
  @%p1 bra COPY;
ADD:
  mad.lo.u32 %r2, %r1, %r9, %r10;
  mad.lo.u32 %r3, %r1, %r9, %r10;
  mad.lo.u32 %r4, %r1, %r9, %r10;
  mad.lo.u32 %r5, %r1, %r9, %r10;
  sub.u32 %r9, %r9, 1;
  setp.ne.u32 %p2, %r9, 0;
  @%p2 bra ADD;
  ret;
COPY:
  copy.word.u32 %r2, %r1;
  copy.word.u32 %r3, %r1;
  copy.word.u32 %r4, %r1;
  copy.word.u32 %r5, %r1;
  ret;
})";

/// The cycle in which the last copy issued.
Cycle straight(const char* divergence) {
  Machine machine(kStraight, {{"gpu.mechanisms", "copy"},
                              {"gpu.sms", "1"},
                              {"operands.collectors", "1"},
                              {"operands.banks", "1"},
                              {"operands.read_ports", "1"},
                              {"scheduler.divergence", divergence}});
  machine.launch("straight", 1, 512);
  machine.run();
  return g_last_copy;
}

// Where one path runs, the second one changes nothing: instructions that need no collector issue
// while none is free.
TEST(Units, WithoutOperandCollectorsIssueOnEachPath) {
  EXPECT_EQ(straight("dual_path"), straight("stack"));
}

TEST(Units, ThatTakeNothingAreNamedWhicheverPathWaits) {
  g_refuses = true;
  Machine machine(
      kStraight,
      {{"gpu.mechanisms", "copy"}, {"gpu.sms", "1"}, {"scheduler.divergence", "second_path"}});
  machine.launch("straight", 1, 512);
  std::string said;
  try {
    machine.run();
  } catch (const Error& error) {
    said = error.what();
  }
  g_refuses = false;
  EXPECT_THAT(said, testing::HasSubstr("the unit of copy has taken no instruction"));
}

}  // namespace
}  // namespace raddle::machine
