// The host's part of task trees: which calls become tasks, and in which order. Trees are written down as
// numbers: a call n spawns 2n and 2n + 1 below a limit.
#include <gtest/gtest.h>

#include <raddle/locality/expand.h>
#include <raddle/locality/footprints.h>
#include <raddle/locality/threads.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace raddle::locality {
namespace {

/// Adds up the numbers of leaves, and of what lies above.
struct Numbers {
  using Argument = std::uint32_t;
  using Reducer = Sum<std::uint32_t>;
  std::uint32_t limit;
  const std::uint32_t* memory = nullptr;

  template <class At>
  void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    if (memory != nullptr) at.read(memory + 1000 * (n % 4));
    at.reduce(n);
    if (2 * n >= limit) return;
    at.spawn(2 * n);
    at.spawn(2 * n + 1);
  }
  std::uint32_t root(std::uint32_t) const { return 1; }
  Domain domain(std::uint32_t, std::uint32_t n) const { return n; }
  unsigned kind(std::uint32_t, std::uint32_t n) const { return n % 2; }
  std::uint64_t footprint(std::uint32_t, std::uint32_t n) const { return limit / n; }
};

struct Plain {
  using Argument = std::uint32_t;
  template <class At>
  void operator()(std::uint32_t, std::uint32_t, At&) const {}
  std::uint32_t root(std::uint32_t) const { return 1; }
};

struct Expanded {
  std::vector<std::uint32_t> arguments, iterations;
  std::vector<std::uint32_t> values;
};

Expanded expand(const Numbers& numbers, Threshold threshold, Grouping grouping, std::uint32_t count,
                unsigned parts = 1) {
  Expanded result;
  std::vector<Queues<std::uint32_t>> queues(parts);
  result.values.assign(count, 0);
  for (unsigned part = 0; part < parts; ++part) {
    detail::Expansion<Numbers> expansion(numbers, threshold, grouping);
    for (std::uint32_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
      expansion.run(i, result.values[i]);
    }
    queues[part] = std::move(expansion.queues());
  }
  if (grouping == Grouping::footprint) {
    detail::Footprints<Numbers>(numbers, 2, 1).assign(queues, result.values);
  }
  const Merged<std::uint32_t> merged(queues, 4);
  std::vector<Task<std::uint32_t>> tasks(merged.places());
  merged.write(tasks.data());
  for (const Task<std::uint32_t>& task : tasks) {
    result.iterations.push_back(task.iteration);
    result.arguments.push_back(task.iteration == kNoIteration ? 0 : task.argument);
  }
  return result;
}

using List = std::vector<std::uint32_t>;

TEST(LocalityExpansion, DepthZeroMakesTheRootATask) {
  const Expanded found = expand({16}, Threshold::depth(0), Grouping::none, 3);
  EXPECT_EQ(found.arguments, (List{1, 1, 1}));
  EXPECT_EQ(found.iterations, (List{0, 1, 2}));
  EXPECT_EQ(found.values, (List{0, 0, 0}));
}

TEST(LocalityExpansion, KindsStandApartAndBeginAtAWarp) {
  // Depth 2: 4, 5, 6, 7; the even ones are kind 0.
  const Expanded found = expand({16}, Threshold::depth(2), Grouping::none, 1);
  EXPECT_EQ(found.arguments, (List{4, 6, 0, 0, 5, 7}));
  EXPECT_EQ(found.values, (List{1 + 2 + 3}));
}

TEST(LocalityExpansion, ByDomainTasksOfAllIterationsThatReadTheSameLieTogether) {
  const Expanded found = expand({16}, Threshold::depth(2), Grouping::domain, 2);
  EXPECT_EQ(found.arguments, (List{4, 4, 6, 6, 5, 5, 7, 7}));
  EXPECT_EQ(found.iterations, (List{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(LocalityExpansion, LeavesAboveTheThresholdAreTheHosts) {
  const Expanded found = expand({4}, Threshold::depth(5), Grouping::domain, 1);
  EXPECT_TRUE(found.arguments.empty());
  EXPECT_EQ(found.values, (List{1 + 2 + 3}));
}

TEST(LocalityExpansion, ByFootprintWhatIsSmallIsATask) {
  // 64 / n is at most 16 from n = 4 on.
  const Expanded found = expand({64}, Threshold::footprint(16), Grouping::none, 1);
  EXPECT_EQ(found.arguments, (List{4, 6, 0, 0, 5, 7}));
}

TEST(LocalityExpansion, ByNumberOfTasksTheTreeIsExpandedLevelByLevel) {
  const Expanded found = expand({64}, Threshold::tasks(3), Grouping::domain, 1);
  EXPECT_EQ(found.arguments, (List{4, 0, 0, 0, 3, 5}));  // 3 waits while 2 is expanded to 4 and 5
  EXPECT_EQ(expand({64}, Threshold::tasks(1), Grouping::none, 1).arguments, (List{1}));
  EXPECT_EQ(expand({64}, Threshold::tasks(0), Grouping::none, 1).values.size(), 1u);
}

TEST(LocalityExpansion, PartsDoNotChangeTheOrder) {
  const std::vector<std::uint32_t> memory(4000);
  for (const Grouping grouping : {Grouping::none, Grouping::domain, Grouping::footprint}) {
    for (const Threshold threshold : {Threshold::depth(3), Threshold::tasks(5)}) {
      const Numbers numbers{64, memory.data()};
      const Expanded one = expand(numbers, threshold, grouping, 23);
      for (unsigned parts : {2u, 7u, 23u, 40u}) {
        const Expanded several = expand(numbers, threshold, grouping, 23, parts);
        EXPECT_EQ(several.arguments, one.arguments) << parts;
        EXPECT_EQ(several.iterations, one.iterations) << parts;
        EXPECT_EQ(several.values, one.values) << parts;
      }
    }
  }
}

TEST(LocalityExpansion, ByFootprintTasksThatReadTheSameLieTogether) {
  // n reads memory by n % 4, so 8, 12 and 10, 14 belong together, and 9, 13 and 11, 15.
  const std::vector<std::uint32_t> memory(4000);
  const Expanded found = expand({16, memory.data()}, Threshold::depth(3), Grouping::footprint, 1);
  ASSERT_EQ(found.arguments.size(), 8u);
  for (std::size_t i = 0; i < 8; i += 2) {
    EXPECT_EQ(found.arguments[i] % 4, found.arguments[i + 1] % 4) << i;
  }
}

TEST(LocalityExpansion, MissingMembersAreErrors) {
  const auto expansion = [](Threshold threshold, Grouping grouping) {
    detail::Expansion<Plain>(Plain{}, threshold, grouping);
  };
  EXPECT_THROW(expansion(Threshold::footprint(1), Grouping::none), Error);
  EXPECT_THROW(expansion(Threshold::depth(1), Grouping::domain), Error);
  EXPECT_NO_THROW(expansion(Threshold::depth(1), Grouping::none));
}

TEST(LocalityQueues, ManyDomainsAreFoundAgain) {
  std::vector<Queues<int>> queues(1);
  for (int round = 0; round < 3; ++round) {
    for (Domain domain = 0; domain < 10000; ++domain) {
      queues[0].get(domain << 40).add(static_cast<std::uint32_t>(round), static_cast<int>(domain));
    }
  }
  const Merged<int> merged(queues, 1);
  EXPECT_EQ(merged.domains(), 10000u);
  std::vector<Task<int>> tasks(merged.places());
  merged.write(tasks.data());
  for (int i = 0; i < 30000; ++i) {
    ASSERT_EQ(tasks[static_cast<std::size_t>(i)].argument, i / 3);
    ASSERT_EQ(tasks[static_cast<std::size_t>(i)].iteration, static_cast<std::uint32_t>(i % 3));
  }
}

TEST(LocalityThreads, TheFirstErrorIsThrownWhenAllHaveEnded) {
  std::vector<int> ran(4);
  try {
    detail::in_threads(4, [&](unsigned part) {
      ran[part] = 1;
      if (part >= 2) throw Error(std::to_string(part));
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "2");
  }
  EXPECT_EQ(std::accumulate(ran.begin(), ran.end(), 0), 4);
}

}  // namespace
}  // namespace raddle::locality
