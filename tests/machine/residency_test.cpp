// How many blocks are on a multiprocessor at the same time while a kernel runs. Expected numbers
// follow by hand from the limits of the CUDA C Programming Guide, "Technical Specifications per
// Compute Capability".
#include <map>

#include "kernels.h"
#include "machine/observer.h"
#include "machine/occupancy.h"

namespace raddle::machine {
namespace {

/// What blocks take, added up over an SM.
struct Taken {
  unsigned blocks = 0, threads = 0, warps = 0, registers = 0, shared = 0;
};

/// Follows blocks as they come and go.
class Residents : public Observer {
 public:
  std::map<std::string, Taken> of_block;  // by kernel
  Taken most;                             // at once on one SM
  unsigned ended = 0;

  void block_started(const GridRecord& grid, const Dim3&, unsigned sm, unsigned slot,
                     Cycle) override {
    const Taken& block = there_[{sm, slot}] = of_block.at(grid.kernel);
    Taken& now = on_[sm];
    most.blocks = std::max(most.blocks, now.blocks += 1);
    most.threads = std::max(most.threads, now.threads += block.threads);
    most.warps = std::max(most.warps, now.warps += block.warps);
    most.registers = std::max(most.registers, now.registers += block.registers);
    most.shared = std::max(most.shared, now.shared += block.shared);
  }
  void block_ended(unsigned sm, unsigned slot, std::uint64_t, Cycle) override {
    const Taken& block = there_.at({sm, slot});
    Taken& now = on_[sm];
    now.blocks -= 1;
    now.threads -= block.threads;
    now.warps -= block.warps;
    now.registers -= block.registers;
    now.shared -= block.shared;
    ++ended;
  }
  void grid_ended(const GridRecord&) override {}
  void sample(Cycle, const QueueDepths&) override {}

 private:
  std::map<std::pair<unsigned, unsigned>, Taken> there_;  // [SM, slot]
  std::map<unsigned, Taken> on_;                          // [SM]
};

/// Kernels that stay for some hundred cycles, and a GPU of two SMs to run them on. What a block
/// takes is set, not compiled.
class Rig {
 public:
  using Settings = std::vector<std::pair<const char*, const char*>>;
  Rig(const char* gpu, const Settings& settings) : config_(load_gpu(gpu)) {
    config_->set("gpu.sms", "2");
    for (const auto& [path, value] : settings) config_->set(path, value);
    std::string text = test::kHeader;
    for (const std::string name : {"first", "second", "third"}) {
      text += ".visible .entry " + name + "() { .reg .b32 %r<2>; .reg .pred %p;\n" +
              "mov.u32 %r1, 0;\nAGAIN: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 20;\n" +
              "@%p bra AGAIN;\nret; }\n";
    }
    const ptx::Module module = ptx::parse("test.ptx", text);
    program_ = isa::load_program({&module, 1}, space_);
    gpu_ = std::make_unique<Gpu>(*config_, space_);
    gpu_->observe(residents, kNever);
  }

  const isa::Function& kernel(const char* name, unsigned registers, unsigned shared) {
    auto* kernel = const_cast<isa::Function*>(program_->find_kernel(name));
    kernel->registers_per_thread = registers;
    kernel->static_shared_bytes = shared;
    return *kernel;
  }
  void launch(const isa::Function& kernel, unsigned blocks, unsigned threads) {
    Launch launch;
    launch.program = program_.get();
    launch.kernel = &kernel;
    launch.grid.x = blocks;
    launch.block.x = threads;
    ASSERT_EQ(gpu_->launch_error(launch).text, "");
    gpu_->launch(std::move(launch), 0);
  }
  void run() {
    while (!gpu_->idle()) gpu_->advance(kNever);
    for (const FaultReport& fault : gpu_->take_faults()) ADD_FAILURE() << fault.text;
  }
  const GpuConfig& config() const { return *config_; }

  Residents residents;

 private:
  std::unique_ptr<GpuConfig> config_;
  memory::AddressSpace space_{1 << 24};
  std::unique_ptr<isa::Program> program_;
  std::unique_ptr<Gpu> gpu_;
};

struct Case {
  const char* limited_by;
  const char* gpu;
  unsigned threads, registers, shared, blocks;
  Rig::Settings settings = {};
};

class Residency : public testing::TestWithParam<Case> {};

TEST_P(Residency, IsWhatTheLimitsAllowAndNoMore) {
  const Case& c = GetParam();
  Rig rig(c.gpu, c.settings);
  const isa::Function& kernel = rig.kernel("first", c.registers, c.shared);
  rig.residents.of_block["first"] = {};
  constexpr unsigned waves = 4;
  rig.launch(kernel, 2 * c.blocks * waves, c.threads);
  rig.run();
  EXPECT_EQ(rig.residents.most.blocks, c.blocks);
  EXPECT_EQ(rig.residents.ended, 2 * c.blocks * waves);
  const Occupancy told = occupancy(rig.config(), kernel, c.threads, 0);
  EXPECT_EQ(told.blocks_per_sm, c.blocks) << "what programs are told";
  EXPECT_STREQ(told.limited_by, c.limited_by);
}

// Compute capability 3.5: 2048 threads, 64 warps, 16 blocks, 65536 registers in units of 256 a
// warp, 48 KB. 2.0: 1536 threads, 48 warps, 8 blocks, 32768 registers in units of 64. 9.0: 32
// blocks, 228 KB, of which each block costs 1 KB more than it asks for.
INSTANTIATE_TEST_SUITE_P(
    Hand, Residency,
    testing::Values(Case{"threads", "k20c", 256, 16, 0, 8}, Case{"blocks", "k20c", 64, 16, 0, 16},
                    Case{"threads", "k20c", 128, 16, 0, 8, {{"sm.threads", "1024"}}},
                    // 65 threads are 3 warps.
                    Case{"threads", "h200", 65, 16, 0, 21},
                    // 33 x 32 registers round up to 1280, of 8 warps 10240.
                    Case{"registers", "k20c", 256, 33, 0, 6},
                    // 8 warps a sub-partition: 32 / 3.
                    Case{"registers", "k20c", 96, 64, 0, 10},
                    // 12 warps of 1280 registers a sub-partition: 48 / 5.
                    Case{"registers", "k20c", 160, 40, 0, 9},
                    Case{"registers", "k20c", 1024, 64, 0, 1},
                    Case{"shared memory", "k20c", 64, 16, 5000, 9},
                    // 3073 bytes are 13 units of 256, of 192.
                    Case{"shared memory", "k20c", 64, 16, 3073, 14},
                    Case{"threads", "fermi-c2075", 192, 20, 0, 8},
                    Case{"registers", "fermi-c2075", 256, 24, 0, 5},
                    // A thread has 63: 2016 per warp, 2048 allocated. The rest is spilled.
                    Case{"registers", "fermi-c2075", 256, 100, 0, 2},
                    Case{"blocks", "h200", 32, 16, 0, 32},
                    Case{"shared memory", "h200", 64, 16, 22528, 9}));

// Each has room for the others' blocks only where their own take none.
TEST(Residency, OfSeveralKernelsTogetherKeepsEveryLimit) {
  Rig rig("k20c", {});
  struct Kernel {
    const char* name;
    unsigned threads, registers, shared;
    Taken block;
  };
  // Registers are of warps, in units of 256; shared memory in units of 256 bytes.
  const Kernel kernels[] = {{"first", 96, 64, 0, {1, 96, 3, 3 * 2048, 0}},
                            {"second", 256, 20, 9000, {1, 256, 8, 8 * 768, 9216}},
                            {"third", 128, 40, 3000, {1, 128, 4, 4 * 1280, 3072}}};
  for (const Kernel& k : kernels) {
    rig.residents.of_block[k.name] = k.block;
    rig.launch(rig.kernel(k.name, k.registers, k.shared), 60, k.threads);
  }
  rig.run();
  const Taken& most = rig.residents.most;
  EXPECT_EQ(rig.residents.ended, 180u);
  EXPECT_LE(most.blocks, 16u);
  EXPECT_LE(most.threads, 2048u);
  EXPECT_LE(most.warps, 64u);
  EXPECT_LE(most.registers, 65536u);
  EXPECT_LE(most.shared, 49152u);
  EXPECT_GT(most.registers, 65536u - 8192) << "no room is left for the smallest";
}

/// `holder` keeps 1 KB of shared memory for 20000 cycles; `reader` loads 12 lines, twice.
constexpr const char* kShareOneArray = R"(
.shared .align 4 .b8 tile[1024];
.visible .entry holder(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  mov.u32 %r1, tile;
  st.shared.u32 [%r1], %r1;
  mov.u64 %rd1, %clock64;
STAY:
  mov.u64 %rd2, %clock64;
  sub.u64 %rd2, %rd2, %rd1;
  setp.lt.u64 %p, %rd2, 20000;
  @%p bra STAY;
  ret;
}
.visible .entry reader(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  mov.u32 %r1, 0;
TWICE:
  ld.param.u64 %rd1, [in];
  mov.u32 %r2, 0;
LINES:
  ld.global.u32 %r3, [%rd1];
  add.u64 %rd1, %rd1, 128;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, 12;
  @%p bra LINES;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, 2;
  @%p bra TWICE;
  ret;
})";

// CUDA C Programming Guide, "Compute Capability 7.x", Shared Memory: one array is L1 cache and
// shared memory. Here it has 16 lines, half of which 1 KB of shared memory takes.
TEST(Residency, SharedMemoryOfARunningBlockIsNoCacheForALaterKernel) {
  for (const bool held : {false, true}) {
    test::Machine machine(kShareOneArray, {{"gpu.sms", "1"},
                                           {"l1.sets", "1"},
                                           {"l1.ways", "16"},
                                           {"l1.cache_global", "true"},
                                           {"l1.carve_outs", "0,1"},
                                           {"l1.local_stores", "as_global"},
                                           {"sm.shared_bytes", "1024"},
                                           {"sm.shared_per_block", "1024"},
                                           {"sm.shared_per_block_optin", "1024"}});
    if (held) machine.launch("holder", 1, 1);
    machine.launch("reader", 1, 1);
    machine.run();
    EXPECT_EQ(total(machine.gpu().statistics(), "l1", "hits"), held ? 0u : 12u);
  }
}

// L1 caches are not coherent: a grid must not find what the ones before it have loaded, which other
// multiprocessors may have changed since.
TEST(Residency, AGridBeginsWithAnEmptyCache) {
  test::Machine machine(
      kShareOneArray,
      {{"gpu.sms", "1"}, {"l1.sets", "1"}, {"l1.ways", "16"}, {"l1.cache_global", "true"}});
  for (unsigned run = 1; run <= 3; ++run) {
    machine.launch("reader", 1, 1);
    machine.run();
    EXPECT_EQ(total(machine.gpu().statistics(), "l1", "hits"), run * 12u);
    EXPECT_EQ(total(machine.gpu().statistics(), "l1", "misses"), run * 12u);
  }
}

}  // namespace
}  // namespace raddle::machine
