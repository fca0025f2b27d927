// Expected numbers follow from NVIDIA's occupancy rules, computed by hand for compute capability
// 3.5 (64 warps, 65536 registers allocated to warps in units of 256, warps in fours, 48 KB shared
// memory in units of 256 bytes, 16 blocks).
#include "machine/occupancy.h"
#include "machine/sm/config.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

struct Case {
  unsigned threads, registers, shared, blocks;
  const char* limited_by;
};

class OccupancyOfK20c : public testing::TestWithParam<Case> {};

TEST_P(OccupancyOfK20c, FollowsTheRules) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.registers_per_thread = GetParam().registers;
  kernel.static_shared_bytes = GetParam().shared;
  const Occupancy result = occupancy(config, kernel, GetParam().threads, 0);
  EXPECT_EQ(result.blocks_per_sm, GetParam().blocks);
  EXPECT_STREQ(result.limited_by, GetParam().limited_by);
}

INSTANTIATE_TEST_SUITE_P(
    Hand, OccupancyOfK20c,
    testing::Values(
        // 2048 / 256 threads.
        Case{256, 16, 0, 8, "threads"},
        // 64 threads are 2 warps: 32 blocks by warps, 16 by blocks.
        Case{64, 16, 0, 16, "blocks"},
        // 33 registers: 1056 per warp, 1280 allocated; 8 warps take 10240: 6 blocks.
        Case{256, 33, 0, 6, "registers"},
        // 255 registers: 8160 per warp, 8192 allocated; 8 warps fill the file.
        Case{256, 255, 0, 1, "registers"},
        // 64 registers: 2048 per warp. Each of 4 sub-partitions holds 8 such warps: 32 / 3.
        Case{96, 64, 0, 10, "registers"},
        // 40 registers: 1280 per warp, 12 of which fit a sub-partition: 48 / 5, where 51 / 5 fit the
        // file as a whole.
        Case{160, 40, 0, 9, "registers"},
        // 5000 bytes become 5120: 49152 / 5120 = 9.
        Case{64, 16, 5000, 9, "shared memory"},
        // 100 threads are 4 warps: 16 blocks either way; the first limit named is threads.
        Case{100, 16, 0, 16, "threads"},
        // 5 warps are checked as 8, of 255 registers: 65536.
        Case{160, 255, 0, 1, "registers"},
        // 9 warps are checked as 12, of 206 registers: 79872. An H200 refuses it.
        Case{288, 206, 0, 0, "registers"}, Case{256, 206, 0, 1, "registers"},
        // 1024 threads with 80 registers would take 81920.
        Case{1024, 80, 0, 0, "registers"}));

// CUDA C++ Programming Guide, "Launch Bounds": registers are limited so that as many blocks of the
// largest size reside as the second bound says. 65536 / 2048 threads = 32 registers; a request
// beyond the 2048 threads of a multiprocessor is ignored.
TEST(Occupancy, LaunchBoundsLimitRegisters) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.registers_per_thread = 53;
  kernel.max_threads = 1024;
  EXPECT_EQ(occupancy(config, kernel, 1024, 0).blocks_per_sm, 1u);
  kernel.min_blocks = 2;
  kernel.bounded = true;
  EXPECT_EQ(occupancy(config, kernel, 1024, 0).blocks_per_sm, 2u);
  EXPECT_EQ(occupancy(config, kernel, 256, 0).blocks_per_sm, 8u);
  kernel.min_blocks = 3;
  EXPECT_EQ(occupancy(config, kernel, 1024, 0).blocks_per_sm, 1u);
}

// Where nothing has been spilled the kernel has the registers that it has: 2 x 1024 x 53 exceed 65536.
TEST(Occupancy, WithoutSpillingRegistersAreWhatTheyAre) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.registers_per_thread = 53;
  kernel.max_threads = 1024;
  kernel.min_blocks = 2;
  EXPECT_EQ(occupancy(config, kernel, 1024, 0).blocks_per_sm, 1u);
}

Launch launch_of(const isa::Function& kernel, Dim3 grid, Dim3 block) {
  Launch launch;
  launch.kernel = &kernel;
  launch.grid = grid;
  launch.block = block;
  return launch;
}

TEST(LaunchError, NamesClusters) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.cluster_blocks = 2;
  EXPECT_EQ(launch_error(config, launch_of(kernel, {2, 1, 1}, {32, 1, 1})).text,
            "clusters of 2 thread blocks (__cluster_dims__) are not supported");
}

// PTX ISA, ".maxntid".
TEST(LaunchError, ABlockIsNoLargerThanTheKernelWasCompiledFor) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.max_threads = 96;
  EXPECT_EQ(launch_error(config, launch_of(kernel, {1, 1, 1}, {32, 3, 1})).text, "");
  const LaunchError error = launch_error(config, launch_of(kernel, {1, 1, 1}, {97, 1, 1}));
  EXPECT_EQ(error.kind, LaunchError::Kind::launch_bounds);
  EXPECT_EQ(error.text, "block of 97 threads: it was compiled for at most 96 (.maxntid)");
}

// PTX ISA, ".reqntid": a block of another shape fails at launch, even with as many threads.
TEST(LaunchError, ABlockHasTheShapeThatTheKernelRequires) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.required_block[0] = kernel.required_block[1] = 16;
  kernel.required_block[2] = 1;
  EXPECT_EQ(launch_error(config, launch_of(kernel, {1, 1, 1}, {16, 16, 1})).text, "");
  const LaunchError error = launch_error(config, launch_of(kernel, {1, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(error.kind, LaunchError::Kind::launch_bounds);
  EXPECT_EQ(error.text, "block of 256x1x1 threads: it was compiled for 16x16x1 alone (.reqntid)");
}

TEST(LaunchError, NamesWhatNoMechanismBrings) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.name = "parent";
  kernel.switched_off = "cudaLaunchNothing";
  EXPECT_EQ(launch_error(config, launch_of(kernel, {1, 1, 1}, {32, 1, 1})).text,
            "it calls 'cudaLaunchNothing', which nothing here carries out");
}

TEST(LaunchError, NamesWhatIsTooLarge) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.name = "k";
  kernel.registers_per_thread = 16;
  EXPECT_EQ(launch_error(config, launch_of(kernel, {1, 1, 1}, {1024, 1, 1})).text, "");
  EXPECT_NE(
      launch_error(config, launch_of(kernel, {1, 1, 1}, {1025, 1, 1})).text.find("1024 threads"),
      std::string::npos);
  EXPECT_NE(launch_error(config, launch_of(kernel, {1, 65536, 1}, {1, 1, 1})).text, "");
  EXPECT_NE(launch_error(config, launch_of(kernel, {0, 1, 1}, {1, 1, 1})).text, "");
  EXPECT_NE(launch_error(config, launch_of(kernel, {1, 1, 1}, {1, 1, 65})).text, "");
  Launch shared = launch_of(kernel, {1, 1, 1}, {32, 1, 1});
  shared.dynamic_shared_bytes = 49153;
  EXPECT_NE(launch_error(config, shared).text, "");
  shared.dynamic_shared_bytes = 49152;
  EXPECT_EQ(launch_error(config, shared).text, "");
}

// NVIDIA H200: 206 registers, 256 threads fit, 288 do not.
TEST(LaunchError, ABlockHasNoMoreRegistersThanTheMultiprocessor) {
  const GpuConfig config;
  isa::Function kernel;
  kernel.registers_per_thread = 206;
  EXPECT_EQ(launch_error(config, launch_of(kernel, {1, 1, 1}, {256, 1, 1})).text, "");
  const LaunchError error = launch_error(config, launch_of(kernel, {1, 1, 1}, {257, 1, 1}));
  EXPECT_EQ(error.kind, LaunchError::Kind::resources);
  EXPECT_EQ(error.text, "206 registers a thread: a block of 257 threads gets at most 168");
}

// CUDA C Programming Guide, "Compute Capability 7.x", Shared Memory.
TEST(LaunchError, MoreSharedMemoryMustBeAskedFor) {
  GpuConfig config;
  config.sm.shared_per_block_optin.set("98304");
  config.sm.shared_bytes.set("98304");
  isa::Function kernel;
  kernel.static_shared_bytes = 1024;
  Launch launch = launch_of(kernel, {1, 1, 1}, {32, 1, 1});
  launch.dynamic_shared_bytes = 65536;
  EXPECT_EQ(launch_error(config, launch).kind, LaunchError::Kind::shared_limit);
  kernel.max_dynamic_shared = 65536;
  EXPECT_EQ(launch_error(config, launch).text, "");
  ++launch.dynamic_shared_bytes;
  EXPECT_EQ(launch_error(config, launch).kind, LaunchError::Kind::shared_limit);
}

TEST(LaunchError, CooperativeGridsMustBeResidentAtOnce) {
  const GpuConfig config;  // 13 SMs, 8 blocks of 256 threads on each
  isa::Function kernel;
  kernel.registers_per_thread = 16;
  Launch launch = launch_of(kernel, {104, 1, 1}, {256, 1, 1});
  launch.cooperative = true;
  EXPECT_EQ(launch_error(config, launch).text, "");
  launch.grid.x = 105;
  EXPECT_NE(launch_error(config, launch).text.find("104"), std::string::npos);
}

}  // namespace
}  // namespace raddle::machine
