// Register banks, operand collectors, read windows and result buses, cycle by cycle.
#include "machine/operands/operands.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "base/stats.h"
#include "machine/operands/config.h"

namespace raddle::machine {
namespace {

/// An instruction that reads these registers, the first three at operand positions 0 to 2.
isa::SourceRegisters reads(std::initializer_list<unsigned> registers) {
  isa::SourceRegisters sources;
  for (const unsigned r : registers) {
    sources.residues += std::uint64_t{1} << (4 * (r % 16));
    if (sources.count < 3) {
      sources.width[sources.count] = 1;
      sources.number[sources.count] = static_cast<std::uint16_t>(r);
    }
    ++sources.count;
  }
  return sources;
}

struct Collectors {
  explicit Collectors(std::initializer_list<std::pair<const char*, const char*>> settings) {
    for (const auto& [field, value] : settings) config.set(field, value);
    operands.emplace(config, 2, statistics);
  }
  /// By how much the instruction is late that issues at `now`, as soon as it can after `now`.
  Cycle issue(unsigned warp, std::initializer_list<unsigned> registers, Cycle& now) {
    while (!operands->can_issue(0, now)) ++now;
    return operands->read(0, warp, reads(registers), true, now);
  }
  std::uint64_t count(const char* name) const { return total(statistics, "operands", name); }

  OperandsConfig config{"operands"};
  StatGroup statistics{"sm"};
  std::optional<Operands> operands;
};

TEST(BankReads, FoldsAndRotates) {
  const std::uint64_t residues = reads({0, 5, 9, 13, 14}).residues;
  const BankReads four(residues, 4, 0);
  EXPECT_EQ(four.count(0), 1u);
  EXPECT_EQ(four.count(1), 3u);  // 5, 9, 13
  EXPECT_EQ(four.count(2), 1u);
  EXPECT_EQ(four.count(3), 0u);
  const BankReads rotated(residues, 4, 7);
  EXPECT_EQ(rotated.count(3), 1u);
  EXPECT_EQ(rotated.count(0), 3u);
  const BankReads sixteen(residues, 16, 2);
  EXPECT_EQ(sixteen.count(0), 1u);  // register 14
  EXPECT_EQ(sixteen.count(15), 1u);
  EXPECT_EQ(BankReads(residues, 1, 3).count(0), 5u);
}

// irregular-control-flow, section 5.1: the operands of one side of a pair come behind the other's. The
// instruction has one collector, until the last of them has come.
TEST(OperandCollectors, MoreOperandsOfAnInstructionWaitInItsCollector) {
  Collectors h({{"banks", "4"}, {"read_ports", "1"}, {"collectors", "1"}});
  for (Cycle now = 10; now < 1000; now += 10) {
    EXPECT_EQ(h.issue(0, {0, 4}, now), 1u);
    EXPECT_EQ(h.operands->read_more(0, 0, reads({1, 5, 9}), true, now), 2u);
    EXPECT_FALSE(h.operands->can_issue(0, now + 4));
    EXPECT_TRUE(h.operands->can_issue(0, now + 5));
  }
}

TEST(OperandCollectors, RegistersOfOneBankComeOneACycle) {
  Collectors h({{"banks", "4"}, {"read_ports", "1"}});
  Cycle now = 10;
  EXPECT_EQ(h.issue(0, {0, 1, 2}, now), 0u);
  now = 20;
  EXPECT_EQ(h.issue(0, {0, 4}, now), 1u);
  now = 30;
  EXPECT_EQ(h.issue(0, {0, 4, 8}, now), 2u);
  EXPECT_EQ(h.count("conflicts"), 2u);
  EXPECT_EQ(h.count("conflict_cycles"), 3u);
  EXPECT_EQ(h.count("reads"), 8u);
}

TEST(OperandCollectors, TwoPortsDeliverTwoRegistersACycle) {
  Collectors h({{"banks", "4"}, {"read_ports", "2"}});
  Cycle now = 10;
  EXPECT_EQ(h.issue(0, {0, 4}, now), 0u);
  now = 20;
  EXPECT_EQ(h.issue(0, {0, 4, 8}, now), 1u);
}

TEST(OperandCollectors, InstructionsContendAndWarpsAreSpreadOverTheBanks) {
  Collectors h({{"banks", "4"}, {"read_ports", "1"}});
  Cycle now = 10;
  EXPECT_EQ(h.issue(0, {0}, now), 0u);
  EXPECT_EQ(h.issue(4, {0}, now), 1u) << "the same register of a warp four slots on";
  EXPECT_EQ(h.issue(1, {0}, now), 0u) << "of the next warp: another bank";
  EXPECT_EQ(h.operands->read(1, 4, reads({0}), true, now), 0u) << "another scheduler's banks";
}

TEST(OperandCollectors, FullOnesStallTheScheduler) {
  Collectors h({{"banks", "4"}, {"read_ports", "1"}, {"collectors", "2"}});
  Cycle now = 10;
  EXPECT_EQ(h.issue(0, {0, 4, 8}, now), 2u);  // until cycle 12, its collector until 13
  EXPECT_EQ(h.issue(0, {12, 16}, now), 4u);   // 13 and 14
  EXPECT_FALSE(h.operands->can_issue(0, 12));
  EXPECT_TRUE(h.operands->can_issue(0, 13));
  EXPECT_TRUE(h.operands->can_issue(1, 12)) << "another scheduler's";
}

// Huerta et al. 2025, section 5.3: FMUL with both operands in one bank leave a bubble of one cycle,
// FFMA with all three a bubble of two; without a conflict there is none, and the latency from
// leaving the allocate stage is the same.
Cycle cycles_for(unsigned instructions, std::initializer_list<unsigned> registers) {
  Collectors h({{"style", "fixed"}, {"banks", "2"}, {"read_ports", "1"}, {"window", "3"}});
  Cycle now = 100, last = 0;
  for (unsigned n = 0; n < instructions; ++n, ++now) {
    const Cycle delay = h.issue(0, registers, now);  // moves `now`
    last = now + delay;
  }
  return last - 100;
}

TEST(FixedReads, BubblesOfConflicts) {
  EXPECT_EQ(cycles_for(2, {0, 2, 4}), 1 + 2u);
  EXPECT_EQ(cycles_for(101, {0, 2, 4}), 300u);
  EXPECT_EQ(cycles_for(101, {0, 1}), 100u);
  // Each takes two of the three cycles of its window, so the first conflict is that of the third.
  EXPECT_EQ(cycles_for(3, {0, 2}), 2 + 1u);
  EXPECT_EQ(cycles_for(101, {0, 2}), 199u);
}

TEST(FixedReads, HalfRateInstructionsConflictOnlyWithAllThreeInOneBank) {
  // Jia et al. 2018 on Volta, whose FFMA issues every second cycle.
  const auto conflicts = [](std::initializer_list<unsigned> registers) {
    Collectors h({{"style", "fixed"}, {"banks", "2"}, {"read_ports", "1"}});
    for (Cycle now = 10; now < 110; now += 2) h.issue(0, registers, now);
    return h.count("conflicts");
  };
  EXPECT_EQ(conflicts({0, 2, 1}), 0u);
  EXPECT_GT(conflicts({0, 2, 4}), 0u);
}

TEST(FixedReads, VariableLatencyInstructionsKeepNobodyWaiting) {
  Collectors h({{"style", "fixed"}, {"banks", "2"}, {"read_ports", "1"}});
  h.operands->read(0, 0, reads({0, 2, 4}), true, 10);
  ASSERT_TRUE(h.operands->can_issue(0, 11));
  EXPECT_EQ(h.operands->read(0, 0, reads({0, 2, 4}), false, 11), 0u);
  EXPECT_TRUE(h.operands->can_issue(0, 12));
}

TEST(FixedReads, ReusedOperandsAreNotReadAgain) {
  Collectors h({{"style", "fixed"}, {"banks", "2"}, {"read_ports", "1"}, {"reuse", "true"}});
  // Huerta et al., listing 4, example 2: the same register at the same position.
  Cycle now = 10;
  h.issue(3, {2, 4}, now);
  now = 20;
  h.issue(3, {2, 7}, now);
  EXPECT_EQ(h.count("reused"), 1u);
  now = 30;
  h.issue(3, {4, 2}, now);  // example 3: other positions
  now = 40;
  h.issue(4, {4, 2}, now);  // another warp
  EXPECT_EQ(h.count("reused"), 1u);
}

TEST(ResultBus, AsManyResultsACycleAsThereAreBuses) {
  Collectors h({{"result_buses", "2"}});
  EXPECT_EQ(h.operands->write(0, true, 20, 10), 20u);
  EXPECT_EQ(h.operands->write(0, true, 20, 11), 20u);
  EXPECT_EQ(h.operands->write(0, true, 20, 12), 21u);
  EXPECT_EQ(h.operands->write(1, true, 20, 12), 20u) << "another scheduler's";
  EXPECT_EQ(h.count("result_conflicts"), 1u);
  EXPECT_EQ(h.operands->write(0, true, 21, 12), 21u);
  EXPECT_EQ(h.operands->write(0, true, 20, 20), 22u);
}

TEST(ResultBus, ForgetsWhatIsPast) {
  ResultBus bus(1);
  EXPECT_EQ(bus.book(100, 90), 100u);
  EXPECT_EQ(bus.book(100 + ResultBus::kSpan, 101), 100 + ResultBus::kSpan);
  EXPECT_EQ(bus.book(50 * ResultBus::kSpan + 100, 50 * ResultBus::kSpan),
            50 * ResultBus::kSpan + 100);
}

TEST(ResultBus, OnlyLoadsWaitForItWhereLatenciesAreFixed) {
  // Huerta et al., section 5.3: a result queue and a bypass serve those of fixed latency.
  Collectors h({{"style", "fixed"}, {"result_buses", "1"}});
  EXPECT_EQ(h.operands->write(0, true, 20, 10), 20u);
  EXPECT_EQ(h.operands->write(0, true, 20, 11), 20u);
  EXPECT_EQ(h.operands->write(0, false, 20, 12), 22u);
}

/// What holds for both ways of reading operands.
class EveryStyle : public testing::TestWithParam<const char*> {};

TEST_P(EveryStyle, DeliversNoMoreThanThePorts) {
  for (const char* banks : {"1", "2", "4", "8"}) {
    Collectors h({{"style", GetParam()}, {"banks", banks}, {"read_ports", "1"}});
    Cycle now = 10, last = 0;
    std::uint64_t state = 1;
    for (int n = 0; n < 500; ++n, ++now) {
      const auto random = [&] {
        return static_cast<unsigned>((state = state * 25214903917 + 11) >> 32);
      };
      const unsigned a = random() % 64;
      const Cycle delay = h.issue(random() % 8, {a, a + 1 + random() % 30, a + 40}, now);
      last = now + delay;  // issue() has moved it
    }
    const std::uint64_t cycles = last + 3 - 10;  // the last may read in a window of 3
    EXPECT_LE(h.count("reads"), cycles * h.config.banks) << banks << " banks";
  }
}

TEST_P(EveryStyle, NoConflictNoDelayAndAnInstructionACycle) {
  Collectors h({{"style", GetParam()}, {"banks", "4"}, {"read_ports", "1"}});
  for (Cycle now = 10; now < 50; ++now) {
    ASSERT_TRUE(h.operands->can_issue(0, now));
    EXPECT_EQ(h.operands->read(0, 0, reads({0, 1, 2}), true, now), 0u);
  }
}

TEST(ResultBuses, ABookingIsKnownUntilItsCycleAndNotLater) {
  ResultBus bus(1);
  const Cycle far = ResultBus::kSpan - 1;
  EXPECT_EQ(bus.book(far, 0), far);
  EXPECT_EQ(bus.book(far, far), far + 1) << "as late as that the place is taken";
  for (const Cycle later : {far + 2, far + ResultBus::kSpan, 3 * far, 9 * far}) {
    EXPECT_EQ(bus.book(later, later), later);
  }
}

TEST_P(EveryStyle, CanIssueAgainAfterFiniteTime) {
  Collectors h({{"style", GetParam()}, {"banks", "1"}, {"read_ports", "1"}, {"collectors", "1"}});
  Cycle now = 10;
  for (int n = 0; n < 100; ++n) {
    const Cycle asked = ++now;
    h.issue(0, {0, 1, 2}, now);
    EXPECT_LE(now - asked, 3u);
  }
}

INSTANTIATE_TEST_SUITE_P(Operands, EveryStyle, testing::Values("collectors", "fixed"));

}  // namespace
}  // namespace raddle::machine
