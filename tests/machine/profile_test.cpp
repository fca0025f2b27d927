// Profiles add up to the statistics, for each line of kernels that can be counted by hand. They do
// not depend on the number of host threads.
#include "machine/profile.h"
#include "kernels.h"
#include "machine/sm/stats.h"

namespace raddle::machine {
namespace {

using namespace test;

struct Profiled {
  std::unique_ptr<Machine> machine;
  std::unique_ptr<Profile> profile;
  std::vector<CodeCounts> counts;
  CodeCounts sum;
};

Profiled run(const char* kernels, const char* kernel, std::uint32_t blocks,
             std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
  Profiled run;
  run.machine = std::make_unique<Machine>(kernels, settings);
  run.profile = std::make_unique<Profile>();
  run.machine->gpu().profile(*run.profile);
  run.machine->launch(kernel, blocks, 256);
  run.machine->run();
  EXPECT_EQ(run.profile->programs().size(), 1u);
  run.counts = run.profile->programs()[0]->merged();
  for (const CodeCounts& one : run.counts) run.sum += one;
  return run;
}

/// The counts of the instruction whose text begins so.
const CodeCounts& of(const Profiled& run, std::string_view text) {
  const std::vector<CodePlace>& code = run.profile->programs()[0]->code;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].text.starts_with(text)) return run.counts[i];
  }
  ADD_FAILURE() << "no instruction " << text;
  return run.counts[0];
}

TEST(Profile, AddsUpToTheStatistics) {
  const Profiled reverse = run(kReverse, "reverse", 100);
  const StatGroup& statistics = reverse.machine->gpu().statistics();
  EXPECT_EQ(reverse.sum.warp_instructions, total(statistics, "sm", "warp_instructions"));
  EXPECT_EQ(reverse.sum.thread_instructions, total(statistics, "sm", "thread_instructions"));
  EXPECT_EQ(reverse.sum.requests, total(statistics, "coalescer", "requests"));
  EXPECT_EQ(reverse.sum.transactions, total(statistics, "coalescer", "transactions"));
  EXPECT_EQ(reverse.sum.shared_requests, total(statistics, "load_store", "shared_requests"));
  EXPECT_EQ(reverse.sum.shared_passes, total(statistics, "load_store", "shared_passes"));
  const SlotStats names("slots");
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (static_cast<Slot>(i) == Slot::no_warp) continue;
    const std::string_view name = names.counters()[i]->name();
    EXPECT_EQ(reverse.sum.slots[i], total(statistics, "slots", name)) << name;
  }
}

TEST(Profile, CountsEachInstruction) {
  // 100 blocks of 8 warps whose lanes are side by side: one line, 32 banks of their own.
  const Profiled reverse = run(kReverse, "reverse", 100);
  const CodeCounts& load = of(reverse, "ld.global.u32");
  EXPECT_EQ(load.warp_instructions, 800u);
  EXPECT_EQ(load.thread_instructions, 25600u);
  EXPECT_EQ(load.requests, 800u);
  EXPECT_EQ(load.transactions, 800u);
  EXPECT_EQ(load.shared_requests, 0u);
  const CodeCounts& shared = of(reverse, "ld.shared.u32");
  EXPECT_EQ(shared.shared_requests, 800u);
  EXPECT_EQ(shared.shared_passes, 800u);
  EXPECT_EQ(shared.requests, 0u);
}

TEST(Profile, StallsAreWhereTheWarpWaits) {
  const Profiled reverse = run(kReverse, "reverse", 1);
  const auto memory = static_cast<std::size_t>(Slot::memory);
  const auto barrier = static_cast<std::size_t>(Slot::barrier);
  // The store to shared memory needs what the load brings; nothing else waits for DRAM so long.
  EXPECT_GT(of(reverse, "st.shared.u32").slots[memory], reverse.sum.slots[memory] / 2);
  EXPECT_EQ(of(reverse, "bar.sync").slots[barrier], reverse.sum.slots[barrier]);
  EXPECT_GT(reverse.sum.slots[barrier], 0u);
}

TEST(Profile, IsTheSameForAnyNumberOfThreads) {
  const Profiled one = run(kCount, "count", 40, {{"gpu.threads", "1"}});
  const Profiled three = run(kCount, "count", 40, {{"gpu.threads", "3"}});
  ASSERT_EQ(one.counts.size(), three.counts.size());
  for (std::size_t i = 0; i < one.counts.size(); ++i) {
    EXPECT_EQ(one.counts[i].warp_instructions, three.counts[i].warp_instructions);
    EXPECT_EQ(one.counts[i].transactions, three.counts[i].transactions);
    EXPECT_EQ(one.counts[i].slots, three.counts[i].slots);
  }
}

TEST(Profile, FunctionalRunsCountInstructions) {
  const Profiled reverse = run(kReverse, "reverse", 100, {{"gpu.functional", "true"}});
  EXPECT_EQ(of(reverse, "ld.global.u32").warp_instructions, 800u);
  EXPECT_EQ(of(reverse, "ld.global.u32").thread_instructions, 25600u);
  EXPECT_EQ(reverse.sum.cycles(), 0u);
}

}  // namespace
}  // namespace raddle::machine
