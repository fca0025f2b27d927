// The functional machine gives the same values, counts and faults as the timed one.
#include "kernels.h"

namespace raddle::machine {
namespace {

using namespace test;

constexpr std::pair<const char*, const char*> kFunctional{"gpu.functional", "true"};

TEST(FunctionalGpu, ComputesAndCounts) {
  Machine machine(kAddIndex, {kFunctional});
  const GridId grid = machine.launch("add_index", 64, 256);
  EXPECT_FALSE(machine.gpu().ended(grid));
  machine.run();
  EXPECT_TRUE(machine.gpu().ended(grid));
  for (std::uint32_t i = 0; i < 64 * 256; ++i) ASSERT_EQ(machine.out(i), 4 * i);
  const std::vector<GridRecord> ended = machine.gpu().take_ended();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].warp_instructions, 64u * 8 * 13);
  EXPECT_EQ(ended[0].thread_instructions, 64u * 256 * 13);
}

TEST(FunctionalGpu, BarriersAndSharedMemory) {
  Machine machine(kReverse, {kFunctional});
  machine.launch("reverse", 100, 256);
  machine.run();
  for (std::uint32_t i = 0; i < 25600; ++i) {
    ASSERT_EQ(machine.out(i), 3 * ((i & ~255u) + 255 - i % 256));
  }
}

TEST(FunctionalGpu, Atomics) {
  Machine machine(kCount, {kFunctional});
  machine.launch("count", 20, 96);
  machine.run();
  EXPECT_EQ(machine.out(0), 1920u);
}

TEST(FunctionalGpu, ReportsWhoWaitsInADeadlock) {
  Machine machine(kStuck, {kFunctional});
  machine.launch("stuck", 1, 32);
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::deadlock);
  EXPECT_NE(faults[0].text.find("block (0,0,0)"), std::string::npos) << faults[0].text;
}

TEST(FunctionalGpu, FaultsAreThoseOfTheTimedMachine) {
  const auto faults_of = [](std::initializer_list<std::pair<const char*, const char*>> settings) {
    Machine machine(kAddIndex, settings);
    machine.launch("add_index", 2049,
                   32);  // one warp faults: which of several is first, timing tells
    machine.run();
    return machine.gpu().take_faults().at(0).text;
  };
  EXPECT_EQ(faults_of({kFunctional}), faults_of({}));
}

TEST(FunctionalGpu, KeepGoingFinishesTheGrid) {
  Machine machine(kAddIndex, {kFunctional, {"gpu.keep_going", "true"}});
  machine.launch("add_index", 257, 256);
  machine.run();
  EXPECT_EQ(machine.gpu().take_faults().size(), 2u);  // the load from `in`, the store to `out`
  EXPECT_EQ(machine.out(65535), 4u * 65535);
  EXPECT_EQ(machine.gpu().take_ended().size(), 1u);
}

TEST(FunctionalGpu, BlocksThatWaitForLaterBlocksGoOn) {
  Machine machine(kFlag, {kFunctional});
  machine.out(0) = 0;
  machine.launch("flag", 2, 32);
  machine.run();
  EXPECT_TRUE(machine.gpu().take_faults().empty());
  EXPECT_EQ(machine.out(0), 1u);
}

TEST(FunctionalGpu, AdvanceStopsAtItsLimit) {
  Machine machine(kFlag, {kFunctional});
  machine.out(0) = 0;
  machine.launch("flag", 1, 32);  // block 0 alone waits for ever
  machine.gpu().advance(100000);
  EXPECT_EQ(machine.gpu().now(), 100000u);
  machine.out(0) = 1;  // the host comes to its help
  machine.run();
  EXPECT_EQ(machine.gpu().take_ended().size(), 1u);
}

}  // namespace
}  // namespace raddle::machine
