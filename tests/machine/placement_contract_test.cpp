// Requirements for every placement policy: blocks are placed once, where they fit, and all grids
// end. Grids are generated.
#include <gmock/gmock-matchers.h>

#include <map>
#include <random>
#include <set>

#include "kernels.h"
#include "machine/chip_config.h"
#include "machine/observer.h"
#include "machine/occupancy.h"
#include "machine/placement/kinds.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

using test::Machine;

const std::string kPlacedKernels = std::string(test::kAddIndex) + test::kReverse + test::kCount;

/// Follows what is on each multiprocessor, and checks it against what fits there.
class Residents : public Observer {
 public:
  explicit Residents(const GpuConfig& config) : config_(config), sms_(config.gpu.sms) {}

  void expect(GridId grid, const BlockNeeds& needs) { needs_[grid] = needs; }
  void block_started(const GridRecord& grid, const Dim3& index, unsigned sm, unsigned slot,
                     Cycle) override {
    const bool first = started_.insert({grid.id, index.x}).second;
    EXPECT_TRUE(first) << "block " << index.x << " of grid " << grid.id << " was placed twice";
    ASSERT_LT(sm, sms_.size());
    EXPECT_TRUE(sms_[sm].emplace(slot, grid.id).second) << "two blocks in one slot";
    check(sm);
    most_ = std::max(most_, sms_[sm].size());
  }
  void block_ended(unsigned sm, unsigned slot, std::uint64_t, Cycle) override {
    EXPECT_EQ(sms_[sm].erase(slot), 1u);
  }
  void grid_ended(const GridRecord&) override {}
  void sample(Cycle, const QueueDepths&) override {}

  std::size_t started() const { return started_.size(); }
  std::size_t most() const { return most_; }
  std::size_t resident() const {
    std::size_t blocks = 0;
    for (const auto& sm : sms_) blocks += sm.size();
    return blocks;
  }

 private:
  void check(unsigned sm) const {
    BlockNeeds taken;
    for (const auto& [slot, grid] : sms_[sm]) {
      const BlockNeeds& needs = needs_.at(grid);
      taken.threads += needs.threads;
      taken.warps += needs.warps;
      taken.registers += needs.registers;
      taken.shared_bytes += needs.shared_bytes;
    }
    EXPECT_LE(sms_[sm].size(), config_.sm.blocks);
    EXPECT_LE(taken.threads, config_.sm.threads);
    EXPECT_LE(taken.warps, config_.sm.warps);
    EXPECT_LE(taken.registers, config_.sm.registers);
    EXPECT_LE(taken.shared_bytes, config_.sm.shared_bytes);
  }

  const GpuConfig& config_;
  std::map<GridId, BlockNeeds> needs_;
  std::set<std::pair<GridId, std::uint32_t>> started_;
  std::vector<std::map<unsigned, GridId>> sms_;  // [SM]: slot to grid
  std::size_t most_ = 0;
};

std::vector<std::string> policies() {
  std::vector<std::string> names;
  for (const PlacementKind& kind : placement_kinds()) names.emplace_back(kind.name);
  return names;
}

class PlacementContract : public testing::TestWithParam<std::string> {
 protected:
  /// A random mix of grids: sizes, shared memory, priorities, streams, times.
  /// Returns when they ended, in order.
  std::string run(unsigned seed, const test::Settings& more = {}) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    const std::string sms = std::to_string(1 + below(6));
    test::Settings settings{{"dispatch.placement", GetParam().c_str()}, {"gpu.sms", sms.c_str()}};
    settings.insert(settings.end(), more.begin(), more.end());
    Machine machine(kPlacedKernels.c_str(), settings);
    Residents residents(machine.config());
    machine.gpu().observe(residents, kNever);
    std::size_t blocks = 0, grids = 0;
    for (unsigned wave = 0; wave < 4; ++wave) {
      for (unsigned n = below(7); n-- > 0;) {
        static constexpr const char* kNames[] = {"add_index", "reverse", "count"};
        const char* const name = kNames[below(3)];
        const bool reverse = name == kNames[1];
        Launch launch = machine.prepare(name, 1 + below(40), reverse ? 256 : 32 * (1 + below(32)));
        launch.dynamic_shared_bytes = 1024 * below(48);
        if (reverse) launch.dynamic_shared_bytes = 1024 * below(40);
        launch.priority = static_cast<int>(below(3)) - 1;
        launch.queue = below(2) == 0 ? kNoQueue : below(4);
        const BlockNeeds needs = block_needs(machine.config(), *launch.kernel,
                                             static_cast<std::uint32_t>(launch.block.count()),
                                             launch.dynamic_shared_bytes);
        blocks += launch.grid.count();
        ++grids;
        // Ids are given in order.
        residents.expect(grids, needs);
        EXPECT_EQ(machine.launch(std::move(launch)), grids);
      }
      machine.gpu().advance(machine.gpu().now() + below(20000));
    }
    machine.run();
    std::string ends;
    for (const GridRecord& record : machine.gpu().take_ended()) {
      EXPECT_TRUE(record.completed);
      ends += std::to_string(record.id) + "@" + std::to_string(record.end_cycle) + " ";
      --grids;
    }
    EXPECT_EQ(grids, 0u) << "grids that have not ended";
    EXPECT_EQ(residents.started(), blocks);
    EXPECT_EQ(residents.resident(), 0u);
    most_ = residents.most();
    return ends;
  }
  std::size_t most_ = 0;  // blocks of an SM in the last run
};

TEST_P(PlacementContract, EveryBlockIsPlacedOnceWhereThereIsRoomAndAllGridsEnd) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(seed);
    if (HasFailure()) return;
  }
}

TEST_P(PlacementContract, NeitherSkippingNorThreadsChangeAnything) {
  for (unsigned seed = 100; seed < 104; ++seed) {
    const std::string ends = run(seed);
    EXPECT_EQ(run(seed, {{"gpu.skip_idle", "false"}}), ends) << "seed " << seed;
    EXPECT_EQ(run(seed, {{"gpu.threads", "3"}}), ends) << "seed " << seed;
  }
}

TEST_P(PlacementContract, AllBlocksOfACooperativeGridAreResidentTogether) {
  Machine machine(kPlacedKernels.c_str(),
                  {{"dispatch.placement", GetParam().c_str()}, {"gpu.sms", "4"}});
  Residents residents(machine.config());
  machine.gpu().observe(residents, kNever);
  machine.launch("add_index", 6, 1024);
  Launch launch = machine.prepare("add_index", 4 * 8, 256);
  launch.cooperative = true;
  for (const GridId grid : {1, 2}) {
    residents.expect(grid,
                     block_needs(machine.config(), *launch.kernel, grid == 1 ? 1024 : 256, 0));
  }
  machine.launch(std::move(launch));
  machine.run();
  EXPECT_EQ(residents.started(), 38u);
  EXPECT_GE(residents.most(), 8u);
}

INSTANTIATE_TEST_SUITE_P(All, PlacementContract, testing::ValuesIn(policies()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace raddle::machine
