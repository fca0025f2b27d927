// Requirements for every scheme of lane control, in any order of lanes: random control flow gives
// the results of threads that run alone, and every scheme executes the same instructions for each
// lane.
#include <gmock/gmock-matchers.h>

#include <algorithm>

#include "../kernels.h"
#include "machine/lane_controls.h"
#include "random_program.h"

namespace raddle::machine {
namespace {

using test::Machine;
using test::RandomProgram;

constexpr std::uint32_t kPrograms = 250;
/// Whole warps, a part of one, several with a part.
constexpr std::uint32_t kThreads[] = {32, 20, 128, 80};

struct Outcome {
  std::vector<std::uint32_t> results;
  std::uint64_t thread_instructions = 0, preempted = 0;
};

Outcome run(const RandomProgram& program, std::uint32_t threads, const std::string& scheme,
            const char* functional, const char* leader = "majority",
            const char* preempt_every = "0") {
  const std::string text = program.ptx();
  Machine machine(text.c_str(), {{"gpu.sms", "1"},
                                 {"gpu.compute_major", "7"},
                                 {"scheduler.divergence", scheme.c_str()},
                                 {"scheduler.formation_leader", leader},
                                 {"gpu.preempt_every", preempt_every},
                                 {"gpu.functional", functional}});
  machine.launch("kernel", 1, threads);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  Outcome outcome;
  outcome.thread_instructions = machine.gpu().take_ended().at(0).thread_instructions;
  outcome.preempted = total(machine.gpu().statistics(), "dispatch", "preempted_blocks");
  for (std::uint32_t t = 0; t < threads; ++t) outcome.results.push_back(machine.out(t));
  return outcome;
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const LaneControlKind* kind : all_lane_controls()) names.emplace_back(kind->name);
  return names;
}

class EveryScheme : public testing::TestWithParam<std::string> {
 protected:
  static void compare(std::uint32_t seed, const char* functional) {
    const std::uint32_t threads = kThreads[seed % std::size(kThreads)];
    const RandomProgram program(seed, threads);
    const Outcome outcome = run(program, threads, GetParam(), functional);
    const Outcome other = run(program, threads, "stack", "true");
    ASSERT_EQ(outcome.results, program.results()) << "seed " << seed << "\n" << program.ptx();
    ASSERT_EQ(outcome.thread_instructions, other.thread_instructions) << "seed " << seed << "\n"
                                                                      << program.ptx();
  }
};

TEST_P(EveryScheme, ThreadsComputeWhatTheyWouldAlone) {
  for (std::uint32_t seed = 1; seed <= kPrograms; ++seed) {
    compare(seed, "false");
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryScheme, TheSameWithoutTiming) {
  for (std::uint32_t seed = kPrograms + 1; seed <= 2 * kPrograms; ++seed) {
    compare(seed, "true");
    if (HasFatalFailure()) return;
  }
}

/// The block leaves its multiprocessor and comes back, again and again.
TEST_P(EveryScheme, GoesOnAfterPreemption) {
  std::uint64_t preempted = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const std::uint32_t threads = kThreads[seed % std::size(kThreads)];
    const RandomProgram program(seed, threads);
    const Outcome outcome = run(program, threads, GetParam(), "false", "majority", "300");
    ASSERT_EQ(outcome.results, program.results()) << "seed " << seed << "\n" << program.ptx();
    preempted += outcome.preempted;
  }
  EXPECT_GT(preempted, 100u);
}

/// Where each lane comes to a barrier by itself, those that return early keep nobody waiting.
TEST_P(EveryScheme, LanesThatReturnEarlyCountAtNoBarrier) {
  const std::string scheme = GetParam();
  const auto kinds = all_lane_controls();
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const LaneControlKind* one) { return one->name == scheme; });
  if ((*kind)->whole_warps_at_barriers) GTEST_SKIP() << "lanes come to barriers together";
  for (std::uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const std::uint32_t threads = kThreads[seed % std::size(kThreads)];
    const RandomProgram program(seed, threads, RandomProgram::Ends::early_returns);
    for (const char* functional : {"false", "true"}) {
      ASSERT_EQ(run(program, threads, scheme, functional).results, program.results())
          << "seed " << seed << "\n"
          << program.ptx();
    }
  }
}

/// Whoever of several warps' lanes issues first.
TEST(LaneControl, TheResultsDoNotDependOnWhoLeads) {
  for (const char* leader : {"minority", "pc", "policy"}) {
    for (std::uint32_t seed = 1; seed <= 25; ++seed) {
      const std::uint32_t threads = kThreads[seed % std::size(kThreads)];
      const RandomProgram program(seed, threads);
      ASSERT_EQ(run(program, threads, "dynamic_warps", "false", leader).results, program.results())
          << leader << ", seed " << seed << "\n"
          << program.ptx();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LaneControl, EveryScheme, testing::ValuesIn(scheme_names()),
                         [](const auto& scheme) { return scheme.param; });

}  // namespace
}  // namespace raddle::machine
