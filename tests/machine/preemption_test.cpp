// Blocks that are preempted: whatever they were doing, they go on elsewhere as if nothing had been.
// With a registry of its own, whose one mechanism preempts blocks when a test says so.
#include <gmock/gmock.h>

#include <map>

#include "generated_kernel.h"
#include "kernels.h"
#include "machine/observer.h"
#include "machine/summary.h"

namespace raddle::machine {
namespace {

struct PreemptorConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<std::uint64_t> at{*this, "at", kNever, "SM cycles", {}, "when it begins"};
  Field<std::uint64_t> every{*this, "every", kNever, "SM cycles", {}, "between two attempts"};
  Field<std::uint64_t> grid{*this, "grid", 1, "", {}, "whose block is preempted"};
  Field<std::uint64_t> block{*this, "block", 0, "", {}, "its number"};
};

std::vector<Departure> answers;  // of LaunchPath::preempt(), since the last Machine was made
std::vector<Cycle> left_at;      // when blocks were told to have left

struct Preemptor : Mechanism {
  Preemptor(const PreemptorConfig& preemptor, LaunchPath& launch_path)
      : config(preemptor), path(launch_path), next(preemptor.at) {
    answers.clear();
    left_at.clear();
  }
  Cycle wake() const override { return next; }
  void cycle() override {
    next = config.every == kNever ? kNever : path.now() + config.every;
    answers.push_back(
        path.preempt(config.grid, config.block, [this] { left_at.push_back(path.now()); }));
    if (answers.back() == Departure::not_here && !left_at.empty()) next = path.now() + 1;
  }
  const PreemptorConfig& config;
  LaunchPath& path;
  Cycle next;
};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind kind;
    kind.name = "preemptor";
    kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
      return std::make_unique<PreemptorConfig>(root, "preemptor");
    };
    kind.attach = [](const ConfigGroup& config, LaunchPath& path) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Preemptor>(static_cast<const PreemptorConfig&>(config), path);
    };
    return std::vector<MechanismKind>{kind};
  }();
  return kinds;
}

namespace {

using namespace test;

std::uint64_t of_preemption(Machine& machine, const char* counter) {
  return total(machine.gpu().statistics(), "preemption", counter);
}

/// With a block `number` of the first grid preempted at that cycle.
Settings preempting(const std::string& at, const char* number = "0") {
  static std::map<std::string, std::string> kept;  // settings are not owned
  return {{"gpu.mechanisms", "preemptor"},
          {"preemptor.at", (kept[at] = at).c_str()},
          {"preemptor.block", number}};
}

std::string body(const std::string& text) {
  return ".visible .func (.param .b32 r) inc(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, "
         "[a]; mul.lo.u32 %r1, %r1, 3; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }\n"
         ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
         ".shared .align 4 .b8 tile[1024]; .local .align 4 .b8 array[64];\n"
         ".reg .b32 %r<40>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n"
         "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;\n"
         "mov.u32 %r2, 0; mov.u32 %r20, tile; shl.b32 %r21, %r1, 2; add.u32 %r21, %r20, %r21;\n"
         "mov.u32 %r22, array;\n" +
         text + "\nst.global.u32 [%rd5], %r2; ret; }\n";
}

/// What a block may be in the middle of.
const std::map<std::string, std::string> kCases = {
    {"Loads", "ld.global.u32 %r2, [%rd4]; ld.global.u32 %r3, [%rd4+256]; add.u32 %r2, %r2, %r3;"},
    {"LongLatencies",
     "cvt.rn.f32.u32 %r3, %r1; sqrt.rn.f32 %r3, %r3; rcp.rn.f32 %r3, %r3; sqrt.rn.f32 %r2, %r3;"},
    {"Fences",
     "st.global.u32 [%rd5], %r1; membar.gl; ld.volatile.global.u32 %r2, [%rd5]; membar.sys;"
     "add.u32 %r2, %r2, 5;"},
    {"Barriers",
     "st.shared.u32 [%r21], %r1; mov.u32 %r4, 200;\n"
     "setp.ge.u32 %p1, %r1, 32; @%p1 bra MEET;\n"  // the first warp comes late
     "LATE: sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra LATE;\n"
     "MEET: bar.sync 0; xor.b32 %r5, %r21, 252; ld.shared.u32 %r2, [%r5];"},
    {"Reductions at barriers",
     "and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 1; mov.u32 %r4, 100;\n"
     "setp.ge.u32 %p3, %r1, 32; @%p3 bra MEET;\n"
     "LATE: sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra LATE;\n"
     "MEET: barrier.sync 1; bar.red.popc.u32 %r2, 2, %p1;"},
    {"Sleeps", "nanosleep.u32 500; mov.u32 %r2, %r1; nanosleep.u32 500; add.u32 %r2, %r2, 1;"},
    {"Divergence",
     "and.b32 %r4, %r1, 7; mov.u32 %r2, 1; and.b32 %r6, %r1, 3;\n"
     "setp.lt.u32 %p1, %r4, 3; @%p1 bra LOW;\n"
     "HIGH: mad.lo.u32 %r2, %r2, 5, %r4; sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0;\n"
     "@%p2 bra HIGH; bra JOIN;\n"
     "LOW: mul.lo.u32 %r2, %r2, 7; setp.eq.u32 %p3, %r6, 1; @%p3 bra ODD; add.u32 %r2, %r2, 2;\n"
     "bra JOIN; ODD: ld.global.u32 %r5, [%rd4]; add.u32 %r2, %r2, %r5; JOIN: add.u32 %r2, %r2, 1;"},
    {"LocalArrays",
     "st.local.u32 [%r22], %r1; st.local.u32 [%r22+4], 7; st.local.u32 [%r22+8], 9;\n"
     "and.b32 %r4, %r1, 1; shl.b32 %r4, %r4, 2; add.u32 %r4, %r22, %r4; ld.local.u32 %r2, [%r4];\n"
     "st.local.u32 [%r4], %r2; ld.local.u32 %r5, [%r22+8]; add.u32 %r2, %r2, %r5;"},
    {"Calls",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), inc, (x);\n"
     "ld.param.b32 %r2, [y]; }"},
    {"Atomics",
     "atom.shared.add.u32 %r3, [%r21], 4; atom.global.add.u32 %r3, [%rd5+4096], %r1;\n"
     "ld.shared.u32 %r2, [%r21]; red.global.max.u32 [%rd5+4096], %r2;"},
    {"Exits",
     "setp.ge.u32 %p1, %r1, 40; @%p1 bra OUT; and.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 0;\n"
     "st.global.u32 [%rd5], %r1; @%p2 exit; mov.u32 %r2, 6; ld.global.u32 %r3, [%rd4]; \n"
     "add.u32 %r2, %r2, %r3; bra END; OUT: exit; END: nanosleep.u32 100;"},
    {"Shuffles",
     "mov.u32 %r2, %r1; shfl.sync.bfly.b32 %r3, %r2, 1, 31, 0xffffffff; add.u32 %r2, %r2, %r3;\n"
     "vote.sync.ballot.b32 %r3, %p1, 0xffffffff; add.u32 %r2, %r2, %r3;"},
};

/// The first words of `out`, and how long it took.
struct Result {
  std::vector<std::uint32_t> out;
  Cycle cycles = 0;
  bool operator==(const Result& other) const { return out == other.out; }
};

Result run(const std::string& kernels, const char* kernel, unsigned blocks, unsigned threads,
           const Settings& settings, std::uint64_t* left = nullptr) {
  Machine machine(kernels.c_str(), settings);
  for (std::uint32_t i = 0; i < 4096; ++i) machine.out(i) = 0;
  machine.launch(kernel, blocks, threads);
  machine.run();
  EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
  Result result;
  for (std::uint32_t i = 0; i < 4096; ++i) result.out.push_back(machine.out(i));
  result.cycles = machine.gpu().now();
  if (left != nullptr) *left += of_preemption(machine, "left");
  EXPECT_EQ(of_preemption(machine, "left"), of_preemption(machine, "returned"));
  EXPECT_EQ(of_preemption(machine, "requests"), of_preemption(machine, "replies"));
  return result;
}

class Preempted : public testing::TestWithParam<const char*> {};

// One block alone, preempted once in each run, later and later.
TEST_P(Preempted, ABlockGoesOnWhateverItIsDoing) {
  for (const auto& [name, text] : kCases) {
    const std::string kernels = body(text);
    Settings settings = {{"scheduler.divergence", GetParam()}, {"gpu.sms", "2"}};
    const Result expected = run(kernels, "kernel", 1, 64, settings);
    std::uint64_t left = 0;
    const Cycle step = std::max<Cycle>(7, expected.cycles / 40);
    for (Cycle at = 300; at < expected.cycles; at += step) {
      Settings preempted = preempting(std::to_string(at));
      preempted.insert(preempted.end(), settings.begin(), settings.end());
      ASSERT_EQ(run(kernels, "kernel", 1, 64, preempted, &left), expected) << name << " at " << at;
    }
    EXPECT_GT(left, 10u) << name;
  }
}

TEST_P(Preempted, GeneratedKernelsComputeTheSame) {
  std::uint64_t left = 0;
  for (unsigned seed = 0; seed < 25; ++seed) {
    const unsigned threads = seed % 3 == 0 ? 64 : 96;
    const std::string kernels = GeneratedKernel(seed, threads).text();
    Settings settings = {{"scheduler.divergence", GetParam()}, {"gpu.sms", "2"}};
    const Result expected = run(kernels, "generated", 6, threads, settings);
    const std::string text = std::to_string(seed);
    settings.emplace_back("gpu.preempt_every", "300");
    settings.emplace_back("gpu.preempt_seed", text.c_str());
    ASSERT_EQ(run(kernels, "generated", 6, threads, settings, &left), expected)
        << "seed " << seed << "\n"
        << kernels;
  }
  EXPECT_GT(left, 100u);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Preempted,
                         testing::Values("stack", "independent", "dual_path", "dynamic_warps"),
                         [](const auto& info) { return info.param; });

/// Bytes of state that a block of `body` has when it is asleep.
std::uint64_t state_of(const std::string& text, unsigned threads = 32) {
  Machine machine(body(text + "nanosleep.u32 100000;").c_str(), preempting("20000"));
  machine.launch("kernel", 1, threads);
  machine.run();
  EXPECT_EQ(of_preemption(machine, "left"), 1u);
  EXPECT_EQ(of_preemption(machine, "saved_bytes"), of_preemption(machine, "restored_bytes"));
  return of_preemption(machine, "saved_bytes");
}

/// So many 32-bit registers that hold values while the block sleeps.
std::string live(unsigned registers) {
  std::string text, use;
  for (unsigned n = 0; n < registers; ++n) {
    text += "mul.lo.u32 %v" + std::to_string(n) + ", %r1, " + std::to_string(n + 2) + ";\n";
    use += "add.u32 %r2, %r2, %v" + std::to_string(n) + ";\n";
  }
  return ".reg .b32 %v<64>;\n" + text + "nanosleep.u32 100000;\n" + use;
}

TEST(Preemption, TheStateThatTravelsIsWhatTheBlockHas) {
  // Rows of 32 lanes x 4 bytes; everything else of the two kernels is the same.
  EXPECT_EQ(state_of(live(40)) - state_of(live(24)), 16u * 128);
  // Another warp has what the first has; the block's own is less than a sector (and a line of the
  // tile is not less).
  const std::uint64_t one = state_of("", 32), two = state_of("", 64), three = state_of("", 96);
  EXPECT_NEAR(static_cast<double>(three - two), static_cast<double>(two - one), 32);
  const std::string use = "st.shared.u32 [%r21], %r1;";
  std::string big = body(use);
  EXPECT_GE(one, 1024u) << "of shared memory";
}

TEST(Preemption, LinesOfLocalMemoryThatOnlyTheL1CacheKnowsAreWrittenBack) {
  // A store of a warp to one word of an array is a line; K20c keeps it in L1.
  const std::string store = "st.local.u32 [%r22], %r1; st.local.u32 [%r22+4], %r1;";
  const std::string load = "ld.local.u32 %r2, [%r22];";
  Machine machine(body(store + "nanosleep.u32 100000;" + load).c_str(), preempting("20000"));
  machine.launch("kernel", 1, 32);
  machine.run();
  EXPECT_EQ(of_preemption(machine, "saved_bytes"),
            of_preemption(machine, "restored_bytes") + 2 * 128);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(machine.out(t), t);
}

TEST(Preemption, TimeAwayDoesNotCountAsSleep) {
  const std::string kernels = body("nanosleep.u32 40000;");
  Settings settings = preempting("5000");
  settings.emplace_back("gpu.sms", "1");  // where its code is
  const Cycle expected = run(kernels, "kernel", 1, 32, {}).cycles;
  Machine machine(kernels.c_str(), settings);
  machine.launch("kernel", 1, 32);
  machine.run();
  const std::uint64_t moving = of_preemption(machine, "saving_cycles") +
                               of_preemption(machine, "restoring_cycles") +
                               of_preemption(machine, "draining_cycles");
  EXPECT_GT(moving, 400u) << "two trips to memory";
  EXPECT_NEAR(static_cast<double>(machine.gpu().now()), static_cast<double>(expected + moving), 60);
}

TEST(Preemption, AsksForBlocksThatAreThereAlone) {
  // Block 1 does not exist; block 0 is placed from 283 on.
  for (const auto& [at, number, answer] :
       {std::tuple("100", "0", Departure::not_here), std::tuple("2000", "1", Departure::not_here),
        std::tuple("2000", "0", Departure::leaves)}) {
    Machine machine(body("nanosleep.u32 10000;").c_str(), preempting(at, number));
    machine.launch("kernel", 1, 32);
    machine.run();
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0], answer) << "block " << number << " at " << at;
    EXPECT_EQ(left_at.size(), answer == Departure::leaves ? 1u : 0u);
  }
}

TEST(Preemption, ABlockThatMovesIsNotAskedAgain) {
  Settings settings = preempting("2000");
  settings.emplace_back("preemptor.every", "1");
  Machine machine(body("nanosleep.u32 10000;").c_str(), settings);
  machine.launch("kernel", 1, 32);
  while (left_at.size() < 3) machine.gpu().advance(machine.gpu().now() + 1);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), Departure::leaves), 3);
  EXPECT_THAT(answers, testing::Contains(Departure::moving));
  EXPECT_THAT(answers, testing::Not(testing::Contains(Departure::ending)));
}

/// A lock in out[0]; each block takes it, adds 1 to out[1] slowly, and gives it back.
constexpr const char* kLock = R"(
.visible .entry lock(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
TAKE:
  atom.global.cas.b32 %r1, [%rd1], 0, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra TAKE;
  ld.volatile.global.u32 %r2, [%rd1+4];
  add.u32 %r2, %r2, 1;
  nanosleep.u32 3000;
  st.volatile.global.u32 [%rd1+4], %r2;
  membar.gl;
  atom.global.exch.b32 %r1, [%rd1], 0;
  ret;
})";

// All places are taken by blocks that spin, and more wait for a place: the holder comes back first.
TEST(Preemption, TheHolderOfALockGetsItsTurn) {
  for (const char* at : {"2000", "4000", "6000"}) {
    Settings settings = preempting(at);
    settings.emplace_back("gpu.sms", "1");
    settings.emplace_back("sm.blocks", "4");
    settings.emplace_back("gpu.max_cycles", "3000000");
    Machine machine(kLock, settings);
    machine.out(0) = machine.out(1) = 0;
    machine.launch("lock", 12, 1);
    machine.run();
    EXPECT_EQ(machine.out(1), 12u);
    EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
    EXPECT_EQ(left_at.size(), 1u) << at;
  }
}

/// The order in which blocks come to multiprocessors.
struct Arrivals : Observer {
  std::vector<std::string> blocks;
  void block_started(const GridRecord& grid, const Dim3& index, unsigned, unsigned,
                     Cycle) override {
    blocks.push_back(std::to_string(grid.id) + "." + std::to_string(index.x));
  }
  void block_ended(unsigned, unsigned, std::uint64_t, Cycle) override {}
  void grid_ended(const GridRecord&) override {}
  void sample(Cycle, const QueueDepths&) override {}
};

// One place; a second grid waits for it when block 0 of the first is preempted.
TEST(Preemption, ThePreemptedComeBehindUrgentGridsAndBeforeOthers) {
  using testing::ElementsAre;
  for (const int priority : {-1, 0, 1}) {
    Settings settings = preempting("3000");
    settings.emplace_back("gpu.sms", "1");
    settings.emplace_back("sm.blocks", "1");
    Arrivals arrivals;
    Machine machine(body("nanosleep.u32 10000;").c_str(), settings);
    machine.gpu().observe(arrivals, kNever);
    machine.launch("kernel", 2, 32);
    machine.gpu().advance(2000);
    Launch second = machine.prepare("kernel", 1, 32);
    second.priority = priority;
    machine.launch(second);
    machine.run();
    if (priority < 0) {
      EXPECT_THAT(arrivals.blocks, ElementsAre("1.0", "2.0", "1.0", "1.1"));
    } else {
      EXPECT_THAT(arrivals.blocks, ElementsAre("1.0", "1.0", "1.1", "2.0"));
    }
  }
}

/// The four blocks of a grid meet at out[0], like grid.sync().
constexpr const char* kMeet = R"(
.visible .entry meet(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  nanosleep.u32 5000;
  red.global.add.u32 [%rd1], 1;
WAIT:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.lt.u32 %p, %r1, 4;
  @%p bra WAIT;
  ret;
})";

// Two grids whose blocks need one another: the second, though more urgent, does not get the place of
// a block of the first, which could then never end.
TEST(Preemption, ACooperativeGridKeepsItsPlaces) {
  Settings settings = preempting("3000");
  settings.emplace_back("gpu.sms", "1");
  settings.emplace_back("sm.blocks", "4");
  settings.emplace_back("gpu.max_cycles", "1000000");
  Machine machine(kMeet, settings);
  machine.out(0) = machine.out(16) = 0;
  Launch first = machine.prepare("meet", 4, 1);
  first.cooperative = true;
  Launch second = first;
  second.priority = -1;
  Address out = 0;
  std::memcpy(&out, second.parameters.data() + 8, 8);
  out += 64;
  std::memcpy(second.parameters.data() + 8, &out, 8);
  machine.launch(first);
  machine.gpu().advance(2000);
  machine.launch(second);
  machine.run();
  EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
  EXPECT_EQ(machine.out(0), 4u);
  EXPECT_EQ(machine.out(16), 4u);
  EXPECT_EQ(left_at.size(), 1u);
}

TEST(Preemption, ReportsTellOfBlocksThatLeaveAndThatAreAway) {
  Settings settings = preempting("3000");
  settings.emplace_back("gpu.sms", "1");
  settings.emplace_back("sm.blocks", "1");
  Machine machine(body("nanosleep.u32 10000;").c_str(), settings);
  machine.launch("kernel", 1, 32);
  machine.gpu().advance(2000);
  Launch urgent = machine.prepare("kernel", 1, 32);
  urgent.priority = -1;
  machine.launch(urgent);
  machine.gpu().advance(3010);
  EXPECT_THAT(machine.gpu().where_warps_are(10), testing::HasSubstr("their block leaves"));
  while (left_at.empty()) machine.gpu().advance(machine.gpu().now() + 1);
  EXPECT_THAT(machine.gpu().where_warps_are(10), testing::HasSubstr("1 blocks are away"));
  machine.run();
}

std::string dump(const StatGroup& group, const std::string& path = "") {
  std::string text;
  const std::string here = path + "/" + group.name();
  for (const Counter* counter : group.counters()) {
    text += here + "." + std::string(counter->name()) + " " + std::to_string(*counter) + "\n";
  }
  for (const StatGroup* child : group.children()) text += dump(*child, here);
  return text;
}

std::string everything(const char* skip_idle, const char* threads) {
  Machine machine((std::string(kAddIndex) + kCount + kReverse + kLock).c_str(),
                  {{"gpu.preempt_every", "60"},
                   {"gpu.skip_idle", skip_idle},
                   {"gpu.threads", threads},
                   {"gpu.sms", "3"}});
  machine.launch("add_index", 40, 256);
  machine.launch("reverse", 60, 256);
  machine.launch("count", 30, 128);
  machine.run();
  machine.out(0) = 0;
  machine.launch("lock", 7, 1);
  machine.run();
  EXPECT_GT(of_preemption(machine, "left"), 20u);
  std::string text = dump(machine.gpu().statistics());
  for (std::uint32_t i = 0; i < 30 * 128; ++i) text += std::to_string(machine.in(i)) + " ";
  return text;
}

TEST(Preemption, NeitherSkippingNorThreadsChangeAnything) {
  const std::string plain = everything("true", "1");
  EXPECT_EQ(plain, everything("false", "1"));
  EXPECT_EQ(plain, everything("true", "2"));
  EXPECT_EQ(plain, everything("true", "3"));
}

TEST(Preemption, SlotsAddUp) {
  Machine machine(kReverse, {{"gpu.preempt_every", "50"}, {"gpu.sms", "2"}});
  machine.launch("reverse", 60, 256);
  machine.run();
  std::uint64_t slots = 0, cycles = 0, preempted = 0;
  for (const StatGroup* sm : machine.gpu().statistics().children()) {
    if (sm->name() != "sm") continue;
    cycles += total(*sm, "sm", "cycles");
    preempted += total(*sm, "slots", "preempted");
    for (const StatGroup* child : sm->children()) {
      if (child->name() != "slots") continue;
      for (const Counter* counter : child->counters()) slots += *counter;
    }
  }
  EXPECT_EQ(slots, 4 * cycles);
  EXPECT_GT(preempted, 0u);
}

// A deadlock is still found, and so is a fault of a block that came back.
TEST(Preemption, WhatIsWrongIsStillReported) {
  Machine stuck(kStuck, {{"gpu.preempt_every", "100"}});
  stuck.launch("stuck", 2, 1);
  stuck.run();
  const std::vector<FaultReport> deadlock = stuck.gpu().take_faults();
  ASSERT_EQ(deadlock.size(), 1u);
  EXPECT_EQ(deadlock[0].kind, isa::Fault::Kind::deadlock);
  Machine trap(body("nanosleep.u32 10000; trap;").c_str(), preempting("2000"));
  trap.launch("kernel", 1, 32);
  trap.run();
  const std::vector<FaultReport> faults = trap.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::trap);
  EXPECT_EQ(left_at.size(), 1u);
}

/// Each thread stores 20 times, every fifth one far outside `out`, and leaves how often it did.
constexpr const char* kWildLoop = R"(
.visible .entry wild(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<3>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  mov.u64 %rd4, %rd2;
  rem.u32 %r3, %r1, 5;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 add.s64 %rd4, %rd4, 0x10000000;
  mov.u32 %r4, 0;
AGAIN:
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd4], %r4;
  setp.lt.u32 %p2, %r4, 20;
  @%p2 bra AGAIN;
  st.global.u32 [%rd2], %r4;
  ret;
})";

// A lane whose access is skipped goes on, and so does its block elsewhere.
TEST_P(Preempted, FaultsThatAreSkippedAreThoseOfBlocksThatStay) {
  std::uint64_t left = 0;
  for (const char* every : {"0", "60", "200"}) {
    Machine machine(kWildLoop, {{"scheduler.divergence", GetParam()},
                                {"gpu.keep_going", "true"},
                                {"gpu.sms", "2"},
                                {"gpu.preempt_every", every}});
    machine.launch("wild", 12, 64);
    machine.run();
    for (std::uint32_t t = 0; t < 12 * 64; ++t) ASSERT_EQ(machine.out(t), 20u) << "thread " << t;
    const std::vector<FaultReport> faults = machine.gpu().take_faults();
    ASSERT_EQ(faults.size(), 1u) << "told once";
    EXPECT_EQ(faults[0].kind, isa::Fault::Kind::out_of_bounds);
    const std::uint64_t counted = total(machine.gpu().statistics(), "gpu", "faults");
    if (std::string(GetParam()) == "stack") {
      EXPECT_EQ(counted, 12u * 2 * 20) << "of each warp, each time around";
    } else {
      EXPECT_GE(counted, 12u * 2 * 20) << "lanes of a warp may come apart";
    }
    EXPECT_EQ(of_preemption(machine, "left"), of_preemption(machine, "returned"));
    left += of_preemption(machine, "left");
  }
  EXPECT_GT(left, 10u);
}

}  // namespace
}  // namespace raddle::machine
