// Units without instructions that watch the accesses of their multiprocessor.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>

#include "kernels.h"
#include "machine/mechanism.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {
namespace {

struct WatcherStats : StatGroup {
  using StatGroup::StatGroup;
  Counter accesses{*this, "accesses", "accesses", "Of which the unit was told."};
  Counter lanes{*this, "lanes", "lanes", "That made them."};
};

class Watcher : public SmUnit {
 public:
  explicit Watcher(SmPort& port) : stats_(port.statistics().unit<WatcherStats>("watcher")) {}
  bool watches_accesses() const override { return true; }
  void accessed(PathId, std::uint32_t, const isa::MemoryAccess& access, Cycle) override {
    ++stats_.accesses;
    stats_.lanes += static_cast<unsigned>(std::popcount(access.lanes));
  }

 private:
  WatcherStats& stats_;
};

struct Watching : Mechanism {
  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override { return std::make_unique<Watcher>(port); }
};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind watcher;
    watcher.name = "watcher";
    watcher.attach = [](const ConfigGroup&, LaunchPath&) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Watching>();
    };
    return std::vector<MechanismKind>{watcher};
  }();
  return kinds;
}

namespace {

using namespace test;

/// Even lanes of one warp and odd lanes of the other load and store along one way, and along the
/// other.
constexpr const char* kTwoWays = R"(
.visible .entry ways(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  shr.u32 %r2, %r1, 5;
  add.u32 %r2, %r2, %r1;
  and.b32 %r2, %r2, 1;
  setp.eq.u32 %p, %r2, 0;
  bar.sync 0;
  @%p bra EVEN;
  ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, 1; st.global.u32 [%rd2], %r3;
  ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, 1; st.global.u32 [%rd2], %r3;
  bra JOIN;
EVEN:
  ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, 3; st.global.u32 [%rd2], %r3;
  ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, 3; st.global.u32 [%rd2], %r3;
JOIN:
  ret;
})";

// Whoever watches accesses is told of one that several warps make together as of any other: once,
// with all its lanes.
TEST(Watchers, AreToldOfEachLanesAccessesOnce) {
  std::map<std::string, std::uint64_t> accesses;
  for (const char* scheme : {"stack", "independent", "dual_path", "multi_path", "dynamic_warps"}) {
    Machine machine(
        kTwoWays,
        {{"gpu.mechanisms", "watcher"}, {"gpu.sms", "1"}, {"scheduler.divergence", scheme}});
    machine.launch("ways", 1, 64);
    machine.run();
    const StatGroup& all = machine.gpu().statistics();
    // The parameter and four accesses of each thread.
    EXPECT_EQ(total(all, "watcher", "lanes"), 64u * (1 + 4)) << scheme;
    accesses[scheme] = total(all, "watcher", "accesses");
  }
  EXPECT_EQ(accesses["stack"], 2u * (1 + 2 * 4));
  EXPECT_LT(accesses["dynamic_warps"], accesses["stack"]) << "some are made together";
}

}  // namespace
}  // namespace raddle::machine
