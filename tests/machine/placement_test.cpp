// Which block goes to which multiprocessor, and when. Expected orders follow from the settings
// (docs/reference/settings.md, dispatch) and from dynamic-thread-block-launch, section 2.2.
#include <gmock/gmock-matchers.h>

#include "kernels.h"
#include "machine/observer.h"

namespace raddle::machine {
namespace {

using test::Machine;
using ::testing::Each;
using ::testing::ElementsAre;

/// Keeps where and when blocks start.
class Placements : public Observer {
 public:
  struct Placement {
    std::string kernel;
    unsigned sm;
    Cycle at;
  };
  std::vector<Placement> all;

  void block_started(const GridRecord& grid, const Dim3&, unsigned sm, unsigned,
                     Cycle at) override {
    all.push_back({grid.kernel, sm, at});
  }
  void block_ended(unsigned, unsigned, std::uint64_t, Cycle) override {}
  void grid_ended(const GridRecord&) override {}
  void sample(Cycle, const QueueDepths&) override {}

  std::vector<unsigned> sms(const std::string& kernel) const {
    std::vector<unsigned> sms;
    for (const Placement& one : all) {
      if (one.kernel == kernel) sms.push_back(one.sm);
    }
    return sms;
  }
};

using Settings = std::initializer_list<std::pair<const char*, const char*>>;

const std::string kBothKernels = std::string(test::kAddIndex) + test::kReverse;

TEST(Placement, TakesSmsInTurnAndGoesOnWhereItLeftOff) {
  Machine machine(kBothKernels.c_str(), {{"gpu.sms", "3"}});
  Placements placements;
  machine.gpu().observe(placements, kNever);
  machine.launch("add_index", 4, 32);
  machine.run();
  machine.launch("reverse", 3, 256);
  machine.run();
  EXPECT_THAT(placements.sms("add_index"), ElementsAre(0, 1, 2, 0));
  EXPECT_THAT(placements.sms("reverse"), ElementsAre(1, 2, 0));
}

TEST(Placement, PrefersTheSmWithMostRoomWhereItIsTold) {
  for (const bool most_room : {false, true}) {
    Machine machine(
        kBothKernels.c_str(),
        {{"gpu.sms", "2"}, {"dispatch.placement", most_room ? "most_room" : "round_robin"}});
    Placements placements;
    machine.gpu().observe(placements, kNever);
    machine.launch("add_index", 1, 1024);  // 32 warps on SM 0
    machine.launch("reverse", 3, 256);     // 8 warps each
    machine.run();
    EXPECT_THAT(placements.sms("add_index"), ElementsAre(0));
    if (most_room) {
      EXPECT_THAT(placements.sms("reverse"), Each(1u));
    } else {
      EXPECT_THAT(placements.sms("reverse"), ElementsAre(1, 0, 1));
    }
  }
}

TEST(Placement, PlacesAsManyBlocksACycleAsItIsTold) {
  for (const unsigned width : {1u, 2u}) {
    Machine machine(kBothKernels.c_str(), {{"dispatch.blocks_per_cycle", width == 1 ? "1" : "2"}});
    Placements placements;
    machine.gpu().observe(placements, kNever);
    machine.launch("add_index", 8, 32);
    machine.run();
    ASSERT_EQ(placements.all.size(), 8u);
    for (unsigned n = 0; n < 8; ++n) {
      EXPECT_EQ(placements.all[n].at - placements.all[0].at, n / width) << "block " << n;
    }
  }
}

TEST(Placement, PlacesABlockEverySecondCycleAtHalfABlockACycle) {
  Machine machine(kBothKernels.c_str(), {{"dispatch.blocks_per_cycle", "0.5"}});
  Placements placements;
  machine.gpu().observe(placements, kNever);
  machine.launch("add_index", 4, 32);
  machine.run();
  ASSERT_EQ(placements.all.size(), 4u);
  for (unsigned n = 0; n < 4; ++n) {
    EXPECT_EQ(placements.all[n].at - placements.all[0].at, 2 * n) << "block " << n;
  }
}

/// The kernels of the blocks of two grids, which come together, in the order of their placing.
std::vector<std::string> order(int priority_of_second) {
  Machine machine(kBothKernels.c_str(), {{"gpu.sms", "1"}});
  Placements placements;
  machine.gpu().observe(placements, kNever);
  machine.launch("add_index", 2, 32);
  Launch second = machine.prepare("reverse", 2, 256);
  second.priority = priority_of_second;
  machine.launch(std::move(second));
  machine.run();
  std::vector<std::string> kernels;
  for (const auto& one : placements.all) kernels.push_back(one.kernel);
  return kernels;
}

TEST(Placement, IsByPriorityAndThenFirstComeFirstServed) {
  EXPECT_THAT(order(0), ElementsAre("add_index", "add_index", "reverse", "reverse"));
  EXPECT_THAT(order(-1), ElementsAre("reverse", "reverse", "add_index", "add_index"));
  EXPECT_THAT(order(1), ElementsAre("add_index", "add_index", "reverse", "reverse"));
}

/// Whether grids of two streams run side by side.
bool together(std::uint32_t first, std::uint32_t second, Settings settings) {
  Machine machine(kBothKernels.c_str(), settings);
  for (const std::uint32_t queue : {first, second}) {
    Launch launch = machine.prepare("add_index", 1, 32);
    launch.queue = queue;
    machine.launch(std::move(launch));
  }
  machine.run();
  const std::vector<GridRecord> ended = machine.gpu().take_ended();
  return ended.at(1).start_cycle < ended.at(0).end_cycle;
}

TEST(HardwareQueues, AreGivenToStreamsInTurn) {
  EXPECT_TRUE(together(0, 1, {}));
  EXPECT_TRUE(together(1, 32, {}));
  EXPECT_FALSE(together(1, 33, {})) << "32 queues";
  EXPECT_FALSE(together(0, 1, {{"dispatch.hardware_queues", "1"}}));
}

}  // namespace
}  // namespace raddle::machine
