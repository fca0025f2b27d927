// Laws that hold on every described GPU, with any settings: nothing is faster than its peak, counts
// add up, and more of a scarce resource does not make a kernel slower.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "isa/loader.h"
#include "machine/chip_config.h"
#include "machine/config.h"
#include "machine/dram/config.h"
#include "machine/execute/config.h"
#include "machine/gpu.h"
#include "machine/l2/config.h"
#include "machine/loader.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"
#include "machine/summary.h"
#include "ptx/module.h"

namespace raddle::machine {
namespace {

/// stream: each thread reads 16 bytes of its own. copy: from one MB to the next, 16 bytes a thread. multiply: each warp has 8 chains of 256 fused
/// multiply-adds. divide: each warp has 8 chains of 64 divisions, whose results alternate.
constexpr const char* kKernels = R"(.version 7.0
.target sm_20
.address_size 64
.visible .entry stream(.param .u64 data) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 16; add.s64 %rd3, %rd1, %rd2;
  ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3];
  add.u32 %r5, %r5, %r6; add.u32 %r7, %r7, %r8; add.u32 %r5, %r5, %r7;
  setp.eq.u32 %p, %r5, 12345;
  @%p st.global.u32 [%rd3], %r5;
  ret;
}
.visible .entry copy(.param .u64 data) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 16; add.s64 %rd3, %rd1, %rd2;
  ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3];
  st.global.v4.u32 [%rd3+1048576], {%r5, %r6, %r7, %r8};
  ret;
}
.visible .entry multiply(.param .u64 data) {
  .reg .f32 %f<10>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  mov.u32 %r1, 0;
  mov.f32 %f0, 0f3f800000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
  mov.f32 %f4, %f0; mov.f32 %f5, %f0; mov.f32 %f6, %f0; mov.f32 %f7, %f0; mov.f32 %f8, %f0;
AGAIN:
  fma.rn.f32 %f1, %f1, %f0, %f1; fma.rn.f32 %f2, %f2, %f0, %f2;
  fma.rn.f32 %f3, %f3, %f0, %f3; fma.rn.f32 %f4, %f4, %f0, %f4;
  fma.rn.f32 %f5, %f5, %f0, %f5; fma.rn.f32 %f6, %f6, %f0, %f6;
  fma.rn.f32 %f7, %f7, %f0, %f7; fma.rn.f32 %f8, %f8, %f0, %f8;
  add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 256; @%p bra AGAIN;
  add.f32 %f1, %f1, %f2; add.f32 %f3, %f3, %f4; add.f32 %f5, %f5, %f6; add.f32 %f7, %f7, %f8;
  add.f32 %f1, %f1, %f3; add.f32 %f5, %f5, %f7; add.f32 %f1, %f1, %f5;
  ld.param.u64 %rd1, [data]; st.global.f32 [%rd1], %f1;
  ret;
}
.visible .entry divide(.param .u64 data) {
  .reg .f32 %f<10>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f0, %r1; add.f32 %f0, %f0, 0f3fc00000;
  mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; mov.f32 %f4, %f0;
  mov.f32 %f5, %f0; mov.f32 %f6, %f0; mov.f32 %f7, %f0; mov.f32 %f8, %f0; mov.u32 %r1, 0;
AGAIN:
  div.rn.f32 %f1, %f0, %f1; div.rn.f32 %f2, %f0, %f2; div.rn.f32 %f3, %f0, %f3;
  div.rn.f32 %f4, %f0, %f4; div.rn.f32 %f5, %f0, %f5; div.rn.f32 %f6, %f0, %f6;
  div.rn.f32 %f7, %f0, %f7; div.rn.f32 %f8, %f0, %f8;
  add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 64; @%p bra AGAIN;
  add.f32 %f1, %f1, %f2; add.f32 %f3, %f3, %f4; add.f32 %f5, %f5, %f6; add.f32 %f7, %f7, %f8;
  add.f32 %f1, %f1, %f3; add.f32 %f5, %f5, %f7; add.f32 %f1, %f1, %f5;
  ld.param.u64 %rd1, [data]; st.global.f32 [%rd1], %f1;
  ret;
})";

constexpr std::uint64_t kStreamBytes = 2u << 20;
constexpr std::uint32_t kFmas = 8 * 256;  // of a thread of multiply

/// A described GPU that has run one kernel.
class Ran {
 public:
  using Settings = std::vector<std::pair<std::string, std::string>>;
  Ran(const std::string& name, const char* kernel, std::uint32_t blocks, std::uint32_t threads,
      const Settings& settings = {})
      : config_(load_gpu(name)) {
    for (const auto& [path, value] : settings) config_->set(path, value);
    const ptx::Module module = ptx::parse("laws.ptx", kKernels);
    const auto program = make_loader(*config_).load({&module, 1}, space_);
    const Address data = space_.allocate(kStreamBytes, memory::Kind::device, "data");
    gpu_ = std::make_unique<Gpu>(*config_, space_);
    Launch launch;
    launch.program = program.get();
    launch.kernel = program->find_kernel(kernel);
    launch.grid.x = blocks;
    launch.block.x = threads;
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &data, 8);
    gpu_->launch(std::move(launch), 0);
    while (!gpu_->idle()) gpu_->advance(kNever);
    const std::vector<GridRecord> ended = gpu_->take_ended();
    cycles_ = static_cast<double>(ended.at(0).end_cycle - ended.at(0).start_cycle);
  }

  const GpuConfig& config() const { return *config_; }
  double cycles() const { return cycles_; }
  double of(const char* unit, const char* statistic) const {
    return static_cast<double>(total(gpu_->statistics(), unit, statistic));
  }
  const StatGroup& statistics() const { return gpu_->statistics(); }

 private:
  std::unique_ptr<GpuConfig> config_;
  memory::AddressSpace space_{1 << 26};
  std::unique_ptr<Gpu> gpu_;
  double cycles_ = 0;
};

constexpr std::uint32_t kStreamThreads = 128, kStreamBlocks = kStreamBytes / 16 / kStreamThreads;

class Laws : public testing::TestWithParam<std::string> {};

TEST_P(Laws, ReadsNoFasterThanTheBusAndTheCacheCarry) {
  const Ran ran(GetParam(), "stream", kStreamBlocks, kStreamThreads);
  const auto& gpu = ran.config().gpu;
  const double bus = 2.0 * gpu.dram_mhz * gpu.memory_bus_bits / 8 / gpu.core_mhz;  // B/cycle
  EXPECT_GE(ran.of("dram", "reads") * 32, kStreamBytes);
  EXPECT_LE(ran.of("dram", "reads") * 32 / ran.cycles(), bus);
  const L2Config& l2 = ran.config().l2;
  const double clocks = l2.mhz == 0 ? 1 : double(l2.mhz) / gpu.core_mhz;
  const double ports = clocks * ran.config().dram.channels * l2.slices_per_channel * l2.port_bytes;
  EXPECT_LE(ran.of("l2", "loads") * 32 / ran.cycles(), ports);
}

// Two channels and a cache that holds nothing: hardware moves 655 of 696 GB/s (A40), 802 of 898 (V100).
TEST_P(Laws, CopiesKeepABusBusyAndAreNoFaster) {
  const auto whole = load_gpu(GetParam());
  const unsigned bits = 256 / (whole->dram.burst * whole->dram.clock_divisor);  // of two channels
  const Ran ran(GetParam(), "copy", kStreamBlocks / 2, kStreamThreads,
                {{"gpu.sms", "16"},
                 {"dram.channels", "2"},
                 {"gpu.memory_bus_bits", std::to_string(bits)},
                 {"host.memset_bandwidth", "1"},
                 {"host.device_copy", "1"},
                 {"l2.slices_per_channel", "2"},
                 {"l2.halves", "1"},
                 {"l2.sets", "16"}});
  const auto& gpu = ran.config().gpu;
  const auto& dram = ran.config().dram;
  const double peak = 2 * 32.0 / dram.burst * gpu.dram_mhz / dram.clock_divisor / gpu.core_mhz;
  const double moved = 32 * (ran.of("dram", "reads") + ran.of("dram", "writes")) / ran.cycles();
  EXPECT_LE(moved, peak);
  EXPECT_GE(moved, 0.6 * peak);
}

TEST_P(Laws, MultipliesNoFasterThanItsPipes) {
  const Ran ran(GetParam(), "multiply", 32, 256, {{"gpu.sms", "2"}});
  const auto& fp32 = ran.config().execute.of(isa::Class::fp32);
  const double peak = 2.0 * fp32.pipes / fp32.interval;  // warp instructions per cycle
  const double fmas = 32.0 * 8 * kFmas;
  EXPECT_LE(fmas / ran.cycles(), peak);
  EXPECT_GE(fmas / ran.cycles(), 0.6 * peak) << "8 chains a warp and 8 warps a block fill them";
  const double width = ran.config().scheduler.count * ran.config().scheduler.dispatch_width;
  EXPECT_LE(ran.of("sm", "warp_instructions"), ran.of("sm", "cycles") * width);
}

// A division is 11 instructions in machine code of compute capability 7.0 and later.
TEST_P(Laws, SchedulersIssueWhatDivisionsAreInMachineCode) {
  const Ran ran(GetParam(), "divide", 2, 256,
                {{"gpu.sms", "2"},
                 {"execute.fp32_div.interval", "1"},
                 {"execute.fp32_div.latency", "12"}});  // or two warps wait for each other
  const auto& config = ran.config();
  if (config.gpu.compute_major < 7u) return;
  const double of_a_scheduler = 8.0 * 8 * 64 / config.scheduler.count;
  EXPECT_GE(ran.cycles(), 11 * of_a_scheduler);
  EXPECT_LE(ran.cycles(), 1.5 * 11 * of_a_scheduler);
}

TEST_P(Laws, SlotsAddUpAndResidentsFit) {
  const Ran ran(GetParam(), "stream", kStreamBlocks / 8, kStreamThreads, {{"gpu.sms", "4"}});
  std::uint64_t slots = 0;
  for (const StatGroup* sm : ran.statistics().children()) {
    if (sm->name() != "sm") continue;
    for (const StatGroup* child : sm->children()) {
      if (child->name() != "slots") continue;
      for (const Counter* counter : child->counters()) slots += *counter;
    }
  }
  EXPECT_EQ(static_cast<double>(slots), ran.of("sm", "cycles") * ran.config().scheduler.count);
  const auto& sm = ran.config().sm;
  EXPECT_LE(ran.of("sm", "resident_warp_cycles"), ran.of("sm", "cycles") * sm.warps);
  EXPECT_LE(ran.of("sm", "resident_warp_cycles"),
            ran.of("sm", "cycles") * sm.blocks * kStreamThreads / 32);
}

// A kernel that waits for memory gains by more warps until the memory is busy. Then order in DRAM
// may cost a little: hardware loses 1 to 2 % too (gpu-stream of gpu-benches, V100 and A100).
TEST_P(Laws, MoreResidentBlocksReadNoSlower) {
  double before = kNever;
  for (const char* blocks : {"1", "2", "4", "8"}) {
    const Ran ran(GetParam(), "stream", kStreamBlocks / 4, kStreamThreads, {{"sm.blocks", blocks}});
    EXPECT_LE(ran.cycles(), 1.02 * before) << blocks << " blocks";
    before = ran.cycles();
  }
}

TEST_P(Laws, MoreMultiprocessorsComputeNoSlower) {
  double before = kNever;
  for (const char* sms : {"1", "2", "4"}) {
    const Ran ran(GetParam(), "multiply", 16, 128, {{"gpu.sms", sms}});
    EXPECT_LE(ran.cycles(), before) << sms << " multiprocessors";
    before = ran.cycles();
  }
}

// All fetch the same few lines of code at once, which lie in the same few slices of the L2 cache: in
// groups they ask once.
TEST(ColdCode, MoreMultiprocessorsAreNoSlower) {
  const auto cycles = [](const char* sms, const char* group) {
    return Ran("v100", "stream", 160, kStreamThreads,
               {{"gpu.sms", sms}, {"interconnect.fetch_group", group}})
        .cycles();
  };
  EXPECT_LE(cycles("160", "14"), 1.02 * cycles("60", "14"));
  EXPECT_GT(cycles("160", "1"), 1.05 * cycles("60", "1")) << "what groups are for";
}

INSTANTIATE_TEST_SUITE_P(Described, Laws, testing::ValuesIn(gpu_names()), [](const auto& gpu) {
  std::string name = gpu.param;
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
});

}  // namespace
}  // namespace raddle::machine
