#include "machine/config.h"

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

}  // namespace
}  // namespace raddle::machine
