// The timeline of a run: host calls, copies, kernels by stream, blocks by multiprocessor, counters.
// Times are simulated nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/gpu.h"
#include "machine/observer.h"
#include "report/trace_file.h"

namespace raddle::report {

class Trace : public machine::Observer {
 public:
  enum class Engine : std::uint8_t { to_device, to_host, on_device };

  /// The timeline of process number `process` of a run, from 1. Throws Error when the file cannot
  /// be written. Pass the object to `gpu`.observe(). `other`: as for TraceFile.
  Trace(const std::string& file, unsigned process, const machine::Gpu& gpu,
        const std::string& other = "");

  /// When the file has so many bytes, it takes a mark instead of further events, and `tell` gets a
  /// message for the screen. finish() still writes its usual part.
  void end_at(std::uint64_t most_bytes, std::function<void(const std::string&)> tell);

  /// A call of the CUDA API by a host thread.
  void call(std::uint32_t thread, std::string_view name, double begin, double end);
  /// A copy by a copy engine, or within the device's memory.
  void copy(Engine engine, std::string_view name, std::uint64_t bytes, std::uint32_t stream,
            double begin, double end);
  /// The call that began at `begin` launched `grid`: an arrow will show this.
  void launched(machine::GridId grid, std::uint32_t thread, double begin);

  void block_started(const machine::GridRecord& grid, const Dim3& index, unsigned sm, unsigned slot,
                     Cycle at) override;
  void block_ended(unsigned sm, unsigned slot, std::uint64_t warp_instructions, Cycle at) override;
  void grid_ended(const machine::GridRecord& grid) override;
  void sample(Cycle now, const machine::QueueDepths& queues) override;

  /// Ends the open events and writes everything, with a mark for each line of `ending`
  /// (ending_line()). Throws Error when the file could not be written.
  void finish(const std::string& ending = "");

 private:
  /// A row of the timeline; Perfetto groups them by process.
  struct Row {
    unsigned process, thread;
    friend auto operator<=>(const Row&, const Row&) = default;
  };
  struct OpenGrid {
    machine::GridRecord record;
    Row row{};
  };
  struct OpenBlock {
    machine::GridId grid = 0;  // 0: vacant
    std::string name;          // as JSON
    Dim3 index;
    Cycle start = 0;
  };
  /// A rate, from the sum of some counters.
  struct Rate {
    const char* name;
    double factor;  // value = factor * increase / cycles
    std::vector<const Counter*> counters;
    std::uint64_t last = 0;
    std::uint64_t sum() const;
  };
  struct Launch {
    std::uint32_t thread;
    double begin;
  };

  void add(std::string_view event);
  void mark(const std::string& name);
  void name_process(unsigned process, std::string_view name, unsigned order);
  void name_row(Row row, std::string_view name);
  void slice(Row row, std::string_view json_name, double begin, double end, std::string_view args);
  void counter(std::string_view name, double at, double value);
  void add_rate(const char* name, double factor,
                std::initializer_list<std::pair<const char*, const char*>> counters);
  void rates(Cycle until);
  void queues(double at, const machine::QueueDepths& queues);
  Row stream_row(std::uint32_t stream, Cycle start);
  void write_grid(const OpenGrid& grid, Cycle end);
  void write_block(unsigned sm, unsigned slot, const OpenBlock& block, std::uint64_t instructions,
                   Cycle end);
  double ns(Cycle cycle) const { return gpu_.nanoseconds(cycle); }

  TraceFile file_;
  std::uint64_t most_bytes_ = std::numeric_limits<std::uint64_t>::max();
  std::function<void(const std::string&)> tell_;
  bool full_ = false;
  const machine::Gpu& gpu_;
  std::map<Row, bool> named_;
  std::map<unsigned, bool> named_processes_;
  std::map<machine::GridId, OpenGrid> grids_;
  std::map<machine::GridId, Launch> launches_;  // of grids that have not started
  std::vector<std::vector<OpenBlock>> blocks_;  // [sm][slot]
  /// [stream][row]: when the kernel on the row ended; kNever: a kernel is on it.
  std::map<std::uint32_t, std::vector<Cycle>> lanes_;
  unsigned resident_ = 0;  // blocks
  std::vector<Rate> rates_;
  Cycle sampled_ = 0;  // the next rates are from here on
};

}  // namespace raddle::report
