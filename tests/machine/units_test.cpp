#include "machine/execute/units.h"
#include "machine/config.h"
#include "machine/execute/config.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

using isa::Class;

TEST(ExecuteUnits, AsManyStartInACycleAsThereArePipes) {
  const GpuConfig config;
  ExecuteUnits units(config.execute, 4);
  for (unsigned n = 0; n < 6; ++n) {  // 192 lanes
    ASSERT_TRUE(units.can_issue(Class::fp32, n % 4, 10));
    units.issue(Class::fp32, n % 4, 10);
  }
  EXPECT_FALSE(units.can_issue(Class::fp32, 0, 10));
  EXPECT_TRUE(units.can_issue(Class::fp32, 0, 11));
}

TEST(ExecuteUnits, ClassesShareTheirUnit) {
  const GpuConfig config;
  ExecuteUnits units(config.execute, 4);
  units.issue(Class::int_mul, 0, 10);  // the one pipe that multiplies
  EXPECT_FALSE(units.can_issue(Class::int_mul, 1, 10));
  for (unsigned n = 0; n < 5; ++n) {
    ASSERT_TRUE(units.can_issue(Class::fp32, 0, 10));
    units.issue(Class::fp32, 0, 10);
  }
  EXPECT_FALSE(units.can_issue(Class::fp32, 0, 10));
  EXPECT_TRUE(units.can_issue(Class::special, 0, 10));
}

TEST(ExecuteUnits, VersatilePipesAreKeptForThoseWhoNeedThem) {
  const GpuConfig config;
  ExecuteUnits units(config.execute, 4);
  units.issue(Class::fp32, 0, 10);
  EXPECT_TRUE(units.can_issue(Class::int_mul, 0, 10));
}

TEST(ExecuteUnits, IntervalKeepsThePipeBusy) {
  GpuConfig config;
  config.set("execute.special.interval", "8");
  ExecuteUnits units(config.execute, 4);
  units.issue(Class::special, 0, 100);
  EXPECT_FALSE(units.can_issue(Class::special, 0, 107));
  EXPECT_TRUE(units.can_issue(Class::special, 0, 108));
}

TEST(ExecuteUnits, PartitionedPipesBelongToOneScheduler) {
  GpuConfig config;
  config.set("execute.partitioned", "true");
  config.set("execute.fp32.pipes", "4");
  ExecuteUnits units(config.execute, 4);
  units.issue(Class::fp32, 2, 10);
  EXPECT_FALSE(units.can_issue(Class::fp32, 2, 10));
  EXPECT_TRUE(units.can_issue(Class::fp32, 3, 10));
}

TEST(ExecuteUnits, TensorInstructionsTakeAnIntervalAStep) {
  GpuConfig config;
  config.set("execute.tensor.interval", "8");
  config.set("execute.tensor.latency", "30");
  ExecuteUnits units(config.execute, 4);
  isa::Instruction wmma;  // 16x16x16: four steps of 16x8x8
  wmma.klass = Class::tensor;
  wmma.elements = 4;
  EXPECT_EQ(units.latency(wmma), 54u);  // Raihan et al. 2019, on a TITAN V
  units.issue(Class::tensor, 0, 100, ExecuteUnits::steps(wmma));
  EXPECT_FALSE(units.can_issue(Class::tensor, 0, 131));
  EXPECT_TRUE(units.can_issue(Class::tensor, 0, 132));
  EXPECT_TRUE(units.can_issue(Class::fp32, 0, 101)) << "a unit of its own";
}

}  // namespace
}  // namespace raddle::machine
