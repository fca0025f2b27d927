// Aggregated groups: the scenarios of dynamic-thread-block-launch, section 4.2.
#include "mechanisms/dtbl/group_table.h"
#include "mechanisms/dtbl/spilled_ring.h"
#include "mechanisms/launching_kernels.h"

namespace raddle::mechanisms {
namespace {

using namespace test;
using machine::test::Machine;

constexpr std::pair<const char*, const char*> kOn = {"gpu.mechanisms", "dtbl"};
/// As the paper is written.
constexpr std::pair<const char*, const char*> kLiteral = {"dtbl.scheme", "literal"};

/// out[0..32) after `native` blocks of work, and `groups` groups of two blocks.
void expect_sums(Machine& machine, std::uint32_t native, std::uint32_t groups) {
  const std::uint32_t expected = native * (native + 1) / 2 + groups * 3;
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(machine.out(t), expected) << t;
}

void clear(Machine& machine) {
  for (std::uint32_t t = 0; t < 32; ++t) machine.out(t) = 0;
}

TEST(Dtbl, AGroupWithoutARunningGridBecomesAKernel) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(launching_kernels().c_str(), {kOn, {"gpu.functional", functional}});
    clear(machine);
    machine.launch("spawn_group", 1, 1);
    machine.run();
    expect_sums(machine, 0, 1);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "groups"), 1u);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 0u);
    EXPECT_EQ(count(machine.gpu(), "cdp", "launches"), 1u);
  }
}

TEST(Dtbl, FirstScenarioAGridWhoseBlocksAreAllPlacedIsMarkedAgain) {
  Machine machine(launching_kernels().c_str(), {kOn});
  clear(machine);
  machine.launch("work", 1, 32);
  machine.launch("spawn_group", 1, 1);
  machine.run();
  expect_sums(machine, 1, 1);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 1u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "remarked"), 1u);
  EXPECT_EQ(count(machine.gpu(), "dispatch", "grids"), 2u);
  EXPECT_EQ(count(machine.gpu(), "dispatch", "group_blocks"), 2u);
}

TEST(Dtbl, SecondScenarioAGroupWaitsBehindTheBlocksOfItsGrid) {
  Machine machine(launching_kernels().c_str(), {kOn});
  clear(machine);
  // 13 SMs hold 16 blocks each: of the grid's 258 blocks 208 run, for 50000 cycles, and 50 wait.
  // The launch, which takes 22000 cycles, comes while they do.
  machine.launch("spawn_group", 1, 1);
  machine.launch("work", 258, 32);
  machine.run();
  expect_sums(machine, 258, 1);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 1u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "remarked"), 0u);
  EXPECT_EQ(count(machine.gpu(), "dispatch", "group_blocks"), 2u);
}

TEST(Dtbl, OnlyGridsOfTheSameBlockTakeAGroup) {
  Machine machine(launching_kernels().c_str(), {kOn});
  machine.launch("work", 1, 64);
  machine.launch("spawn_group", 1, 1);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 0u);
}

TEST(Dtbl, ATakenEntrySpillsTheGroup) {
  // Two launches of one thread have one hash, whatever the size of the table. The entry is read
  // through the L2 cache, where its write has left it: a hit takes 188 cycles on this GPU.
  for (const auto& [setting, value, cycles, tolerance] :
       {std::tuple("dtbl.agt_entries", "1024", 188.0, 5.0),
        std::tuple("dtbl.agt_entries", "1", 188.0, 5.0),
        std::tuple("dtbl.spill_load", "300", 300.0, 0.0)}) {
    Machine machine(launching_kernels().c_str(), {kOn, kLiteral, {setting, value}});
    clear(machine);
    machine.launch("work", 1, 32);
    machine.launch("spawn_groups", 1, 1);
    machine.run();
    expect_sums(machine, 1, 2);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 2u);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spilled"), 1u);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spill_loads"), 1u);
    EXPECT_NEAR(static_cast<double>(count(machine.gpu(), "dtbl", "spill_cycles")), cycles,
                tolerance);
  }
}

TEST(Dtbl, AnEntryIsFreeAgainWhenItsGroupHasEnded) {
  Machine machine(launching_kernels().c_str(), {kOn, {"dtbl.agt_entries", "1"}});
  for (unsigned run = 1; run <= 3; ++run) {
    machine.launch("work", 1, 32);
    machine.launch("spawn_group", 1, 1);
    machine.run();
    EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), run);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spilled"), 0u);
  }
}

TEST(Dtbl, TheSearchIsHiddenBehindTheParameterBuffer) {
  Machine machine(launching_kernels().c_str(), {kOn});
  machine.launch("work", 1, 32);
  machine.launch("spawn_group", 1, 1);
  machine.run();
  const std::uint64_t waited = count(machine.gpu(), "dtbl", "waiting_cycles");
  EXPECT_GE(waited, 8152u);
  EXPECT_LE(waited, 8152u + 1000);
  EXPECT_EQ(count(machine.gpu(), "cdp", "call_cycles"), 8152u);
}

// Section 4.3: each of a warp's groups asks for its entry of the table.
TEST(Dtbl, GroupsOfAWarpAskForTheirEntriesOneAfterTheOther) {
  Machine machine(launching_kernels().c_str(), {kOn, {"dtbl.table_access", "1000"}});
  clear(machine);
  machine.launch("work", 1, 32);
  machine.launch("spawn_group", 1, 32);
  machine.run();
  expect_sums(machine, 1, 32);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 32u);
  // From asking for the buffers, behind which 12151 of them are hidden.
  EXPECT_GE(count(machine.gpu(), "dtbl", "waiting_cycles"), 32u * 32000);
  EXPECT_LE(count(machine.gpu(), "dtbl", "waiting_cycles"), 32u * (32000 + 2000));
}

TEST(Dtbl, HardwareCostIsThatOfSection43) {
  Machine machine(launching_kernels().c_str(), {kOn, kLiteral});
  EXPECT_EQ(count(machine.gpu(), "dtbl", "hardware_bytes"), 1096u + 20 * 1024);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "entry_latency"), 0u);
}

// The ring: a line that is filled, one that is waited for, and eight ahead.
TEST(Dtbl, TheRingAndTablesOfMultiprocessorsCostMore) {
  for (const auto& [setting, value, bytes] :
       {std::tuple("dtbl.scheme", "ring", 1096u + 20 * 1024 + 10 * 128),
        std::tuple("dtbl.spill_ahead", "0", 1096u + 20 * 1024 + 2 * 128),
        std::tuple("dtbl.hash", "per_sm", 1096u + 13 * 20 * 1024 + 10 * 128)}) {
    Machine machine(launching_kernels().c_str(), {kOn, {setting, value}});
    EXPECT_EQ(count(machine.gpu(), "dtbl", "hardware_bytes"), bytes) << setting;
  }
}

// Section 4.3: a cycle for each entry of the distributor, at most its 32.
TEST(Dtbl, TheSearchEndsAtTheEntryThatFits) {
  // Nothing to hide behind.
  Machine machine(launching_kernels().c_str(), {kOn,
                                                {"dtbl.search", "1000"},
                                                {"cdp.parameter_buffer.base", "0"},
                                                {"cdp.parameter_buffer.each", "0"}});
  clear(machine);
  for (const unsigned threads : {96, 64, 32}) machine.launch("work", 1, threads);
  machine.launch("spawn_group", 1, 2);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 2u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "searched"), 3u) << "those of a warp are pipelined";
  const std::uint64_t waited = count(machine.gpu(), "dtbl", "waiting_cycles");
  EXPECT_GE(waited, 2u * 3 * 1000);
  EXPECT_LE(waited, 2u * (3 * 1000 + 1000));
}

TEST(Dtbl, ASearchInVainLooksAtAllEntries) {
  Machine machine(launching_kernels().c_str(), {kOn, {"dtbl.search", "1000"}});
  machine.launch("spawn_group", 1, 1);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 0u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "searched"), 32u);
  EXPECT_GE(count(machine.gpu(), "cdp", "waiting_cycles"), 32u * 1000);
}

// The alternative of section 4.3: as many entries more as the table has, without it and with it.
TEST(Dtbl, MoreEntriesOfTheDistributorCostBytesAndCycles) {
  struct Design {
    const char* own_entries;
    const char* entries;
    unsigned bytes, latency;
  };
  for (const Design& design : {Design{"true", "32", 0, 0}, Design{"true", "1056", 1024 * 44, 1024},
                               Design{"false", "1056", 1096 + 20 * 1024 + 1024 * 44, 1024}}) {
    Machine machine(launching_kernels().c_str(), {kOn,
                                                  kLiteral,
                                                  {"dtbl.own_entries", design.own_entries},
                                                  {"dispatch.concurrent_kernels", design.entries}});
    clear(machine);
    machine.launch("spawn_group", 1, 1);
    machine.run();
    expect_sums(machine, 0, 1);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "hardware_bytes"), design.bytes);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "entry_latency"), design.latency);
    // The buffer of one thread and the dispatch; the search is hidden behind the former.
    const std::uint64_t waited = count(machine.gpu(), "cdp", "waiting_cycles");
    EXPECT_GE(waited, 8152u + 283 + design.latency);
    EXPECT_LE(waited, 8152u + 283 + design.latency + 800);
  }
}

TEST(Dtbl, EntriesThatTheGpuHasAnywayCostNothing) {
  Machine machine(launching_kernels().c_str(), {kOn,
                                                kLiteral,
                                                {"gpu.compute_major", "7"},
                                                {"gpu.compute_minor", "0"},
                                                {"dispatch.concurrent_kernels", "128"}});
  EXPECT_EQ(count(machine.gpu(), "dtbl", "hardware_bytes"), 1096u + 20 * 1024);
}

TEST(Dtbl, AGroupTakesTheMemoryOfAKernel) {
  std::uint64_t footprint[2];
  for (const bool group : {false, true}) {
    Machine machine(launching_kernels().c_str(), {kOn});
    machine.launch("work", 1, 32);
    machine.launch(group ? "spawn_group" : "spawn_kernel", 1, 32);
    machine.run();
    footprint[group] = count(machine.gpu(), "cdp", "footprint_peak");
  }
  EXPECT_EQ(footprint[0], 32u * (64 + 64));
  EXPECT_EQ(footprint[1], footprint[0]);
}

/// 64 groups of 32 threads' pairs of launches, of which one finds an entry: what spill_loads and
/// spill_cycles say.
struct Spills {
  std::uint64_t loads, cycles;
};
Spills spills(std::initializer_list<std::pair<const char*, const char*>> settings) {
  std::vector<std::pair<const char*, const char*>> all = {kOn, {"dtbl.agt_entries", "1"}};
  all.insert(all.end(), settings);
  Machine machine(launching_kernels().c_str(), all);
  clear(machine);
  machine.launch("work", 1, 32);
  machine.launch("spawn_groups", 1, 32);
  machine.run();
  expect_sums(machine, 1, 64);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "spilled"), 63u);
  return {count(machine.gpu(), "dtbl", "spill_loads"),
          count(machine.gpu(), "dtbl", "spill_cycles")};
}

// Of which a thread launches the second when it has launched the first.
TEST(Dtbl, PendingAreThoseThatHaveNotStarted) {
  Machine machine(launching_kernels().c_str(), {kOn});
  machine.launch("work", 1, 32);
  machine.launch("spawn_groups", 1, 32);
  machine.run();
  EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 64u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "pending_peak"), 32u);
}

// Section 4.2: of a group without an entry the scheduler has a pointer to where it was stored.
TEST(Dtbl, LiterallyEachSpilledGroupTakesALoadAtItsTurn) {
  const Spills literal = spills({kLiteral});
  EXPECT_EQ(literal.loads, 63u);
  // Through the L2 cache, as above.
  EXPECT_NEAR(static_cast<double>(literal.cycles), 63 * 188, 63 * 188 * 0.03);
}

TEST(Dtbl, AFixedLoadTakesItsTimeForEachGroup) {
  const Spills fixed = spills({kLiteral, {"dtbl.spill_load", "140"}, {"dtbl.hash", "any"}});
  EXPECT_EQ(fixed.loads, 63u);
  EXPECT_EQ(fixed.cycles, 63u * 140);
}

// 63 entries are ten lines of six and three in the line that is not full.
TEST(Dtbl, ALineOfTheRingIsOneLoad) {
  constexpr std::pair<const char*, const char*> kNoRoom = {"dtbl.spill_ahead", "0"};
  const Spills at_turn = spills({kNoRoom});
  EXPECT_EQ(at_turn.loads, 10u);
  // As long as a single group's, and longer behind what is being stored.
  EXPECT_GE(at_turn.cycles, 10u * 185);
  EXPECT_LE(at_turn.cycles, 10u * 240);
  EXPECT_EQ(spills({kNoRoom, {"dtbl.spill_line", "20"}}).loads, 63u);
  EXPECT_EQ(spills({kNoRoom, {"dtbl.spill_line", "1280"}}).loads, 0u) << "not full yet";
  EXPECT_EQ(spills({kNoRoom, {"dtbl.spill_load", "300"}}).cycles, 10u * 300);
}

// Groups come 32 at a time: of their five lines two stay on the chip, and three are loaded.
TEST(Dtbl, LinesForWhichThereIsRoomStayAndOthersAreLoadedAhead) {
  const Spills ahead = spills({{"dtbl.spill_ahead", "2"}, {"dtbl.spill_load", "300"}});
  EXPECT_EQ(ahead.loads, 6u);
  EXPECT_LT(ahead.cycles, 5u * 300) << "some overlap";
  const Spills room = spills({});
  EXPECT_EQ(room.loads, 0u);
  EXPECT_EQ(room.cycles, 0u);
}

TEST(Dtbl, FreeSpillsAndIdealLaunchesLoadNothing) {
  for (const char* setting : {"dtbl.free_spills", "dtbl.ideal"}) {
    for (const char* scheme : {"ring", "literal"}) {
      const Spills none = spills({{setting, "true"}, {"dtbl.scheme", scheme}});
      EXPECT_EQ(none.loads, 0u) << setting;
      EXPECT_EQ(none.cycles, 0u) << setting;
    }
  }
}

// Section 5.2 B: without the latency of launches, of which section 4.3 says that loads are a part.
TEST(Dtbl, AnIdealLaunchTakesNoTime) {
  Machine machine(launching_kernels().c_str(), {kOn, {"dtbl.ideal", "true"}});
  clear(machine);
  machine.launch("work", 1, 32);
  machine.launch("spawn_groups", 1, 1);
  machine.run();
  expect_sums(machine, 1, 2);
  EXPECT_EQ(count(machine.gpu(), "cdp", "call_cycles"), 0u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "spilled"), 1u);
}

TEST(Dtbl, SettingsOfTheRingThatHoldNoEntryAreRefused) {
  EXPECT_THROW(Machine(launching_kernels().c_str(), {kOn, {"dtbl.spill_line", "19"}}), Error);
  EXPECT_THROW(Machine(launching_kernels().c_str(), {kOn, {"dtbl.scheme", "paper"}}), Error);
  EXPECT_THROW(Machine(launching_kernels().c_str(), {kOn, {"dtbl.hash", "none"}}), Error);
}

// Two multiprocessors launch from threads of the same numbers.
TEST(Dtbl, TheHashDecidesWhetherMultiprocessorsShareEntries) {
  for (const auto& [hash, spilled] : {std::pair("thread", 32u), std::pair("mixed", 0u),
                                      std::pair("per_sm", 0u), std::pair("any", 0u)}) {
    Machine machine(launching_kernels().c_str(), {kOn, {"dtbl.hash", hash}});
    clear(machine);
    machine.launch("work", 1, 32);
    machine.launch("spawn_group", 2, 32);
    machine.run();
    expect_sums(machine, 1, 64);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "matched"), 64u);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spilled"), spilled) << hash;
  }
}

TEST(SpilledRing, TheLineThatIsFilledIsOnTheChip) {
  dtbl::SpilledRing ring(128, 0);  // six entries of 20 bytes
  for (unsigned i = 0; i < 5; ++i) EXPECT_FALSE(ring.fills_line(ring.add()));
  EXPECT_EQ(ring.there(0), 0u);
  EXPECT_TRUE(ring.fills_line(ring.add()));
  EXPECT_EQ(ring.there(0), std::nullopt) << "it has been written";
  EXPECT_EQ(ring.bytes(), 120u);
  ring.asked(0, kNever);
  EXPECT_EQ(ring.there(5), kNever);
  ring.came(0, 250);
  EXPECT_EQ(ring.there(5), 250u);
}

TEST(SpilledRing, AsManyLinesAreAskedForAheadAsThereIsRoomFor) {
  dtbl::SpilledRing ring(40, 2);  // two entries
  for (unsigned i = 0; i < 9; ++i) ring.add();
  EXPECT_EQ(ring.next_ahead(), 0u);
  ring.asked(0, 100);
  EXPECT_EQ(ring.next_ahead(), 1u);
  ring.asked(1, 100);
  EXPECT_EQ(ring.next_ahead(), std::nullopt);
  ring.taken(0);
  EXPECT_EQ(ring.next_ahead(), std::nullopt) << "its line has another";
  ring.taken(1);
  EXPECT_EQ(ring.next_ahead(), 2u);
  ring.asked(3, 100);  // a turn that came out of order
  EXPECT_EQ(ring.next_ahead(), std::nullopt);
  ring.taken(6);
  ring.taken(7);
  EXPECT_EQ(ring.next_ahead(), 2u);
  ring.asked(2, 100);
  for (const std::uint64_t place : {2, 3, 4, 5}) ring.taken(place);
  EXPECT_EQ(ring.next_ahead(), std::nullopt) << "the last line is not full";
  EXPECT_EQ(ring.there(8), 0u);
}

// What was taken while its line was being filled need not be loaded with it.
TEST(SpilledRing, ALineOfWhichAllIsTakenIsNotLoaded) {
  dtbl::SpilledRing ring(40, 4);
  ring.add();
  ring.taken(0);
  ring.taken(ring.add());
  EXPECT_EQ(ring.next_ahead(), std::nullopt);
  ring.add();
  ring.add();
  EXPECT_EQ(ring.next_ahead(), 1u);
}

// Section 4.2: ind = hw_tid & (AGT_size - 1).
TEST(GroupTable, HashesTheHardwareThread) {
  dtbl::GroupTable table(512, dtbl::Hash::thread, 13);
  EXPECT_EQ(table.allocate({0, 513}), 1u);
  EXPECT_EQ(table.allocate({3, 1}), dtbl::GroupTable::kSpilled);
  EXPECT_EQ(table.allocate({0, 2}), 2u);
  table.release(1);
  EXPECT_EQ(table.allocate({0, 1025}), 1u);
  EXPECT_EQ(table.used(), 2u);
}

TEST(GroupTable, MixedNumbersOfAllThreadsFillTheTable) {
  // 13 multiprocessors of 2048 threads: 26 of them have each entry.
  std::vector<unsigned> threads(1024, 0);
  dtbl::GroupTable table(1024, dtbl::Hash::mixed, 13);
  for (unsigned sm = 0; sm < 13; ++sm) {
    for (unsigned thread = 0; thread < 2048; ++thread) {
      const std::uint32_t entry = table.allocate({sm, thread});
      ASSERT_LT(entry, 1024u);
      ++threads[entry];
      table.release(entry);
    }
  }
  for (const unsigned each : threads) EXPECT_EQ(each, 26u);
}

TEST(GroupTable, EachMultiprocessorMayHaveATable) {
  dtbl::GroupTable table(8, dtbl::Hash::per_sm, 2);
  EXPECT_EQ(table.entries(), 16u);
  EXPECT_EQ(table.allocate({0, 9}), 1u);
  EXPECT_EQ(table.allocate({1, 9}), 9u);
  EXPECT_EQ(table.allocate({1, 1}), dtbl::GroupTable::kSpilled);
}

TEST(GroupTable, AnyEntryMayBeTaken) {
  dtbl::GroupTable table(2, dtbl::Hash::any, 13);
  const std::uint32_t first = table.allocate({0, 5});
  EXPECT_NE(first, table.allocate({0, 5}));
  EXPECT_EQ(table.allocate({0, 5}), dtbl::GroupTable::kSpilled);
  table.release(first);
  EXPECT_EQ(table.allocate({1, 7}), first);
}

TEST(Dtbl, ARefusedGroupGivesItsBufferBack) {
  Machine machine(launching_kernels().c_str(), {kOn});
  for (unsigned run = 1; run <= 3; ++run) {
    machine.launch("spawn_too_wide", 1, 1);
    machine.run();
    EXPECT_EQ(count(machine.gpu(), "dtbl", "refused"), run);
    // 16 bytes rounded up to the alignment.
    EXPECT_EQ(count(machine.gpu(), "cdp", "footprint_peak"), 64u);
  }
}

}  // namespace
}  // namespace raddle::mechanisms
