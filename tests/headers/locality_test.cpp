// The host's part of task trees: which calls become tasks, and in which order. Trees are numbers:
// below a limit, a call n spawns 2n and 2n + 1.
#include <gtest/gtest.h>

#include <raddle/locality/expand.h>
#include <raddle/locality/footprints.h>
#include <raddle/locality/threads.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <vector>

namespace raddle::locality {
namespace {

/// Adds up the numbers of leaves, and of what lies above.
struct Numbers {
  using Argument = std::uint32_t;
  using Reducer = Sum<std::uint32_t>;
  static constexpr bool kReadsOnly = true;
  std::uint32_t limit;
  const std::uint32_t* memory = nullptr;

  template <class At>
  void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    if (memory != nullptr) at.read(memory, 1000 * (n % 4));
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
  Queues<std::uint32_t> queues;
  result.values.assign(count, 0);
  for (unsigned part = 0; part < parts; ++part) {
    Queues<std::uint32_t> of_part;
    detail::Expansion<Numbers> expansion(numbers, threshold, grouping, of_part);
    for (std::uint32_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
      expansion.run(i, result.values[i]);
    }
    queues.append(of_part);
  }
  Merged merged(queues, 4);
  if (grouping == Grouping::footprint) {
    detail::Footprints<Numbers>(numbers, 2, 1).assign(queues, merged, result.values);
  }
  std::vector<Task<std::uint32_t>> tasks(merged.places());
  merged.write(queues, tasks.data());
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

/// Reads a tree's node, whose memory is in places of its own choice.
struct Pointers {
  using Argument = std::uint32_t;
  using Reducer = Sum<std::uint32_t>;
  static constexpr bool kReadsOnly = true;
  const std::uint32_t* const* nodes;  // of each its memory
  const std::uint32_t* shared;
  template <class At>
  void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    at.reduce(at.read(nodes[n]) + at.read(shared, 1000 * (n % 7)));
    if (2 * n >= 200) return;
    at.spawn(2 * n);
    at.spawn(2 * n + 1);
  }
  std::uint32_t root(std::uint32_t) const { return 1; }
};

/// The order of arguments by footprint, with one array `shift` bytes into memory (a multiple of 4), before
/// or behind nodes that lie in rising or falling order.
List order_by_footprint(std::size_t shift, bool array_first, bool falling) {
  std::vector<std::uint32_t> memory(40000);
  const std::uint32_t* const low = memory.data() + shift / 4;
  const std::uint32_t* const nodes_at = array_first ? low + 20000 : low;
  std::vector<const std::uint32_t*> nodes(200);
  for (std::size_t n = 0; n < 200; ++n) nodes[n] = nodes_at + 40 * (falling ? 199 - n : n);
  const Pointers function{nodes.data(), array_first ? low : low + 20000};
  Queues<std::uint32_t> queues;
  detail::Expansion<Pointers> expansion(function, Threshold::depth(5), Grouping::footprint, queues);
  std::vector<std::uint32_t> values(3);
  for (std::uint32_t i = 0; i < 3; ++i) expansion.run(i, values[i]);
  Merged merged(queues, 1);
  detail::Footprints<Pointers>(function, 2, 4).assign(queues, merged, values);
  std::vector<Task<std::uint32_t>> tasks(merged.places());
  merged.write(queues, tasks.data());
  List order;
  for (const auto& task : tasks) order.push_back(task.argument);
  return order;
}

TEST(LocalityExpansion, ByFootprintTheOrderDoesNotDependOnAddresses) {
  const List order = order_by_footprint(0, true, false);
  ASSERT_EQ(order.size(), 3u * 32u);
  for (const std::size_t shift : {0, 4, 64, 132}) {
    for (const bool array_first : {false, true}) {
      for (const bool falling : {false, true}) {
        EXPECT_EQ(order_by_footprint(shift, array_first, falling), order)
            << shift << array_first << falling;
      }
    }
  }
}

/// Arguments whose places in one array rise while they are met in another order.
struct Strided : Pointers {
  template <class At>
  void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    if (n < 32) {
      at.spawn(2 * n);
      at.spawn(2 * n + 1);
      return;
    }
    at.reduce(at.read(shared + 1600, (static_cast<int>(n) * 5 % 32 - 16) * 100));
  }
};

TEST(LocalityExpansion, ByFootprintTasksLieInTheOrderOfAnArraysPlaces) {
  const std::vector<std::uint32_t> memory(3200);
  Strided function;
  function.shared = memory.data();
  Queues<std::uint32_t> queues;
  detail::Expansion<Strided> expansion(function, Threshold::depth(5), Grouping::footprint, queues);
  std::vector<std::uint32_t> values(1);
  expansion.run(0, values[0]);
  Merged merged(queues, 1);
  detail::Footprints<Strided>(function, 1, 4).assign(queues, merged, values);
  std::vector<Task<std::uint32_t>> tasks(merged.places());
  merged.write(queues, tasks.data());
  ASSERT_EQ(tasks.size(), 32u);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(tasks[i].argument * 5 % 32, i);
}

/// As Numbers, but does not say that it writes no memory, and does write.
struct Writing : Numbers {
  static constexpr bool kReadsOnly = false;
  std::uint32_t* written = nullptr;
  template <class At>
  void operator()(std::uint32_t i, std::uint32_t n, At& at) const {
    ++*written;
    Numbers::operator()(i, n, at);
  }
};

TEST(LocalityExpansion, WhatMayWriteMemoryIsNotSampled) {
  std::uint32_t written = 0;
  Writing function;
  function.written = &written;
  Queues<std::uint32_t> queues;
  EXPECT_THROW(
      detail::Expansion<Writing>(function, Threshold::depth(3), Grouping::footprint, queues),
      Error);
  EXPECT_EQ(written, 0u);
}

TEST(LocalityExpansion, MissingMembersAreErrors) {
  const auto expansion = [](Threshold threshold, Grouping grouping) {
    const Plain plain;
    Queues<std::uint32_t> queues;
    detail::Expansion<Plain>(plain, threshold, grouping, queues);
  };
  EXPECT_THROW(expansion(Threshold::footprint(1), Grouping::none), Error);
  EXPECT_THROW(expansion(Threshold::depth(1), Grouping::domain), Error);
  EXPECT_NO_THROW(expansion(Threshold::depth(1), Grouping::none));
}

TEST(LocalityExpansion, ByNumberOfTasksTheHostExecutesNoMoreCallsThanItMay) {
  EXPECT_EQ(expand({64}, Threshold::tasks(99, 1), Grouping::none, 1).arguments,
            (List{2, 0, 0, 0, 3}));
  EXPECT_EQ(expand({64}, Threshold::tasks(99, 0), Grouping::none, 1).arguments, (List{1}));
}

TEST(LocalityExpansion, ByWholeLevelsAllTasksAreOfOneLevel) {
  const auto tasks = [](std::uint64_t count, std::uint64_t calls) {
    return expand({64}, Threshold::levels(count, calls), Grouping::domain, 1).arguments;
  };
  EXPECT_EQ(tasks(3, 99), (List{4, 6, 0, 0, 5, 7}));
  EXPECT_EQ(tasks(4, 99), (List{4, 6, 0, 0, 5, 7}));
  EXPECT_EQ(tasks(5, 99).size(), 8u);
  EXPECT_EQ(tasks(99, 2), (List{4, 6, 0, 0, 5, 7}));  // the level with the second call is ended
  EXPECT_EQ(tasks(99, 3), (List{4, 6, 0, 0, 5, 7}));
  EXPECT_EQ(tasks(99, 0), (List{1}));
  EXPECT_EQ(tasks(99, 1000), (List{}));  // 63 calls are all
}

/// Counts how often begin() has run on its members.
struct Counting {
  using Argument = std::uint32_t;
  using Reducer = Sum<std::uint32_t>;
  std::uint32_t begun = 10;
  template <class At>
  void begin(std::uint32_t, At&) {
    ++begun;
  }
  template <class At>
  void operator()(std::uint32_t, std::uint32_t, At& at) const {
    at.reduce(begun);
  }
  std::uint32_t root(std::uint32_t) const { return 0; }
};

TEST(LocalityExpansion, EachIterationBeginsWithMembersAsTheCallerGaveThem) {
  const Counting function;
  Queues<std::uint32_t> queues;
  detail::Expansion<Counting> expansion(function, Threshold::depth(1), Grouping::none, queues);
  for (std::uint32_t i = 0; i < 3; ++i) {
    std::uint32_t value = 0;
    expansion.run(i, value);
    EXPECT_EQ(value, 11u) << i;
  }
}

/// An argument with three bytes that mean nothing; with hash() it can be told apart.
struct Padded {
  static constexpr bool kReadsOnly = true;
  struct Argument {
    unsigned char small;
    std::uint32_t large;
  };
  using Reducer = Sum<std::uint32_t>;
  template <class At>
  void operator()(std::uint32_t, const Argument&, At&) const {}
  Argument root(std::uint32_t i) const {
    Argument argument;
    std::memset(&argument, static_cast<int>(i), sizeof argument);  // padding differs
    argument.small = 1;
    argument.large = 2;
    return argument;
  }
};
struct Hashed : Padded {
  std::uint64_t hash(std::uint32_t, const Argument& of) const { return of.small + 256 * of.large; }
};

TEST(LocalityExpansion, BytesWithoutMeaningDoNotTellArgumentsApart) {
  Queues<Padded::Argument> queues;
  const Padded padded;
  EXPECT_THROW(detail::Expansion<Padded>(padded, Threshold::depth(0), Grouping::footprint, queues),
               Error);
  const Hashed hashed;
  detail::Expansion<Hashed> expansion(hashed, Threshold::depth(0), Grouping::footprint, queues);
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < 5; ++i) expansion.run(i, value);
  EXPECT_EQ(Merged(queues, 1).domains(), 1u);
}

/// Domains whatever bits they differ in, and kinds: in rising order, of one in the order of adding.
TEST(LocalityQueues, TasksLieByKindAndDomainWhateverBitsTheseDifferIn) {
  std::uint64_t state = 1;
  for (const std::uint64_t unit : {std::uint64_t{1}, std::uint64_t{1} << 11, std::uint64_t{1} << 40,
                                   std::uint64_t{1} << 56, 0x9e3779b97f4a7c15u}) {
    Queues<std::uint32_t> queues;
    std::vector<std::tuple<unsigned, Domain, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < 5000; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const Domain domain = (state >> 33) % 3000 * unit;
      const unsigned kind = static_cast<unsigned>(state >> 60) * 0x10000001u;
      queues.get(domain, kind).add(i, i);
      expected.emplace_back(kind, domain, i);
    }
    std::sort(expected.begin(), expected.end());
    const Merged merged(queues, 1);
    std::vector<Task<std::uint32_t>> tasks(merged.places());
    merged.write(queues, tasks.data());
    ASSERT_EQ(tasks.size(), expected.size());
    std::size_t domains = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      ASSERT_EQ(tasks[i].argument, std::get<2>(expected[i])) << unit;
      domains += i == 0 || std::get<0>(expected[i]) != std::get<0>(expected[i - 1]) ||
                 std::get<1>(expected[i]) != std::get<1>(expected[i - 1]);
    }
    EXPECT_EQ(merged.domains(), domains);
  }
}

TEST(LocalityReducers, TheLargestCounts) {
  struct Least {
    int operator()() const { return -1000; }
  };
  using Reducer = Max<int, Least>;
  EXPECT_EQ(Reducer::combine(Reducer::identity(), -7), -7);
  EXPECT_EQ(Reducer::combine(3, -7), 3);
  EXPECT_EQ(Reducer::combine(-7, 3), 3);
}

/// A thread of which the host starts only so many.
class Scarce {
 public:
  template <class Work>
  Scarce(const Work& work, unsigned part) : thread_(start(work, part)) {}
  void join() {
    thread_.join();
    ++joined;
  }
  static inline int left = 0, joined = 0;

 private:
  template <class Work>
  static std::thread start(const Work& work, unsigned part) {
    if (left-- == 0) throw std::system_error(EAGAIN, std::generic_category());
    return std::thread(work, part);
  }
  std::thread thread_;
};

TEST(LocalityThreads, OneThatCannotBeStartedIsAnErrorWhenTheOthersHaveEnded) {
  Scarce::left = 2;
  try {
    detail::in_threads<Scarce>(5, [](unsigned) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("3 of 5 threads"), std::string::npos) << error.what();
  }
  EXPECT_EQ(Scarce::joined, 2);
}

TEST(LocalityThreads, MemoryThatDoesNotSufficeIsAnError) {
  EXPECT_THROW(detail::with_errors([] { throw std::bad_alloc(); }), Error);
  EXPECT_THROW(detail::with_errors([] { std::vector<int>().reserve(SIZE_MAX); }), Error);
  EXPECT_EQ(detail::with_errors([] { return 3; }), 3);
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
