// A kernel's time before its first block and after its last, and the effect of flushing. Expected
// times follow from the settings' meaning (docs/reference/settings.md, dispatch).
#include "base/stats.h"
#include "kernels.h"
#include "machine/observer.h"

namespace raddle::machine {
namespace {

using test::Machine;

/// Keeps the records of grids that have ended.
class Ends : public Observer {
 public:
  std::vector<GridRecord> all;

  void block_started(const GridRecord&, const Dim3&, unsigned, unsigned, Cycle) override {}
  void block_ended(unsigned, unsigned, std::uint64_t, Cycle) override {}
  void grid_ended(const GridRecord& grid) override { all.push_back(grid); }
  void sample(Cycle, const QueueDepths&) override {}
};

/// Cycles of `launches` kernels, one after the other.
std::vector<Cycle> cycles(const test::Settings& settings, unsigned launches = 1) {
  Machine machine(test::kAddIndex, settings);
  Ends ends;
  machine.gpu().observe(ends, kNever);
  std::vector<Cycle> found;
  for (unsigned n = 0; n < launches; ++n) {
    machine.launch("add_index", 2, 32);
    machine.run();
    found.push_back(ends.all.back().cycles());
  }
  return found;
}

TEST(LaunchWindow, BeginsBeforeTheKernelStarts) {
  EXPECT_EQ(cycles({{"dispatch.counted_before", "200"}})[0], cycles({})[0] + 200);
}

/// The kernel's stores take longer than one cycle and less than 100,000; its blocks do not wait for
/// them.
TEST(LaunchWindow, EndsALatencyAfterTheLastBlockUnlessStoresTakeLonger) {
  const auto with = [](const char* latency) {
    return cycles(
        {{"load_store.stores_hold_warps", "false"}, {"dispatch.end_latency", latency}})[0];
  };
  const Cycle without = with("0");
  EXPECT_EQ(with("1"), without);
  const Cycle with_most = with("100000");
  const Cycle with_less = with("90000");
  EXPECT_EQ(with_most, with_less + 10000);
  EXPECT_LT(with_most, without + 100000) << "stores arrive meanwhile";
}

TEST(LaunchWindow, TheSecondOfTwoEqualKernelsIsFasterUnlessCachesAreFlushed) {
  const std::vector<Cycle> kept = cycles({}, 2);
  EXPECT_LT(kept[1], kept[0]);
  const std::vector<Cycle> flushed = cycles({{"gpu.flush_caches", "true"}}, 2);
  EXPECT_NEAR(static_cast<double>(flushed[1]), static_cast<double>(flushed[0]), 40)
      << "rows of DRAM stay open";
}

}  // namespace
}  // namespace raddle::machine
