// Fetch by hand calculation: a cycle for each number below follows from the configuration.
#include "machine/frontend/frontend.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "base/stats.h"
#include "machine/frontend/config.h"

namespace raddle::machine {
namespace {

constexpr unsigned kSchedulers = 4, kSm = 3;
constexpr Cycle kMiss = 100;

/// Lines of 8 instructions, groups of 2; one cache of 4 lines, without prefetch. A network and an
/// L2 cache that answer each request after a fixed time, so that a line comes kMiss after the miss.
struct Harness {
  explicit Harness(std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
    config.instruction_bytes = 16;
    config.control_every = 0;
    config.fetch_width = 2;
    config.line = 128;
    config.l0_bytes = 0;
    config.l1_bytes = 512;
    config.l1_ways = 4;
    config.prefetch = 0;
    for (const auto& [field, value] : settings) config.set(field, value);
    frontend.emplace(config, kSchedulers, 64, kSm, port, statistics);
    for (unsigned warp = 0; warp < 64; ++warp) frontend->start(warp, program);
  }
  /// Cycles up to and without `end`, but for what asks in them.
  void pass(Cycle end) {
    for (; time < end; ++time) {
      frontend->send(time);
      if (port.requests.can_receive(time)) {
        requests.push_back(port.requests.receive());
        port.replies.send_at(requests.back(), time - 1 + kMiss);
      }
      if (frontend->fetching()) frontend->receive(time + 1);
    }
  }
  /// What the warp is told at `now`, which is no earlier than what it was told before.
  Cycle ready(unsigned warp, std::uint32_t pc, Cycle now) {
    pass(now);
    return frontend->ready(warp, pc, now);
  }
  /// When the warp has `pc`, if it asks first at `now`.
  Cycle wait(unsigned warp, std::uint32_t pc, Cycle now) {
    for (Cycle there = 0; (there = ready(warp, pc, now)) > now;) {
      now = there == kNever ? now + 1 : there;
    }
    return now;
  }
  /// Runs straight through [first, end), an instruction per cycle when it is there; returns the
  /// cycle after the last.
  Cycle run(unsigned warp, std::uint32_t first, std::uint32_t end, Cycle now) {
    for (std::uint32_t pc = first; pc < end; ++pc) now = wait(warp, pc, now) + 1;
    return now;
  }
  std::uint64_t count(const char* name) const { return total(statistics, "frontend", name); }

  FrontendConfig config{"frontend"};
  StatGroup statistics{"sm"};
  MemoryPort port{16, 16};
  std::vector<Packet> requests;
  Cycle time = 0;
  isa::Program program;
  std::optional<Frontend> frontend;
};

TEST(Frontend, AMissTakesItsLatencyAndTheRestOfTheLineNone) {
  Harness h;
  EXPECT_EQ(h.wait(0, 0, 10), 10 + kMiss);
  EXPECT_EQ(h.run(0, 0, 8, 110), 118u);
  EXPECT_EQ(h.count("l1_misses"), 2u);  // the second line, asked for by the last group
}

TEST(Frontend, TheNextGroupIsFetchedWhenTheWarpEntersTheOneBeforeIt) {
  Harness h;
  const Cycle end = h.run(0, 0, 8, 0);  // group 6, 7 was entered two cycles before
  EXPECT_EQ(end, kMiss + 8);
  EXPECT_EQ(h.wait(0, 8, end), end - 2 + kMiss);
}

// The second instruction is ten machine instructions: words 1 to 10, of which three are in the second
// line. The third one, of that line, is there then.
TEST(Frontend, ASequenceNeedsAllLinesInWhichItLies) {
  Harness h;
  h.program.words = {0, 1, 11, 12};
  h.frontend->start(0, h.program);
  EXPECT_EQ(h.wait(0, 0, 0), kMiss);
  EXPECT_EQ(h.wait(0, 1, kMiss + 1), kMiss + kMiss);
  EXPECT_EQ(h.wait(0, 2, 2 * kMiss + 1), 2 * kMiss + 1);
  EXPECT_EQ(h.count("l1_misses"), 2u);
}

TEST(Frontend, WhoMissesOnALineUnderWayWaitsForTheSameFill) {
  Harness h;
  EXPECT_EQ(h.ready(0, 0, 0), kNever);
  EXPECT_EQ(h.ready(1, 0, 30), kNever);
  EXPECT_EQ(h.wait(0, 0, 30), kMiss);
  EXPECT_EQ(h.ready(1, 0, kMiss), kMiss);
  EXPECT_EQ(h.count("l1_misses"), 1u);
  EXPECT_EQ(h.requests.size(), 1u);
}

TEST(Frontend, ARequestAsksForTheSectorsOfTheLineAtItsAddress) {
  Harness h({{"line", "64"}, {"l1_bytes", "256"}});
  h.program.code_base = 1 << 20;
  h.frontend->start(0, h.program);
  h.wait(0, 4, 0);  // the second 64 bytes
  ASSERT_GE(h.requests.size(), 1u);
  EXPECT_EQ(h.requests[0].line, 1u << 20);
  EXPECT_EQ(h.requests[0].sectors, 0b1100);
  EXPECT_EQ(h.requests[0].sm, kSm);
  EXPECT_EQ(h.requests[0].cache, CacheId::instruction);
  EXPECT_EQ(h.count("requests"), h.requests.size());
}

TEST(Frontend, ARequestWaitsForRoomInTheQueueToTheNetwork) {
  Harness h;
  for (unsigned n = 0; n < 16; ++n) h.port.requests.send({.cache = CacheId::l1}, 0);
  EXPECT_EQ(h.frontend->ready(0, 0, 0), kNever);
  h.frontend->send(0);
  EXPECT_FALSE(h.frontend->can_send());
  EXPECT_TRUE(h.frontend->fetching());
  h.port.requests.receive();
  EXPECT_TRUE(h.frontend->can_send());
  h.frontend->send(1);
  EXPECT_EQ(h.count("requests"), 1u);
}

TEST(Frontend, AReplyForAnotherCacheIsLeftAlone) {
  Harness h;
  EXPECT_EQ(h.ready(0, 0, 0), kNever);
  h.port.replies.send_at({.cache = CacheId::l1}, 5);
  EXPECT_FALSE(h.frontend->receive(5));
  EXPECT_EQ(h.port.replies.size(), 1u);
}

TEST(Frontend, ALineReplacedWhileItIsUnderWayIsNotAskedForTwice) {
  Harness h({{"l1_bytes", "128"}, {"l1_ways", "1"}});  // a cache of one line
  EXPECT_EQ(h.ready(0, 0, 0), kNever);
  EXPECT_EQ(h.ready(1, 8, 1), kNever);
  EXPECT_EQ(h.ready(2, 0, 2), kNever);
  EXPECT_EQ(h.wait(0, 0, 3), kMiss);
  EXPECT_EQ(h.wait(1, 8, kMiss), kMiss + 1);
  EXPECT_EQ(h.ready(2, 0, kMiss + 1), kMiss + 1);
  EXPECT_EQ(h.requests.size(), 2u);
  EXPECT_FALSE(h.frontend->fetching());
}

TEST(Frontend, ALoopInTheCacheCostsNothing) {
  Harness h;
  Cycle now = h.run(0, 0, 8, 0);
  for (int turn = 0; turn < 5; ++turn) {
    const Cycle end = h.run(0, 0, 8, now + 10);  // a branch takes longer than the port is busy
    EXPECT_EQ(end, now + 10 + 8);
    now = end;
  }
  EXPECT_EQ(h.count("flushes"), 6u);
}

TEST(Frontend, ABranchThrowsAwayWhatWasFetchedBehindIt) {
  Harness h;
  Cycle now = h.run(0, 0, 2, 0);
  now = h.wait(0, 6, now + 1);  // over the group 2, 3, which is in the buffer
  EXPECT_EQ(h.count("flushes"), 2u);
  EXPECT_EQ(h.count("l1_misses"), 2u) << "behind 6, 7 comes the second line";
}

TEST(Frontend, EachFetchTakesThePortOfItsSchedulerForACycle) {
  Harness h;
  const Cycle now = h.run(0, 0, 8, 0) + 200;
  for (const unsigned warp : {4u, 8u, 1u}) h.run(warp, 0, 8, now);
  const Cycle later = now + 500;
  EXPECT_EQ(h.ready(0, 0, later), later);      // takes the port in `later` for 0, 1 and in
  EXPECT_EQ(h.ready(4, 0, later), later + 2);  // the cycle behind it for 2, 3
  EXPECT_EQ(h.ready(1, 0, later), later);      // of another scheduler
}

TEST(Frontend, ControlWordsTakeRoom) {
  // Kepler: 8 bytes each, one word before 7 instructions: a line of 16 words holds 14.
  Harness h({{"instruction_bytes", "8"}, {"control_every", "7"}});
  Cycle now = h.run(0, 0, 14, 0);
  EXPECT_EQ(now, kMiss + 14);
  now = h.run(0, 14, 28, now);
  EXPECT_EQ(h.count("l1_misses"), 3u) << "lines of 0, 14, and 28";
  // Maxwell: one before 3; 12 in a line.
  Harness maxwell({{"instruction_bytes", "8"}, {"control_every", "3"}});
  EXPECT_EQ(maxwell.run(0, 0, 12, 0), kMiss + 12);
  maxwell.run(0, 12, 24, 1000);
  EXPECT_EQ(maxwell.count("l1_misses"), 3u);
}

TEST(Frontend, PrefetchedLinesAreAskedForACycleAfterEachOther) {
  Harness h({{"prefetch", "2"}});
  EXPECT_EQ(h.ready(0, 0, 0), kNever);
  EXPECT_EQ(h.ready(1, 8, 1), kNever);
  EXPECT_EQ(h.ready(2, 16, 2), kNever);
  EXPECT_EQ(h.wait(0, 0, 3), kMiss);
  EXPECT_EQ(h.wait(1, 8, kMiss), kMiss + 1);
  EXPECT_EQ(h.wait(2, 16, kMiss + 1), kMiss + 2);
  EXPECT_EQ(h.count("l1_misses"), 1u);
  // The use of each prefetched line brought another.
  EXPECT_EQ(h.count("prefetches"), 4u);
}

TEST(Frontend, MissInTheSchedulersCacheAndHitInTheSms) {
  Harness h({{"l0_bytes", "512"}, {"l1_bytes", "4096"}, {"l1_latency", "20"}});
  h.run(0, 0, 4, 0);
  EXPECT_EQ(h.wait(1, 0, 500), 520u);  // another scheduler
  EXPECT_EQ(h.wait(4, 0, 600), 600u);  // the same as warp 0's
  EXPECT_EQ(h.count("l0_misses"), 2u);
  EXPECT_EQ(h.count("l1_misses"), 1u);
}

TEST(Frontend, TheLeastRecentlyUsedLineMakesRoom) {
  Harness h;
  Cycle now = 0;
  for (const std::uint32_t line : {0, 1, 2, 3}) now = h.wait(0, 8 * line, now) + 10;
  now = h.wait(1, 0, now) + 10;  // line 0 is used again
  now = h.wait(0, 8 * 4, now) + 10;
  EXPECT_EQ(h.wait(2, 0, now), now);
  EXPECT_EQ(h.wait(3, 8, now), now + kMiss) << "line 1 was the oldest";
}

}  // namespace
}  // namespace raddle::machine
