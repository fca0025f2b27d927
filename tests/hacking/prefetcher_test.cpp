// The prefetcher of HACKING.md: it changes when a program ends, but not its results.
#include <gmock/gmock-matchers.h>

#include "machine/kernels.h"

namespace raddle::mechanisms::stride_prefetcher {
machine::MechanismKind kind();
}

namespace raddle::machine {

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = {mechanisms::stride_prefetcher::kind()};
  return kinds;
}

namespace {

/// A warp goes through memory, 4 KB a step, and adds up what it finds there.
constexpr const char* kWalk = R"(
.visible .entry walk(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  mov.u32 %r2, 0;
  mov.u32 %r3, 48;
AGAIN:
  ld.global.ca.u32 %r4, [%rd1];
  add.u32 %r2, %r2, %r4;
  add.u64 %rd1, %rd1, 4096;
  mul.lo.u32 %r5, %r2, 3; mul.lo.u32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 3;
  mul.lo.u32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 3;
  sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra AGAIN;
  st.global.u32 [%rd2], %r2;
  ret;
})";

struct Walk {
  std::vector<std::uint32_t> results;
  Cycle cycles = 0;
  std::uint64_t prefetches = 0, used = 0, late = 0, replaced = 0, hits = 0;
};

Walk walk(const char* mechanisms, const char* skip_idle = "true", const char* threads = "1",
          const char* sets = "32", const char* ahead = "2") {
  test::Machine machine(kWalk, {{"gpu.compute_major", "7"},
                                {"gpu.sms", "2"},
                                {"l1.cache_global", "true"},
                                {"l1.sets", sets},
                                {"gpu.mechanisms", mechanisms},
                                {"stride_prefetcher.ahead", ahead},
                                {"gpu.skip_idle", skip_idle},
                                {"gpu.threads", threads}});
  machine.launch("walk", 1, 8);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  Walk run;
  const GridRecord grid = machine.gpu().take_ended().at(0);
  run.cycles = grid.end_cycle - grid.start_cycle;
  run.prefetches = total(machine.gpu().statistics(), "stride_prefetcher", "prefetches");
  run.used = total(machine.gpu().statistics(), "stride_prefetcher", "used");
  run.late = total(machine.gpu().statistics(), "stride_prefetcher", "late");
  run.replaced = total(machine.gpu().statistics(), "stride_prefetcher", "replaced");
  run.hits = total(machine.gpu().statistics(), "l1", "hits");
  for (std::uint32_t i = 0; i < 8; ++i) run.results.push_back(machine.out(i));
  return run;
}

TEST(StridePrefetcher, LoadsFindWhatItHasFetched) {
  const Walk without = walk(""), with = walk("stride_prefetcher");
  EXPECT_EQ(with.results, without.results);
  EXPECT_EQ(without.prefetches, 0u);
  EXPECT_GE(with.prefetches, 40u);
  EXPECT_LT(with.cycles, without.cycles);
  // All but those for the last two steps are asked for, one line by one load.
  EXPECT_EQ(with.used, with.hits);
  EXPECT_EQ(with.used + with.late, with.prefetches - 2);
  EXPECT_EQ(with.replaced, 0u);
}

TEST(StridePrefetcher, LinesThatAreFetchedEarlierComeInTime) {
  const Walk near = walk("stride_prefetcher"),
             far = walk("stride_prefetcher", "true", "1", "32", "8");
  EXPECT_GT(far.used, near.used);
  EXPECT_LT(far.late, near.late);
  EXPECT_EQ(far.used + far.late, far.prefetches - 8);
}

// A set of four lines: what is fetched 16 steps ahead has to make room for what comes between.
TEST(StridePrefetcher, IsToldOfLinesThatAreReplacedBeforeTheyAreUsed) {
  const Walk far = walk("stride_prefetcher", "true", "1", "1", "16");
  EXPECT_EQ(far.results, walk("").results);
  EXPECT_EQ(far.used, 0u);
  EXPECT_GE(far.replaced, 20u);
  EXPECT_LE(far.replaced, far.prefetches);
}

TEST(StridePrefetcher, SkippingAndThreadsChangeNothing) {
  const Walk one = walk("stride_prefetcher");
  for (const Walk& other :
       {walk("stride_prefetcher", "false"), walk("stride_prefetcher", "true", "2")}) {
    EXPECT_EQ(other.cycles, one.cycles);
    EXPECT_EQ(other.prefetches, one.prefetches);
    EXPECT_EQ(other.used, one.used);
    EXPECT_EQ(other.hits, one.hits);
  }
}

}  // namespace
}  // namespace raddle::machine
