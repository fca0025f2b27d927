// One multiprocessor by itself, cycle by cycle: when instructions issue, and why others do not.
#include "machine/sm/sm.h"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>

#include <initializer_list>
#include <utility>

#include "isa/services.h"
#include "kernels.h"
#include "machine/scheduler/config.h"
#include "memory/address_space.h"

namespace raddle::machine {
namespace {

constexpr Cycle kAnswer = 190;

/// An SM with the default description's units (those of a K20c: four schedulers, two instructions
/// of a warp each), on which one block of `threads` is placed at the end of cycle 0.
class Harness {
 public:
  explicit Harness(const std::string& body, unsigned threads = 32,
                   std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
    for (const auto& [path, value] : settings) config_.set(path, value);
    const ptx::Module module = ptx::parse(
        "test.ptx", std::string(test::kHeader) + ".shared .align 4 .b8 tile[1024];\n" +
                        ".global .align 4 .b32 word;\n.func nothing() { ret; }\n" +
                        ".visible .entry kernel() { .reg .b32 %r<40>; .reg .pred %p<4>;\n" + body +
                        "}\n");
    program_ = isa::load_program({&module, 1}, space_);
    grid_.program = program_.get();
    grid_.kernel = program_->find_kernel("kernel");
    grid_.context.block.x = threads;
    grid_.needs = block_needs(config_, *grid_.kernel, threads, 0);
    sm_.emplace(config_, 0, space_, services_, contexts_, statistics_, wake_);
    sm_->place(grid_, grid_.context, {}, 0);
  }

  /// Runs every cycle until the block has left; returns the one in which it did. `each(issued)` is
  /// called with the instructions issued in each cycle.
  template <class Each>
  Cycle run(Each&& each) {
    std::uint64_t before = 0;
    for (Cycle now = 1; now < 100000; ++now) {
      sm_->cycle(now);
      answer(now);
      each(static_cast<unsigned>(sm_->warp_instructions() - before));
      before = sm_->warp_instructions();
      sm_->apply_global_writes();
      if (sm_->retire_blocks(now, {})) return now;
    }
    return kNever;
  }
  Cycle run() {
    return run([](unsigned) {});
  }
  /// A memory side that answers everything a fixed time later.
  void answer(Cycle now) {
    MemoryPort& port = sm_->memory().port();
    while (port.requests.can_receive(now + 1)) {
      port.replies.send_at(port.requests.receive(), now + kAnswer);
    }
  }
  std::uint64_t slots(const char* reason) const { return total(statistics_, "slots", reason); }
  std::uint64_t count(const char* name) const { return total(statistics_, "sm", name); }
  Sm& sm() { return *sm_; }
  const GpuConfig& config() const { return config_; }

 private:
  GpuConfig config_;
  memory::AddressSpace space_{1 << 24};
  isa::Services services_{space_, 1 << 16};
  std::unique_ptr<isa::Program> program_;
  Grid grid_;
  StatGroup statistics_{"gpu"};
  Cycle wake_ = kNever;
  ContextMemory contexts_{kMaxWarps};
  std::optional<Sm> sm_;
};

// A block's warps start 20 cycles after it is placed (dispatch.block_latency) and miss the
// instruction cache once.
constexpr Cycle kFirstIssue = 20 + kAnswer;

TEST(Sm, TheFirstInstructionWaitsForStartAndFetch) {
  Harness h("ret;");
  EXPECT_EQ(h.run(), kFirstIssue);
  EXPECT_EQ(h.slots("issued"), 1u);
  EXPECT_EQ(h.slots("fetch"), 19u);  // cycles 1 to 19
  EXPECT_EQ(h.slots("no_instruction"), 190u);
  EXPECT_EQ(h.slots("no_warp"), 3 * kFirstIssue);
  EXPECT_EQ(h.count("cycles"), kFirstIssue);
}

TEST(Sm, DependentInstructionsIssueALatencyApart) {
  Harness h("mov.u32 %r1, 1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; ret;");
  // The second addition issues two latencies of 9 after the first instruction, and the return with
  // it; the block leaves when its result is there.
  EXPECT_EQ(h.run(), kFirstIssue + 3 * 9);
  EXPECT_EQ(h.slots("execution"), 2 * 8u);
  EXPECT_EQ(h.slots("issued"), 3u);
  EXPECT_EQ(h.count("dual_issued"), 1u);
}

TEST(Sm, ABusyUnitStallsAReadyWarp) {
  // A special-function pipe that takes an instruction every 8 cycles.
  Harness h(
      "ex2.approx.f32 %r1, %r4; ex2.approx.f32 %r2, %r5; ex2.approx.f32 %r3, %r6;"
      "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; ret;",
      32, {{"execute.special.interval", "8"}, {"scheduler.dispatch_width", "1"}});
  h.run();
  EXPECT_EQ(h.slots("unit_busy"), 2 * 7u);
}

TEST(Sm, ABankConflictHoldsUpTheScheduler) {
  // One bank with one port: three operands take three cycles. The second fma issues a cycle after
  // the first and waits two for the bank; so does the mov behind it, which reads nothing.
  Harness h(
      "fma.rn.f32 %r1, %r4, %r5, %r6; fma.rn.f32 %r2, %r7, %r8, %r9; mov.u32 %r3, 1;"
      "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; ret;",
      32,
      {{"operands.style", "fixed"},
       {"operands.banks", "1"},
       {"operands.read_ports", "1"},
       {"operands.window", "3"},
       {"scheduler.dispatch_width", "1"}});
  // The first addition has its operands 9 cycles after the second fma has read its own; the second
  // addition 9 later; then its result, with which the block leaves.
  EXPECT_EQ(h.run(), kFirstIssue + 1 + 2 + 9 + 9 + 9);
  EXPECT_EQ(h.slots("operands"), 2u);
}

/// Warps of a block wait, and issue all the time, for a word that one of them stores after a while:
/// `worker`, which the policy puts last.
Cycle cycles_until_all_see(const char* policy, const char* worker, const char* patience) {
  std::string spin;
  for (int n = 8; n < 40; ++n) spin += "add.u32 %r" + std::to_string(n) + ", %r1, 1;\n";
  Harness h(std::string("mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; setp.eq.u32 %p1, %r2, ") +
                worker + "; @%p1 bra WORK;\nSPIN:\n" + spin +
                "ld.volatile.shared.u32 %r3, [tile]; setp.eq.u32 %p2, %r3, 0; @%p2 bra SPIN;\n"
                "ret;\nWORK:\nadd.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 50; @%p1 bra WORK;\n"
                "st.volatile.shared.u32 [tile], %r4;\nret;",
            1024,
            {{"scheduler.policy", policy},
             {"scheduler.count", "1"},
             {"scheduler.dispatch_width", "1"},
             {"scheduler.patience", patience}});
  return h.run();
}

// Of kernels on compute capability 7.0 and later every thread gets on, if others do (CUDA C++
// Programming Guide); a greedy policy alone does not see to that.
TEST(Sm, AWarpGetsOnAlthoughOthersSpin) {
  EXPECT_NE(cycles_until_all_see("gto", "31", "1000"), kNever);
  EXPECT_NE(cycles_until_all_see("gty", "0", "1000"), kNever);
}

TEST(Sm, WithoutPatienceAWarpWaitsForEver) {
  EXPECT_EQ(cycles_until_all_see("gto", "31", "0"), kNever);
  EXPECT_EQ(cycles_until_all_see("gty", "0", "0"), kNever);
}

TEST(Sm, AtMostItsWidthIssuesInACycle) {
  std::string body = "mov.u32 %r0, %tid.x;\n";
  for (int n = 0; n < 100; ++n) {
    const std::string r = "%r" + std::to_string(1 + n % 30);
    body += "add.u32 " + r + ", " + r + ", %r0;\n";
  }
  for (const char* policy : {"gto", "gty", "lrr", "two_level"}) {
    for (const unsigned width : {1u, 2u}) {
      Harness h(
          body + "ret;", 512,
          {{"scheduler.policy", policy}, {"scheduler.dispatch_width", width == 1 ? "1" : "2"}});
      unsigned most = 0;
      h.run([&](unsigned issued) { most = std::max(most, issued); });
      EXPECT_LE(most, h.config().scheduler.count * width) << policy;
      EXPECT_GE(most, h.config().scheduler.count) << policy << ": all schedulers at once";
      EXPECT_EQ(h.count("warp_instructions"), 16u * 102) << policy;
    }
  }
}

TEST(Sm, ABranchAndABarrierTakeTheirLatency) {
  // What stands behind a branch issues its latency later; the line of code is there already.
  Harness branch("bra NEXT; NEXT: ret;", 32, {{"execute.branch.latency", "17"}});
  EXPECT_EQ(branch.run(), kFirstIssue + 17);
  Harness barrier("bar.sync 0; ret;", 64, {{"execute.barrier.latency", "23"}});
  EXPECT_EQ(barrier.run(), kFirstIssue + 23);
  // Both warps, after the 19 cycles until their first fetch.
  EXPECT_EQ(barrier.slots("fetch"), 2 * (19 + 22u));
}

TEST(Sm, ACallWaitsForResultsThatItDoesNotUse) {
  // ex2 has its result after 40 cycles, mov after 9.
  Harness slow("ex2.approx.f32 %r1, %r2; call nothing; ret;");
  Harness fast("mov.u32 %r1, 1; call nothing; ret;");
  EXPECT_EQ(slow.run() - fast.run(), 40u - 9);
}

TEST(Sm, ABlockLeavesWhenItsStoresHaveBeenAnswered) {
  Harness h("mov.u32 %r1, 1; st.global.u32 [word], %r1; ret;");
  EXPECT_GE(h.run(), kFirstIssue + 9 + kAnswer);
}

TEST(Sm, AFenceWaitsForStoresBeforeIt) {
  const std::string store = "mov.u32 %r1, 1; st.global.u32 [word], %r1;";
  const std::string work = "ex2.approx.f32 %r2, %r3; ex2.approx.f32 %r2, %r2; ret;";
  Harness fenced(store + "membar.gl;" + work), loose(store + work);
  // Without the fence the work is done while the store is under way.
  EXPECT_LT(loose.run(), kFirstIssue + 9 + kAnswer + 40);
  EXPECT_GE(fenced.run(), kFirstIssue + 9 + kAnswer + 2 * 40);
  EXPECT_GT(fenced.slots("fence"), kAnswer / 2);
}

TEST(Sm, ASleepingWarpSleeps) {
  // 1000 ns are 706 cycles of 706 MHz.
  Harness h("nanosleep.u32 1000; ret;");
  EXPECT_GE(h.run(), kFirstIssue + 706);
}

TEST(Sm, MatrixInstructionsTakeTheirStepsOneAfterTheOther) {
  // m16n16k16 is four steps of 8 cycles on the one tensor core of the scheduler.
  const std::string eight = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}";
  const std::string other = "{%r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18}";
  const std::string sources = "{%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}";
  const auto product = [&](const std::string& d) {
    return "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + d + ", " + sources + ", " +
           sources + ", " + d + ";";
  };
  std::string use;
  for (int n = 1; n <= 8; ++n) {
    const std::string r = std::to_string(n);
    use += "add.u32 %r" + r + ", %r" + r + ", %r1" + r + ";";
  }
  Harness h(product(eight) + product(other) + use + "ret;", 32,
            {{"gpu.compute_major", "7"},
             {"gpu.compute_minor", "0"},
             {"execute.tensor.interval", "8"},
             {"scheduler.dispatch_width", "1"}});
  h.run();
  EXPECT_EQ(h.slots("unit_busy"), 4 * 8u - 1);
}

// One special-function pipe for four schedulers with a warp each, which all want it: none is done
// long before the others. Twice, so that the second time the code is there.
TEST(Sm, SchedulersTakeTurnsAtWhatTheyShare) {
  std::string many, use;
  for (int n = 1; n <= 16; ++n) {
    const std::string r = "%r" + std::to_string(n);
    many += "ex2.approx.f32 " + r + ", %r20;\n";
    use += "add.u32 %r21, %r21, " + r + ";\n";
  }
  const std::string kernel =
      ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<32>; .reg .b64 %rd<4>; .reg .pred %p;\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r20, %tid.x; mov.u32 %r22, 0;\n"
      "AGAIN: bar.sync 0;\n" +
      many + "mov.u32 %r23, %clock;\n" + use +
      "add.u32 %r22, %r22, 1; setp.lt.u32 %p, %r22, 2; @%p bra AGAIN;\n"
      "mul.wide.u32 %rd2, %r20, 8; add.u64 %rd1, %rd1, %rd2;\n"
      "st.global.u32 [%rd1], %r23; st.global.u32 [%rd1+4], %r21; ret; }\n";
  test::Machine machine(kernel.c_str(), {{"gpu.sms", "1"}});
  machine.launch("kernel", 1, 128);
  machine.run();
  std::uint32_t first = ~0u, last = 0;
  for (unsigned warp = 0; warp < 4; ++warp) {
    first = std::min(first, machine.out(64 * warp));
    last = std::max(last, machine.out(64 * warp));
  }
  EXPECT_LE(last - first, 8u) << "of 64 cycles";
}

TEST(Sm, InvariantsHoldWhenItIsEmptyAndNotBefore) {
  Harness h(
      "mov.u32 %r1, tile; st.shared.u32 [%r1], %r1; ld.shared.u32 %r2, [%r1]; bar.sync 0; ret;",
      64);
  EXPECT_THROW(h.sm().check_drained(), Error) << "a block is there";
  h.run();
  EXPECT_NO_THROW(h.sm().check_drained());
}

}  // namespace
/// Schedulers of the first warps of eight blocks of four warps, which are on one SM at once.
std::vector<std::uint32_t> first_schedulers(const char* rotate) {
  Machine machine(R"(.visible .entry where(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %warpid;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  setp.eq.u32 %p, %r1, 0;
  @%p st.global.u32 [%rd3], %r3;
  ret; })",
                  {{"gpu.sms", "1"}, {"scheduler.count", "4"}, {"scheduler.rotate", rotate}});
  machine.launch("where", 8, 128);
  machine.run();
  std::vector<std::uint32_t> schedulers;
  for (std::uint32_t block = 0; block < 8; ++block) schedulers.push_back(machine.out(block) % 4);
  return schedulers;
}

TEST(Schedulers, BlocksBeginWithOneAfterTheOther) {
  EXPECT_THAT(first_schedulers("true"), testing::ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}
TEST(Schedulers, WithoutRotationBlocksOfFourWarpsBeginWithTheFirst) {
  EXPECT_THAT(first_schedulers("false"), testing::Each(0u));
}

}  // namespace raddle::machine
