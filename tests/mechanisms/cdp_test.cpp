// Device kernels: the time of a launch, and what waits for what (dynamic-thread-block-launch, 2.4,
// 5.1).
#include "machine/occupancy.h"
#include "mechanisms/launching_kernels.h"

namespace raddle::mechanisms {
namespace {

using namespace test;
using machine::test::Machine;

TEST(Cdp, TheParentEndsAfterItsChildren) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(launching_kernels().c_str(), {{"gpu.functional", functional}});
    for (std::uint32_t t = 0; t < 32; ++t) machine.out(t) = 0;
    machine.launch("spawn_kernel", 1, 3);
    machine.run();
    const std::vector<machine::GridRecord> ended = machine.gpu().take_ended();
    ASSERT_EQ(ended.size(), 1u) << "only grids from the host are recorded";
    // Three launches of blocks 0 and 1.
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(machine.out(t), 3u * (1 + 2));
    EXPECT_EQ(count(machine.gpu(), "cdp", "launches"), 3u);
    EXPECT_EQ(count(machine.gpu(), "cdp", "started"), 3u);
    EXPECT_EQ(count(machine.gpu(), "cdp", "launched_threads"), 3u * 64);
    EXPECT_EQ(count(machine.gpu(), "gpu", "grids"), 4u);
    if (std::string(functional) == "false") {
      EXPECT_GT(ended[0].end_cycle - ended[0].start_cycle, 50000u);
    }
  }
}

TEST(Cdp, ALaunchTakesWhatTable3Says) {
  Machine machine(launching_kernels().c_str());
  machine.launch("spawn_kernel", 1, 1);
  machine.run();
  // One thread: buffer 129 + 8023, launch 1592 + 12187, both b + A * 1.
  EXPECT_EQ(count(machine.gpu(), "cdp", "call_cycles"), 8152u + 13779);
  // From asking for the buffer: the stores of the parameters and the arguments of the call in
  // between are a few hundred cycles; then 283 to the distributor.
  const std::uint64_t waited = count(machine.gpu(), "cdp", "waiting_cycles");
  EXPECT_GE(waited, 8152u + 13779 + 283);
  EXPECT_LE(waited, 8152u + 13779 + 283 + 1000);
}

TEST(Cdp, LaunchesOfAWarpReachTheQueueOneAfterTheOther) {
  Machine one(launching_kernels().c_str()), two(launching_kernels().c_str());
  one.launch("spawn_kernel", 1, 1);
  two.launch("spawn_kernel", 1, 2);
  one.run();
  two.run();
  // 129 more for the buffers of two; then the second launch comes 1592 after the first.
  const std::uint64_t alone = count(one.gpu(), "cdp", "waiting_cycles");
  const std::uint64_t both = count(two.gpu(), "cdp", "waiting_cycles");
  EXPECT_NEAR(static_cast<double>(both), static_cast<double>(2 * (alone + 129) + 1592), 200);
}

TEST(Cdp, AnIdealLaunchTakesNoTime) {
  Machine machine(launching_kernels().c_str(), {{"cdp.ideal", "true"}});
  machine.launch("spawn_kernel", 1, 1);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "cdp", "call_cycles"), 0u);
  EXPECT_LE(count(machine.gpu(), "cdp", "waiting_cycles"), 1000u);
}

// A launch takes 22000 cycles and its grid 50000: at the second one the first has started.
TEST(Cdp, TheLimitOfLaunchesHoldsUntilTheyHaveEnded) {
  for (const auto& [limit, refused] : {std::pair("1", 1u), std::pair("2", 0u)}) {
    Machine machine(launching_kernels().c_str(), {{"cdp.pending_launches", limit}});
    for (unsigned run = 1; run <= 2; ++run) {
      machine.launch("spawn_kernels", 1, 1);
      machine.run();
      EXPECT_EQ(count(machine.gpu(), "cdp", "refused"), run * refused);
      EXPECT_EQ(count(machine.gpu(), "cdp", "launches"), run * (2 - refused));
    }
  }
}

TEST(Cdp, LaunchesThatFailAreToldOnce) {
  Machine machine(launching_kernels().c_str(), {{"cdp.depth", "1"}, {"cdp.pending_launches", "1"}});
  machine.launch("spawn_kernels", 1, 8);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "cdp", "refused"), 15u);
  const std::vector<std::string> told = machine.gpu().take_told();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].find("kernel work cannot be launched by a kernel"), 0u) << told[0];
  EXPECT_NE(told[0].find("cudaLimitDevRuntimePendingLaunchCount"), std::string::npos) << told[0];
}

// Table 3 was measured on a K20c.
TEST(Cdp, OtherGpusAreToldWhoseTimesLaunchesTake) {
  const auto told = [](machine::test::Settings settings) {
    Machine machine(launching_kernels().c_str(), settings);
    for (unsigned run = 0; run < 2; ++run) {
      machine.launch("spawn_kernels", 1, 4);
      machine.run();
    }
    return machine.gpu().take_told();
  };
  EXPECT_TRUE(told({}).empty());
  const std::vector<std::string> once = told({{"gpu.name", "Some GPU"}});
  ASSERT_EQ(once.size(), 1u);
  EXPECT_NE(once[0].find("on a Tesla K20c"), std::string::npos) << once[0];
  EXPECT_NE(once[0].find("on a Some GPU"), std::string::npos) << once[0];
  EXPECT_TRUE(told({{"gpu.name", "Some GPU"}, {"cdp.ideal", "true"}}).empty());
  EXPECT_TRUE(told({{"gpu.name", "Some GPU"}, {"gpu.functional", "true"}}).empty());
  EXPECT_TRUE(told({{"gpu.name", "Some GPU"},
                    {"cdp.launch.base", "9000"},
                    {"cdp.parameter_buffer.base", "4000"}})
                  .empty());
}

TEST(Cdp, ABlockThatWaitsLeavesItsSm) {
  for (const auto& [swap, left] : {std::pair("true", 1u), std::pair("false", 0u)}) {
    Machine machine(launching_kernels().c_str(), {{"cdp.swap", swap}});
    for (std::uint32_t t = 0; t < 32; ++t) machine.out(t) = 0;
    machine.launch("spawn_and_wait", 1, 1);
    machine.run();
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(machine.out(t), 1u + 2);
    EXPECT_EQ(count(machine.gpu(), "cdp", "synchronizations"), 1u);
    EXPECT_EQ(count(machine.gpu(), "dispatch", "swapped_blocks"), left);
    EXPECT_EQ(count(machine.gpu(), "preemption", "returned"), left);
    EXPECT_EQ(count(machine.gpu(), "dispatch", "grids"), 2u)
        << "a grid that comes again is no other";
  }
}

// It takes longer to save the parent's state than the children run (50000 cycles): 384 lines, of
// which each takes 17 ticks of 14 cycles. The parent stays, and ends.
TEST(Cdp, ABlockWokenBeforeItLeavesStays) {
  Machine machine(launching_kernels().c_str(),
                  {{"interconnect.mhz", "50"}, {"interconnect.flit_bytes", "8"}});
  for (std::uint32_t t = 0; t < 32; ++t) machine.out(t) = 0;
  machine::Launch launch = machine.prepare("spawn_and_wait", 1, 1);
  launch.dynamic_shared_bytes = 48 << 10;
  machine.launch(launch);
  machine.run();
  machine.launch("work", 1, 1);
  machine.run();
  EXPECT_EQ(machine.out(0), 1u + 2 + 1);
  EXPECT_GT(count(machine.gpu(), "preemption", "saved_bytes"), 10u << 10) << "it was leaving";
  EXPECT_EQ(count(machine.gpu(), "preemption", "left"), 0u);
}

// Preempted by force, a block leaves even if its children end meanwhile, and finds that out.
TEST(Cdp, BlocksThatLaunchCanBePreempted) {
  for (const char* swap : {"true", "false"}) {
    for (const char* seed : {"1", "2", "3", "4", "5"}) {
      Machine machine(launching_kernels().c_str(), {{"cdp.swap", swap},
                                                    {"gpu.preempt_every", "500"},
                                                    {"gpu.preempt_seed", seed},
                                                    {"gpu.sms", "2"}});
      for (std::uint32_t t = 0; t < 32; ++t) machine.out(t) = 0;
      machine.launch("spawn_and_wait", 4, 2);
      machine.run();
      for (std::uint32_t t = 0; t < 32; ++t) ASSERT_EQ(machine.out(t), 8u * (1 + 2));
      EXPECT_GT(count(machine.gpu(), "dispatch", "preempted_blocks"), 10u);
    }
  }
}

TEST(Cdp, WaitingBlocksMakeRoomForThoseTheyWaitFor) {
  // One entry of the distributor: the parent must leave it, too. It comes back through the queue.
  Machine machine(launching_kernels().c_str(), {{"dispatch.concurrent_kernels", "1"}});
  for (std::uint32_t t = 0; t < 32; ++t) machine.out(t) = 0;
  machine.launch("spawn_and_wait", 3, 1);
  machine.run();
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(machine.out(t), 3u * (1 + 2));
  EXPECT_EQ(count(machine.gpu(), "dispatch", "swapped_blocks"), 3u);
}

TEST(Cdp, AllMemoryOfLaunchesIsGivenBack) {
  Machine machine(launching_kernels().c_str());
  machine.launch("spawn_kernel", 4, 1);
  machine.run();
  // Four buffers of 64 bytes (16 rounded up to the alignment) and four records of 64.
  EXPECT_EQ(count(machine.gpu(), "cdp", "footprint_peak"), 4u * (64 + 64));
  machine.launch("spawn_kernel", 4, 1);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "cdp", "footprint_peak"), 4u * (64 + 64));
}

// Table 3 has the way from the kernel management unit to the distributor by itself.
TEST(Cdp, TheDispatchOfADeviceKernelIsThatOfAnyKernel) {
  std::uint64_t waited[2];
  for (const int n : {0, 1}) {
    Machine machine(launching_kernels().c_str(),
                    {{"dispatch.kernel_latency", n == 0 ? "283" : "1283"}});
    machine.launch("spawn_kernel", 1, 1);
    machine.run();
    waited[n] = count(machine.gpu(), "cdp", "waiting_cycles");
  }
  EXPECT_EQ(waited[1] - waited[0], 1000u);
}

// CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", Nesting Depth.
TEST(Cdp, LaunchesNestAsDeeplyAsTheyMay) {
  const std::string kernels =
      launching_kernels() +
      spawning("spawn_twice", 1, "cudaLaunchDevice, (f, p, g, b, s, t)", 1, "spawn_kernel");
  for (const auto& [depth, launches, refused] : {std::tuple("1", 1u, 2u), {"2", 1u + 2, 0u}}) {
    Machine machine(kernels.c_str(), {{"cdp.depth", depth}});
    machine.launch("spawn_twice", 1, 1);
    machine.run();
    EXPECT_EQ(count(machine.gpu(), "cdp", "launches"), launches) << "depth " << depth;
    EXPECT_EQ(count(machine.gpu(), "cdp", "refused"), refused) << "depth " << depth;
  }
}

// CUDA Runtime API, cudaLimitDevRuntimeSyncDepth: levels of grids, the host's among them.
TEST(Cdp, GridsWaitForTheirChildrenAtTheLevelsThatTheyMay) {
  const std::string kernels =
      launching_kernels() +
      spawning("spawn_twice", 1, "cudaLaunchDevice, (f, p, g, b, s, t)", 1, "spawn_and_wait");
  for (const auto& [depth, waits] : {std::pair("1", 0u), {"2", 2u}}) {
    Machine machine(kernels.c_str(), {{"cdp.sync_depth", depth}});
    machine.launch("spawn_twice", 1, 1);
    machine.run();
    EXPECT_EQ(count(machine.gpu(), "cdp", "synchronizations"), waits) << "depth " << depth;
  }
}

/// `tail`: the n-th thread to come launches it once more at its own tail, ten in all.
constexpr const char* kTail = R"(
.visible .entry tail(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  atom.global.add.u32 %r1, [%rd2], 1;
  setp.ge.u32 %p, %r1, 9;
  @%p ret;
  mov.u64 %rd4, tail;
  { .param .b64 a; .param .b64 b; .param .b64 r;
    st.param.b64 [a], 64; st.param.b64 [b], 16;
    call (r), cudaGetParameterBuffer, (a, b);
    ld.param.b64 %rd3, [r]; }
  st.u64 [%rd3], %rd1;
  st.u64 [%rd3+8], %rd2;
  { .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];
    .param .b32 s; .param .b64 t; .param .b32 r;
    st.param.b64 [f], %rd4; st.param.b64 [p], %rd3;
    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    st.param.b32 [s], 0; st.param.b64 [t], 3;
    call (r), cudaLaunchDevice, (f, p, g, b, s, t); }
  ret;
})";

// CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", The Tail Launch Stream.
TEST(Cdp, AChainOfTailsIsOfAnyLength) {
  Machine machine((std::string(kWork) + kTail).c_str(), {{"cdp.depth", "2"}});
  machine.out(0) = 0;
  machine.launch("tail", 1, 1);
  machine.run();
  EXPECT_EQ(machine.out(0), 10u);
  EXPECT_EQ(count(machine.gpu(), "cdp", "refused"), 0u);
}

TEST(Cdp, AParentThatOutlivesItsChildrenEndsByItself) {
  // The launching block takes its place among 64, and goes on for longer than its child.
  std::string kernels = launching_kernels();
  std::string lingering = spawning("linger", 1, "cudaLaunchDevice, (f, p, g, b, s, t)");
  lingering.replace(lingering.rfind("  ret;"), 6,
                    "mov.u64 %rd5, %clock64;\nSTAY: mov.u64 %rd6, %clock64;\n"
                    "sub.u64 %rd6, %rd6, %rd5; setp.lt.u64 %p, %rd6, 200000; @%p bra STAY;\n"
                    "st.global.u32 [%rd2+256], %r1; ret;");
  lingering.replace(lingering.find(".reg .b32"), 0, ".reg .pred %p; ");
  Machine machine((kernels + lingering).c_str());
  machine.launch("linger", 1, 1);
  machine.run();
  const std::vector<machine::GridRecord> ended = machine.gpu().take_ended();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_GT(ended[0].end_cycle - ended[0].start_cycle, 200000u);
  EXPECT_EQ(machine.out(64), 2u) << "its last store";
}

TEST(Cdp, AGpuWithoutDeviceLaunchesHasNoLimitsOfThem) {
  Machine with(launching_kernels().c_str(), {{"cdp.sync_depth", "1"}});
  EXPECT_EQ(with.gpu().sync_depth(), 1u);
  EXPECT_EQ(with.gpu().pending_launches(), 2048u) << "CUDA's default";
  Machine without(machine::test::kCount, {{"gpu.mechanisms", "-cdp"}});
  EXPECT_EQ(without.gpu().sync_depth(), std::nullopt);
  EXPECT_EQ(without.gpu().pending_launches(), std::nullopt);
}

/// `name`: the thread asks for the parameter buffer of a block of so many threads of `work`, and
/// launches nothing.
std::string asking(const char* name, unsigned threads) {
  return std::string(".visible .entry ") + name + R"((.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<2>;
  mov.u64 %rd1, work;
  { .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;
    .param .b64 r;
    st.param.b64 [f], %rd1;
    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], )" +
         std::to_string(threads) + R"(; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    st.param.b32 [s], 0;
    call (r), cudaGetParameterBufferV2, (f, g, b, s); }
  ret;
})";
}

TEST(Cdp, ABufferForALaunchThatNeverComesEndsWithItsBlock) {
  const std::string kernels = kWork +
                              std::string(R"(.extern .func (.param .b64 r) cudaGetParameterBufferV2(
    .param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
)") + asking("ask", 32) + asking("ask_too_much", 4096);
  Machine machine(kernels.c_str());
  for (unsigned run = 1; run <= 3; ++run) {
    machine.launch("ask", 1, 1);
    machine.launch("ask_too_much", 1, 1);
    machine.run();
    // 16 bytes rounded up to the alignment.
    EXPECT_EQ(count(machine.gpu(), "cdp", "footprint_peak"), 64u);
    EXPECT_EQ(count(machine.gpu(), "cdp", "refused"), run) << "blocks of 4096 threads";
  }
}

TEST(Cdp, AnErrorIsAskedForInOneCall) {
  for (const char* call : {"cudaGetLastError", "cudaPeekAtLastError"}) {
    const std::string name = call;
    const std::string kernel = ".extern .func (.param .b32 r) " + name + R"(();
.visible .entry ask(.param .u64 in, .param .u64 out) {
  { .param .b32 r; call (r), )" +
                               name + R"(, (); }
  ret;
})";
    Machine machine(kernel.c_str());
    machine.launch("ask", 1, 1);
    machine.run();
    // cdp.other.
    EXPECT_EQ(count(machine.gpu(), "cdp", "call_cycles"), 100u) << name;
  }
}

TEST(Cdp, ALaunchWithoutItIsRefusedByItsName) {
  machine::GpuConfig config;
  isa::Function kernel;
  kernel.name = "parent";
  kernel.switched_off = "cudaLaunchDevice";
  machine::Launch launch;
  launch.kernel = &kernel;
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  EXPECT_EQ(
      machine::launch_error(config, launch).text,
      "it calls 'cudaLaunchDevice', which needs the mechanism cdp: it is switched off (raddle "
      "run --with cdp)");
}

}  // namespace
}  // namespace raddle::mechanisms
