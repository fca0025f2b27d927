// Timelines of whole runs: slices nest, and are as long as the statistics say.
#include "report/trace.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "kernels.h"
#include "machine/chip.h"
#include "machine/config.h"
#include "trace_help.h"

namespace raddle::report {
namespace {

using namespace test;
using machine::test::Machine;
using nlohmann::json;

struct Slice {
  std::string name;
  double start, end;
  json args;
};
/// [process, thread]: slices in the order of their start.
using Rows = std::map<std::pair<int, int>, std::vector<Slice>>;

Rows rows_of(const json& events) {
  Rows rows;
  for (const json& event : events) {
    if (event["ph"] != "X") continue;
    const double start = event["ts"], length = event["dur"];
    EXPECT_GE(start, 0);
    EXPECT_GE(length, 0);
    rows[{event["pid"], event["tid"]}].push_back(
        {event["name"], start, start + length, event["args"]});
  }
  for (auto& [row, slices] : rows) {
    std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
      return std::pair(a.start, -a.end) < std::pair(b.start, -b.end);
    });
  }
  return rows;
}

/// Each slice of a row lies within the one around it, or begins after it. The file's times are in
/// thousandths; sums of them are not exact.
void expect_nested(const Rows& rows) {
  constexpr double kHalf = 0.0005;
  for (const auto& [row, slices] : rows) {
    std::vector<double> around;
    for (const Slice& slice : slices) {
      while (!around.empty() && around.back() <= slice.start + kHalf) around.pop_back();
      if (!around.empty()) {
        EXPECT_LE(slice.end, around.back() + kHalf) << slice.name;
      }
      around.push_back(slice.end);
    }
  }
}

struct Traced {
  Scratch file{".json"};
  std::vector<machine::GridRecord> grids;
  json events;
};

std::unique_ptr<Traced> run() {
  auto traced = std::make_unique<Traced>();
  Machine machine((std::string(machine::test::kAddIndex) + machine::test::kReverse).c_str());
  Trace trace(traced->file.path(), 1, machine.gpu());
  machine.gpu().observe(trace, 100);
  machine.launch("add_index", 60, 256);
  machine.launch("reverse", 90, 256);  // beside it, in the same stream's rows
  machine.run();
  machine.launch("reverse", 5, 256);
  machine.run();
  trace.finish();
  traced->grids = machine.gpu().take_ended();
  traced->events = events_of(traced->file.path());
  return traced;
}

TEST(Trace, SlicesNestInEveryRow) {
  const auto traced = run();
  expect_nested(rows_of(traced->events));
}

// As kernels that kernels launch do.
TEST(Trace, AKernelThatStartsInTheLastCycleOfAnotherHasItsOwnRow) {
  const Scratch file(".json");
  Machine machine(machine::test::kReverse);
  Trace trace(file.path(), 1, machine.gpu());
  machine::GridRecord first, second, third;
  first.id = 1, second.id = 2, third.id = 3;
  first.start_cycle = 100, second.start_cycle = 199, third.start_cycle = 200;
  first.end_cycle = 200, second.end_cycle = third.end_cycle = 400;
  trace.block_started(first, {0, 0, 0}, 0, 0, 100);
  trace.block_ended(0, 0, 1, 199);
  trace.grid_ended(first);
  trace.block_started(second, {0, 0, 0}, 0, 0, 199);
  trace.block_started(third, {0, 0, 0}, 1, 0, 200);
  trace.block_ended(0, 0, 1, 400);
  trace.block_ended(1, 0, 1, 400);
  trace.grid_ended(second);
  trace.grid_ended(third);
  trace.finish();
  expect_nested(rows_of(events_of(file.path())));
}

TEST(Trace, KernelsLastAsLongAsTheStatisticsSay) {
  const auto traced = run();
  machine::GpuConfig config;
  std::map<std::uint64_t, Slice> kernels;
  for (const auto& [row, slices] : rows_of(traced->events)) {
    for (const Slice& slice : slices) {
      if (slice.args.contains("queued_cycles")) kernels.emplace(slice.args["grid"], slice);
    }
  }
  ASSERT_EQ(kernels.size(), 3u);
  for (const machine::GridRecord& grid : traced->grids) {
    const Slice& slice = kernels.at(grid.id);
    const double mhz = core_mhz(config);
    EXPECT_EQ(slice.name, grid.kernel);
    EXPECT_EQ(slice.args["cycles"], grid.end_cycle - grid.start_cycle);
    EXPECT_EQ(slice.args["warp_instructions"], grid.warp_instructions);
    EXPECT_NEAR(slice.start, static_cast<double>(grid.start_cycle) / mhz, 0.001);
    EXPECT_NEAR(slice.end, static_cast<double>(grid.end_cycle) / mhz, 0.001);
  }
}

TEST(Trace, EveryBlockIsThereWithinItsKernel) {
  const auto traced = run();
  std::map<std::uint64_t, std::uint64_t> blocks, instructions;
  for (const auto& [row, slices] : rows_of(traced->events)) {
    for (const Slice& slice : slices) {
      if (!slice.args.contains("block")) continue;
      const std::uint64_t id = slice.args["grid"];
      ++blocks[id];
      instructions[id] += slice.args["warp_instructions"].get<std::uint64_t>();
      const auto grid = std::find_if(traced->grids.begin(), traced->grids.end(),
                                     [&](const auto& one) { return one.id == id; });
      ASSERT_NE(grid, traced->grids.end());
      EXPECT_LE(slice.args["cycles"], grid->end_cycle - grid->start_cycle);
    }
  }
  EXPECT_EQ(blocks, (std::map<std::uint64_t, std::uint64_t>{{1, 60}, {2, 90}, {3, 5}}));
  for (const machine::GridRecord& grid : traced->grids) {
    EXPECT_EQ(instructions[grid.id], grid.warp_instructions);
  }
}

/// A counter's value holds until its next one, so the area under IPC is the number of instructions.
TEST(Trace, RatesAddUpToWhatWasCounted) {
  const auto traced = run();
  machine::GpuConfig config;
  double area = 0, value = 0, since = 0;
  for (const json& event : traced->events) {
    if (event["ph"] != "C" || event["name"] != "IPC") continue;
    const double at = event["ts"];
    EXPECT_GE(at, since);  // monotone
    area += value * (at - since) * core_mhz(config);
    value = event["args"]["value"];
    since = at;
  }
  EXPECT_EQ(value, 0);
  double instructions = 0;
  for (const auto& grid : traced->grids)
    instructions += static_cast<double>(grid.warp_instructions);
  EXPECT_NEAR(area, instructions, 0.02 * instructions);
}

TEST(Trace, CallsAndCopiesHaveRows) {
  const Scratch file(".json.gz");
  Machine machine(machine::test::kAddIndex);
  Trace trace(file.path(), 1, machine.gpu());
  trace.copy(Trace::Engine::to_device, "copy", 4096, 0, 1500, 3500);
  trace.call(0, "cudaMemcpy", 0, 4000);
  trace.finish();
  const Rows rows = rows_of(events_of(file.path()));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.begin()->second[0].name, "cudaMemcpy");
  EXPECT_EQ(rows.begin()->second[0].end, 4);  // microseconds
  EXPECT_EQ(rows.rbegin()->second[0].args["bytes"], 4096);
}

TEST(Trace, EndsAtItsLimitAndSaysSoOnce) {
  constexpr std::uint64_t kMost = 20'000;
  const Scratch file(".json");
  Machine machine(machine::test::kAddIndex);
  std::vector<std::string> told;
  Trace trace(file.path(), 1, machine.gpu());
  trace.end_at(kMost, [&](const std::string& text) { told.push_back(text); });
  machine.gpu().observe(trace, 1);
  for (int n = 0; n < 3; ++n) {
    machine.launch("add_index", 60, 256);
    machine.run();
  }
  trace.finish();
  ASSERT_EQ(told.size(), 1u);
  std::size_t marks = 0;
  const json events = events_of(file.path());
  for (const json& event : events) marks += event.at("name") == told.front();
  EXPECT_EQ(marks, 1u);
  EXPECT_EQ(events.back().at("name"), told.front());
  const auto bytes = std::filesystem::file_size(file.path());
  EXPECT_GE(bytes, kMost);
  EXPECT_LT(bytes, kMost + 1000);  // an event and the mark
}

}  // namespace
}  // namespace raddle::report
