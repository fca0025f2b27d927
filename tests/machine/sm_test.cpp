// One multiprocessor by itself, cycle by cycle: when instructions issue, and why others do not.
#include "machine/sm/sm.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

#include "isa/services.h"
#include "kernels.h"
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
                        ".visible .entry kernel() { .reg .b32 %r<40>; .reg .pred %p<4>;\n" + body +
                        "}\n");
    program_ = isa::load_program({&module, 1}, space_, config_.sm_version());
    grid_.program = program_.get();
    grid_.kernel = program_->find_kernel("kernel");
    grid_.context.block.x = threads;
    grid_.needs = block_needs(config_, *grid_.kernel, threads, 0);
    sm_.emplace(config_, 0, space_, services_, statistics_, wake_);
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

TEST(Sm, AtMostItsWidthIssuesInACycle) {
  std::string body = "mov.u32 %r0, %tid.x;\n";
  for (int n = 0; n < 100; ++n) {
    const std::string r = "%r" + std::to_string(1 + n % 30);
    body += "add.u32 " + r + ", " + r + ", %r0;\n";
  }
  for (const char* policy : {"gto", "lrr", "two_level"}) {
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

TEST(Sm, InvariantsHoldWhenItIsEmptyAndNotBefore) {
  Harness h(
      "mov.u32 %r1, tile; st.shared.u32 [%r1], %r1; ld.shared.u32 %r2, [%r1]; bar.sync 0; ret;",
      64);
  EXPECT_THROW(h.sm().check_drained(), Error) << "a block is there";
  h.run();
  EXPECT_NO_THROW(h.sm().check_drained());
}

}  // namespace
}  // namespace raddle::machine
