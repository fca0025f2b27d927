#include <gmock/gmock-matchers.h>

#include <random>
#include <span>

#include "flow_help.h"

namespace raddle::ptx {
namespace {

using ::testing::HasSubstr;

struct Allocated {
  explicit Allocated(FlowFunction f)
      : function(std::move(f)),
        cfg(build_cfg(function)),
        live(liveness(function, cfg)),
        allocation(allocate_registers(function, cfg, live)) {}
  std::string check() const { return check_allocation(function, cfg, live, allocation); }

  FlowFunction function;
  ControlFlowGraph cfg;
  Liveness live;
  Allocation allocation;
};

TEST(Allocation, ReusesAPlaceInTheInstructionThatReadsItLast) {
  const Allocated chain(
      flow({compute({0}, {}), compute({1}, {0}), compute({2}, {1}), leave({2})}, {1, 1, 1}));
  EXPECT_EQ(chain.allocation.rows, 1u);
  EXPECT_EQ(chain.check(), "");
}

TEST(Allocation, AlignsWideRegistersAndFillsTheGaps) {
  // One of four rows, one of two, two of one, all live at the end: eight rows, none wasted.
  const Allocated wide(flow(
      {compute({0}, {}), compute({1}, {}), compute({2}, {}), compute({3}, {}), leave({0, 1, 2, 3})},
      {1, 4, 2, 1}));
  EXPECT_EQ(wide.allocation.registers, 8u);
  EXPECT_EQ(wide.allocation.place[1] % 4, 0u);
  EXPECT_EQ(wide.allocation.place[2] % 2, 0u);
  EXPECT_EQ(wide.check(), "");
}

TEST(Allocation, NeverSharesARowBetweenNarrowAndWideRegisters) {
  // r0 and r1 are never live together, on any path: on hardware one would do.
  const Allocated sides(flow({branch(4), compute({0}, {}), compute({}, {0}), jump(6),
                              compute({1}, {}), compute({}, {1}), leave()},
                             {1, 2}));
  EXPECT_GE(sides.allocation.place[1], 1u);
  EXPECT_EQ(sides.allocation.registers, 2u);
  EXPECT_EQ(sides.check(), "");
}

TEST(Allocation, SharesBetweenTheSidesOfABranch) {
  // 0: branch 4; r0 = ..; use r0; jump 6; 4: r1 = ..; use r1; 6: leave
  const Allocated sides(flow({branch(4), compute({0}, {}), compute({}, {0}), jump(6),
                              compute({1}, {}), compute({}, {1}), leave()},
                             {1, 1}));
  EXPECT_EQ(sides.allocation.rows, 1u);
}

TEST(Allocation, UsesHolesInLiveRanges) {
  // r0 is written again after r1 came and went.
  const Allocated hole(flow({compute({0}, {}), compute({}, {0}), compute({1}, {}), compute({}, {1}),
                             compute({0}, {}), leave({0})},
                            {1, 1}));
  EXPECT_EQ(hole.allocation.rows, 1u);
  EXPECT_EQ(hole.check(), "");
}

TEST(Allocation, KeepsLoopValuesThroughTheWholeLoop) {
  // r0 is read only at the loop's top; r1, written below that, must not take its place.
  const Allocated loop(flow(
      {compute({0}, {}), compute({}, {0}), compute({1}, {}), compute({}, {1}), branch(1), leave()},
      {1, 1}));
  EXPECT_NE(loop.allocation.place[0], loop.allocation.place[1]);
}

TEST(Allocation, KeepsResultsOfOneInstructionApart) {
  const Allocated pair(flow({compute({0, 1}, {}), leave({0})}, {1, 1}));
  EXPECT_NE(pair.allocation.place[0], pair.allocation.place[1]);
}

TEST(Allocation, CountsPredicatesForThemselves) {
  const Allocated both(flow({compute({0, 1, 2}, {}), leave({0, 1, 2})}, {2}, 2));
  EXPECT_EQ(both.allocation.rows, 2u);
  EXPECT_EQ(both.allocation.predicates, 2u);
}

TEST(Allocation, LeavesUnusedRegistersWithoutAPlace) {
  const Allocated unused(flow({compute({1}, {}), leave({1})}, {1, 1}));
  EXPECT_EQ(unused.allocation.place[0], Allocation::kUnused);
}

TEST(Allocation, GivesPlacesToRegistersThatAreOnlyRead) {
  const Allocated reads(flow({compute({}, {0}), leave({0})}, {1}));
  EXPECT_NE(reads.allocation.place[0], Allocation::kUnused);
  EXPECT_EQ(reads.check(), "");
}

TEST(Allocation, CopesWithUnreachableCode) {
  const Allocated code(flow({jump(3), compute({0}, {1}), compute({1}, {0}), leave({1})}, {1, 2}));
  EXPECT_EQ(code.check(), "");
}

TEST(CheckAllocation, FindsAPlaceThatIsTakenTooEarly) {
  Allocated two(flow({compute({0}, {}), compute({1}, {}), leave({0, 1})}, {1, 1}));
  EXPECT_EQ(two.check(), "");
  two.allocation.place[1] = two.allocation.place[0];
  EXPECT_THAT(two.check(), HasSubstr("register 0 is live where instruction 1 writes register 1"));
}

TEST(CheckAllocation, FindsRegistersOfTwoWidthsInOneRow) {
  Allocated chain(flow({compute({0}, {}), compute({1}, {0}), leave({1})}, {1, 2}));
  chain.allocation.place[0] = chain.allocation.place[1];
  EXPECT_THAT(chain.check(), HasSubstr("another width"));
}

TEST(CheckAllocation, FollowsBackEdges) {
  Allocated loop(
      flow({compute({0}, {}), compute({}, {0}), compute({1}, {}), branch(1), leave()}, {1, 1}));
  loop.allocation.place[1] = loop.allocation.place[0];
  EXPECT_NE(loop.check(), "");
}

FlowFunction random_function(std::mt19937& random) {
  const std::uint32_t count = 5 + random() % 60, registers = 2 + random() % 20;
  Ids rows;
  for (std::uint32_t r = 0; r < registers; ++r) rows.push_back(1u << random() % 3);
  std::vector<FlowInstruction> instructions;
  for (std::uint32_t i = 0; i < count; ++i) {
    FlowInstruction instruction;
    const auto total = registers + 4;
    for (std::uint32_t k = random() % 3; k > 0; --k) instruction.reads.push_back(random() % total);
    for (std::uint32_t k = random() % 3; k > 0; --k) {
      const std::uint32_t r = random() % total;
      if (instruction.writes.empty() || instruction.writes[0] != r) instruction.writes.push_back(r);
    }
    instruction.conditional = random() % 4 == 0;
    if (random() % 4 == 0) instruction.targets.push_back(random() % (count + 1));
    if (random() % 8 == 0) instruction.falls_through = false;
    instructions.push_back(std::move(instruction));
  }
  return flow(std::move(instructions), rows, 4);
}

/// Runs a function along a random path twice, with registers of its own and in the places it was
/// given; every read of a register that was written must bring the same value. Returns the first
/// instruction that reads a wrong one, or the number of instructions.
std::uint32_t first_wrong_read(const FlowFunction& function, const Allocation& allocation,
                               std::mt19937& random) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<std::uint64_t> virtual_value(function.registers.size(), 0);
  std::vector<std::uint64_t> rows(allocation.rows, 0), predicates(allocation.predicates, 0);
  const auto cells = [&](std::uint32_t r) {
    const bool general = function.registers[r].file == FlowRegister::File::general;
    auto& file = general ? rows : predicates;
    return std::span(file).subspan(allocation.place[r], general ? function.registers[r].rows : 1);
  };
  std::uint64_t serial = 0;
  for (std::uint32_t i = 0, steps = 0; i < count && steps < 300; ++steps) {
    const FlowInstruction& instruction = function.instructions[i];
    for (const std::uint32_t r : instruction.reads) {
      if (virtual_value[r] == 0) continue;  // unwritten: any value will do
      for (const std::uint64_t cell : cells(r)) {
        if (cell != virtual_value[r]) return i;
      }
    }
    if (!instruction.conditional || random() % 2 == 0) {
      for (const std::uint32_t r : instruction.writes) {
        virtual_value[r] = ++serial;
        for (std::uint64_t& cell : cells(r)) cell = serial;
      }
    }
    const auto& targets = instruction.targets;
    if (!targets.empty() && (!instruction.falls_through || random() % 2 == 0)) {
      i = targets[random() % targets.size()];
    } else if (instruction.falls_through) {
      ++i;
    } else {
      break;
    }
  }
  return count;
}

TEST(Allocation, ChangesNoValueOnRandomPathsThroughRandomPrograms) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const Allocated program(random_function(random));
    ASSERT_EQ(program.check(), "") << "trial " << trial;
    for (int path = 0; path < 5; ++path) {
      ASSERT_EQ(first_wrong_read(program.function, program.allocation, random),
                program.function.instructions.size())
          << "trial " << trial;
    }
  }
}

TEST(Allocation, NeedsNoMoreThanIsLiveInStraightLineCode) {
  // Without branches live ranges form an interval graph, which first fit by start colours
  // optimally.
  std::mt19937 random(3);
  std::vector<FlowInstruction> code;
  Ids live, rows;
  std::size_t most = 0;
  for (std::uint32_t r = 0; r < 5000; ++r) {
    FlowInstruction instruction = compute({r}, {});
    rows.push_back(1);
    while (live.size() > 1 && random() % 40 < live.size()) {
      const std::size_t k = random() % live.size();
      instruction.reads.push_back(live[k]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(k));
    }
    live.push_back(r);
    most = std::max(most, live.size());
    code.push_back(std::move(instruction));
  }
  code.push_back(leave(live));
  const Allocated straight(flow(std::move(code), rows));
  EXPECT_EQ(straight.allocation.rows, most);
}

TEST(Allocation, TakesTheLargestKernelsInItsStride) {
  // 2,000 loops in a row, each of five blocks of which some are skipped: 100,000 instructions.
  // Fifty accumulators live all the way; each block computes with ten registers of its own.
  std::mt19937 random(5);
  constexpr std::uint32_t kAccumulators = 50, kBlocks = 10000, kBlockSize = 10;
  std::vector<FlowInstruction> code;
  Ids rows(kAccumulators + kBlocks * kBlockSize, 1), all;
  for (std::uint32_t r = 0; r < kAccumulators; ++r) {
    code.push_back(compute({r}, {}));
    all.push_back(r);
  }
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    const auto start = static_cast<std::uint32_t>(code.size());
    const std::uint32_t own = kAccumulators + block * kBlockSize;
    code.push_back(compute({own}, {}));
    for (std::uint32_t i = 1; i + 1 < kBlockSize; ++i) {
      code.push_back(
          compute({own + i}, {own + i - 1, own + static_cast<std::uint32_t>(random() % i)}));
    }
    const std::uint32_t accumulator = random() % kAccumulators;
    code.push_back(compute({accumulator}, {accumulator, own + kBlockSize - 2}));
    if (block % 5 == 4) {
      code.back().targets.push_back(start - 4 * kBlockSize);
    } else if (block % 5 < 3 && random() % 2 == 0) {
      code.back().targets.push_back(start + 2 * kBlockSize);
    }
  }
  code.push_back(leave(all));
  const Allocated large(flow(std::move(code), rows));
  EXPECT_EQ(large.check(), "");
  EXPECT_LE(large.allocation.rows, kAccumulators + kBlockSize);
}

TEST(Allocation, TakesAFunctionInWhichEverythingIsLive) {
  constexpr std::uint32_t kRegisters = 50000;
  std::vector<FlowInstruction> code;
  Ids all;
  for (std::uint32_t r = 0; r < kRegisters; ++r) {
    code.push_back(compute({r}, {}));
    all.push_back(r);
  }
  code.push_back(leave(all));
  const Allocated wide(flow(std::move(code), Ids(kRegisters, 1)));
  EXPECT_EQ(wide.allocation.rows, kRegisters);
}

}  // namespace
}  // namespace raddle::ptx
