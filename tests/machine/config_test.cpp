#include "machine/config.h"
#include "machine/chip_config.h"
#include "machine/dispatch/config.h"
#include "machine/dram/config.h"
#include "machine/l1/config.h"
#include "machine/l2/config.h"
#include "machine/sm/config.h"

#include <gtest/gtest.h>

#include <functional>

namespace raddle::machine {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GpuConfig, EveryDescriptionLoads) {
  const std::vector<std::string> names = gpu_names();
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    EXPECT_EQ(error_of([&] { load_gpu(name); }), "") << name;
  }
}

TEST(GpuConfig, K20cIsTheMachineOfThePaper) {
  const auto config = load_gpu("k20c");
  // dynamic-thread-block-launch, Table 2.
  EXPECT_EQ(config->gpu.sms, 13u);
  EXPECT_EQ(config->gpu.core_mhz, 706u);
  EXPECT_EQ(config->sm.blocks, 16u);
  EXPECT_EQ(config->dispatch.concurrent_kernels, 32u);
  EXPECT_EQ(config->sm_version(), 35u);
  EXPECT_EQ(one_line(*config), "Tesla K20c: compute capability 3.5, 13 SMs at 706 MHz, 208 GB/s");
}

TEST(GpuConfig, UnknownNamesListNearOnes) {
  EXPECT_NE(error_of([] { load_gpu("k20"); }).find("k20c"), std::string::npos);
  EXPECT_NE(error_of([] { load_gpu("none/such.toml"); }).find("no such file"), std::string::npos);
}

TEST(GpuConfig, ImpossibleCombinationsNameTheRange) {
  GpuConfig config;
  config.set("sm.warps", "32");
  EXPECT_NE(error_of([&] { config.check(); }).find("32..1024"), std::string::npos);
  config.set("sm.threads", "1024");
  EXPECT_EQ(error_of([&] { config.check(); }), "");
  config.set("shared.bank_bytes", "5");
  EXPECT_NE(error_of([&] { config.check(); }).find("4 or 8"), std::string::npos);
}

TEST(GpuConfig, CachesThatCannotBeBuiltAreRefused) {
  GpuConfig config;
  config.set("l1.sets", "0");
  EXPECT_NE(error_of([&] { config.check(); }).find("1..65536"), std::string::npos);
  config.set("l1.sets", "64");
  config.set("constant.ways", "3");  // 2048 bytes are no multiple of three lines of 64
  EXPECT_NE(error_of([&] { config.check(); }).find("constant.bytes = 2048"), std::string::npos);
}

TEST(GpuConfig, SharedMemoryTakesNoMoreOfTheL1CacheThanThereIs) {
  const auto config = load_gpu("v100");  // 128 KB in 16 ways
  EXPECT_EQ(carve_outs(config->l1).back(), config->sm.shared_bytes);
  config->set("l1.carve_outs", "0,64");
  EXPECT_NE(error_of([&] { config->check(); }).find("sm.shared_bytes = 98304"), std::string::npos);
  config->set("l1.carve_outs", "0,128");
  EXPECT_NE(error_of([&] { config->check(); }).find("0..120 KB"), std::string::npos);
  config->set("l1.carve_outs", "96,64");
  EXPECT_NE(error_of([&] { config->check(); }).find("rising"), std::string::npos);
}

TEST(GpuConfig, SharedMemoryBeginsBehindAPartOfWhatIsReserved) {
  EXPECT_EQ(load_gpu("k20c")->sm.shared_begin, 0u);
  const auto config = load_gpu("h200");
  EXPECT_EQ(config->sm.shared_begin, 1024u);
  config->set("sm.shared_begin", "1152");
  EXPECT_NE(error_of([&] { config->check(); }).find("sm.shared_reserved = 1024"),
            std::string::npos);
  config->set("sm.shared_begin", "1000");
  EXPECT_NE(error_of([&] { config->check(); }).find("multiple of 128"), std::string::npos);
  config->set("sm.shared_begin", "128");
  EXPECT_EQ(error_of([&] { config->check(); }), "");
}

TEST(GpuConfig, FourCoreFermiIsTheMachineOfThePaper) {
  const auto config = load_gpu("fermi-4core");  // hardware-worklists, Table IV
  EXPECT_EQ(config->gpu.sms, 4u);
  EXPECT_EQ(config->gpu.core_mhz, 700u);
  EXPECT_EQ(config->sm.warps, 48u);
  EXPECT_EQ(config->sm.registers, 32768u);
  EXPECT_EQ(config->l1.sets * config->l1.ways * 128, 8192u);
  EXPECT_EQ(config->l1.ways, 4u);
  const unsigned slices = config->dram.channels * config->l2.slices_per_channel;
  EXPECT_EQ(slices * config->l2.sets * config->l2.ways * 128, 786432u);
  EXPECT_EQ(config->l2.ways, 8u);
  EXPECT_EQ(config->dram.path_latency, 100u);
}

/// A RTX 4090: 384 bits of 21 Gbit/s (10501 MHz by two) are 1008 GB/s. With 16 channels it would move
/// 1344 GB/s.
TEST(GpuConfig, RowsThatCloseBeforeTheyMayAreRefused) {
  GpuConfig config;
  config.set("dram.rp", "1000");
  const std::string error = error_of([&] { config.check(); });
  EXPECT_NE(error.find("dram.rc = "), std::string::npos) << error;
  EXPECT_NE(error.find("dram.ras + dram.rp = "), std::string::npos) << error;
}

TEST(GpuConfig, MoreDirtyWaysThanWaysAreRefused) {
  GpuConfig config;
  config.set("l2.ways", "8");
  config.set("l2.dirty_ways", "9");
  const std::string error = error_of([&] { config.check(); });
  EXPECT_NE(error.find("l2.dirty_ways = 9: should not be more than l2.ways = 8"), std::string::npos)
      << error;
}

TEST(GpuConfig, ChannelsThatMoveMoreThanTheBusAreRefused) {
  GpuConfig config;
  config.set("gpu.dram_mhz", "10501");
  config.set("gpu.memory_bus_bits", "384");
  config.set("dram.channels", "12");
  config.check();
  config.set("dram.channels", "16");
  const std::string error = error_of([&] { config.check(); });
  EXPECT_NE(error.find("gpu.memory_bus_bits = 384: 1008 GB/s"), std::string::npos) << error;
  EXPECT_NE(error.find("dram.channels = 16 move 1344 GB/s"), std::string::npos) << error;
}

/// 877 MHz, two transfers a clock, of 512 bytes: 898 GB/s.
constexpr const char* kBusOfV100 = "gpu.memory_bus_bits = 4096 at gpu.dram_mhz = 877 move 898 GB/s";

TEST(GpuConfig, MemsetsThatWriteMoreThanTheBusMovesAreRefused) {
  const auto config = load_gpu("v100");
  config->set("host.memset_bandwidth", "898");
  config->check();
  config->set("host.memset_bandwidth", "899");
  const std::string error = error_of([&] { config->check(); });
  EXPECT_NE(error.find("host.memset_bandwidth = 899 GB/s"), std::string::npos) << error;
  EXPECT_NE(error.find(kBusOfV100), std::string::npos) << error;
}

TEST(GpuConfig, CopiesThatReadAndWriteMoreThanTheBusMovesAreRefused) {
  const auto config = load_gpu("v100");
  config->set("host.device_copy", "449");
  config->check();
  config->set("host.device_copy", "450");
  const std::string error = error_of([&] { config->check(); });
  EXPECT_NE(error.find("host.device_copy = 450 GB/s"), std::string::npos) << error;
  EXPECT_NE(error.find(kBusOfV100), std::string::npos) << error;
}

}  // namespace
}  // namespace raddle::machine
