// Aggregated groups: the scenarios of dynamic-thread-block-launch, section 4.2.
#include "mechanisms/dtbl/group_table.h"
#include "mechanisms/launching_kernels.h"

namespace raddle::mechanisms {
namespace {

using namespace test;
using machine::test::Machine;

constexpr std::pair<const char*, const char*> kOn = {"gpu.mechanisms", "dtbl"};

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
    Machine machine(launching_kernels().c_str(), {kOn, {setting, value}});
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
  Machine machine(launching_kernels().c_str(), {kOn});
  EXPECT_EQ(count(machine.gpu(), "dtbl", "hardware_bytes"), 1096u + 20 * 1024);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "entry_latency"), 0u);
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

// Section 4.2: of a group without an entry the scheduler has a pointer to where it was stored.
TEST(Dtbl, EachSpilledGroupTakesALoad) {
  for (const auto& [setting, value, loads] :
       {std::tuple("dtbl.spill_line", "0", 63u), std::tuple("dtbl.spill_line", "20", 63u),
        std::tuple("dtbl.free_spills", "true", 0u)}) {
    Machine machine(launching_kernels().c_str(),
                    {kOn, {"dtbl.agt_entries", "1"}, {setting, value}});
    clear(machine);
    machine.launch("work", 1, 32);
    machine.launch("spawn_groups", 1, 32);
    machine.run();
    expect_sums(machine, 1, 64);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spilled"), 63u);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spill_loads"), loads) << setting;
  }
}

// A load through the L2 cache takes 188 cycles, as above, and placing a group's two blocks two.
TEST(Dtbl, LoadsAheadOverlapAsFarAsTheGroupsAreKnown) {
  constexpr double kSerial = 63 * 188;
  for (const auto& [ahead, chain, least, most] :
       {std::tuple("0", "false", 0.97, 1.03), std::tuple("64", "true", 0.95, 1.02),
        std::tuple("1", "false", 0.45, 0.55), std::tuple("64", "false", 0.0, 0.1)}) {
    Machine machine(
        launching_kernels().c_str(),
        {kOn, {"dtbl.agt_entries", "1"}, {"dtbl.spill_ahead", ahead}, {"dtbl.spill_chain", chain}});
    clear(machine);
    machine.launch("work", 1, 32);
    machine.launch("spawn_groups", 1, 32);
    machine.run();
    expect_sums(machine, 1, 64);
    EXPECT_EQ(count(machine.gpu(), "dtbl", "spill_loads"), 63u);
    const auto waited = static_cast<double>(count(machine.gpu(), "dtbl", "spill_cycles"));
    EXPECT_GE(waited, least * kSerial) << ahead << " " << chain;
    EXPECT_LE(waited, most * kSerial) << ahead << " " << chain;
  }
}

TEST(Dtbl, LoadsAheadAreOfSingleGroups) {
  for (const char* other : {"dtbl.spill_line", "dtbl.spill_load"}) {
    EXPECT_THROW(
        Machine(launching_kernels().c_str(), {kOn, {"dtbl.spill_ahead", "8"}, {other, "128"}}),
        Error)
        << other;
  }
}

TEST(Dtbl, ALineOfSpilledEntriesIsOneLoad) {
  Machine machine(launching_kernels().c_str(),
                  {kOn, {"dtbl.agt_entries", "1"}, {"dtbl.spill_line", "128"}});
  clear(machine);
  machine.launch("work", 1, 32);
  machine.launch("spawn_groups", 1, 32);
  machine.run();
  expect_sums(machine, 1, 64);
  EXPECT_LE(count(machine.gpu(), "dtbl", "spill_loads"), 63u / 6 + 2);
}

// Section 5.2 B: without the latency of launches. What the table has no room for is loaded still.
TEST(Dtbl, AnIdealLaunchLoadsWhatTheTableHasNoRoomFor) {
  Machine machine(launching_kernels().c_str(), {kOn, {"dtbl.ideal", "true"}});
  clear(machine);
  machine.launch("work", 1, 32);
  machine.launch("spawn_groups", 1, 1);
  machine.run();
  expect_sums(machine, 1, 2);
  EXPECT_EQ(count(machine.gpu(), "cdp", "call_cycles"), 0u);
  EXPECT_EQ(count(machine.gpu(), "dtbl", "spill_loads"), 1u);
  EXPECT_GT(count(machine.gpu(), "dtbl", "spill_cycles"), 100u);
}

TEST(SpilledEntries, OneLoadBringsALineOfThem) {
  // 128 bytes hold six entries of 20 bytes.
  dtbl::SpilledEntries entries(128, 188);
  for (unsigned i = 0; i < 7; ++i) entries.add();
  EXPECT_EQ(entries.available(0, 100), 288u);
  EXPECT_EQ(entries.available(1, 290), 290u);
  EXPECT_EQ(entries.available(5, 300), 300u);
  EXPECT_EQ(entries.available(6, 300), 488u);
  EXPECT_EQ(entries.loads(), 2u);
}

TEST(SpilledEntries, ALineIsThereWhenItHasCome) {
  dtbl::SpilledEntries entries(128, 0);
  for (unsigned i = 0; i < 7; ++i) entries.add();
  EXPECT_EQ(entries.available(5, 100), kNever);
  EXPECT_EQ(entries.available(5, 200), kNever);
  entries.came(0, 250);
  EXPECT_EQ(entries.available(5, 260), 260u);
  EXPECT_EQ(entries.available(6, 270), kNever);
  entries.came(0, 280);  // late, and not what was asked for
  EXPECT_EQ(entries.available(6, 290), kNever);
  EXPECT_EQ(entries.loads(), 2u);
  EXPECT_EQ(entries.bytes_in(0), 120u);
  EXPECT_EQ(entries.bytes_in(1), 20u);
  EXPECT_EQ(entries.offset(6, 128), 128u);
  EXPECT_EQ(entries.offset(5, 128), 100u);
}

TEST(SpilledEntries, WhatCameAfterTheLoadIsLoadedAgain) {
  dtbl::SpilledEntries entries(128, 188);
  entries.add();
  EXPECT_EQ(entries.available(0, 100), 288u);
  entries.add();  // in the same line
  EXPECT_EQ(entries.available(1, 300), 488u);
}

TEST(GroupTable, HashesTheHardwareThread) {
  dtbl::GroupTable table(512);
  EXPECT_EQ(table.allocate(513), 1u);
  EXPECT_EQ(table.allocate(1), dtbl::GroupTable::kSpilled);
  EXPECT_EQ(table.allocate(2), 2u);
  table.release(1);
  EXPECT_EQ(table.allocate(1025), 1u);
  EXPECT_EQ(table.used(), 2u);
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
