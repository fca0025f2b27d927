#include "report/trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "isa/kernel_name.h"
#include "machine/chip.h"
#include "machine/config.h"

namespace raddle::report {
namespace {

// Perfetto's groups of rows, from top to bottom.
enum Process : unsigned { kHost = 1, kCopies, kKernels, kCounters, kFirstSm };
/// Rows of one stream, for kernels that overlap.
constexpr unsigned kStreamRows = 1024;

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The format's microseconds, to the nanosecond. Both ends are rounded in the same way, so that
/// slices that touch or are nested in simulated time are so in the file.
struct Time {
  explicit Time(double nanoseconds) : ns(std::llround(nanoseconds)) {}
  std::int64_t ns;
};
std::string text(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

void gather(const StatGroup& group, std::string_view unit, std::string_view name,
            std::vector<const Counter*>& found) {
  if (group.name() == unit) {
    for (const Counter* counter : group.counters()) {
      if (counter->name() == name) found.push_back(counter);
    }
  }
  for (const StatGroup* child : group.children()) gather(*child, unit, name, found);
}

std::string dimensions(const Dim3& size) {
  return fmt::format("\"{} x {} x {}\"", size.x, size.y, size.z);
}

}  // namespace

std::uint64_t Trace::Rate::sum() const {
  std::uint64_t sum = 0;
  for (const Counter* counter : counters) sum += *counter;
  return sum;
}

Trace::Trace(const std::string& file, unsigned process, const machine::Gpu& gpu,
             const std::string& other)
    : file_(file, process, other), gpu_(gpu) {
  const double bytes = 32.0 * core_mhz(gpu.config()) / 1000;  // sectors per cycle to GB/s
  add_rate("active warps", 1, {{"sm", "resident_warp_cycles"}});
  add_rate("IPC", 1, {{"sm", "warp_instructions"}});
  add_rate("L1 GB/s", bytes,
           {{"l1", "hits"}, {"l1", "misses"}, {"l1", "uncached"}, {"l1", "stores"}});
  add_rate("L2 GB/s", bytes, {{"l2", "hits"}, {"l2", "misses"}, {"l2", "stores"}});
  add_rate("DRAM GB/s", bytes, {{"dram", "reads"}, {"dram", "writes"}});
}

void Trace::end_at(std::uint64_t most_bytes, std::function<void(const std::string&)> tell) {
  most_bytes_ = most_bytes;
  tell_ = std::move(tell);
}

void Trace::add(std::string_view event) {
  if (full_) return;
  file_.add(event);
  if (file_.bytes() < most_bytes_) return;
  full_ = true;
  const std::string end =
      fmt::format("the timeline has {} MB and ends here, at {:.3f} us (--trace-limit)",
                  most_bytes_ / 1'000'000, ns(gpu_.now()) / 1e3);
  mark(end);
  tell_(end);
}

/// Adds a mark at the present time, even in a full file.
void Trace::mark(const std::string& name) {
  file_.add(fmt::format(R"({{"ph":"i","s":"g","pid":1,"tid":0,"name":{},"ts":{:.3f}}})",
                        json_string(name), ns(gpu_.now()) / 1e3));
}

void Trace::add_rate(const char* name, double factor,
                     std::initializer_list<std::pair<const char*, const char*>> counters) {
  Rate rate{name, factor, {}};
  for (const auto& [unit, counter] : counters) {
    gather(gpu_.statistics(), unit, counter, rate.counters);
  }
  rates_.push_back(std::move(rate));
}

void Trace::name_process(unsigned process, std::string_view name, unsigned order) {
  if (!named_processes_.emplace(process, true).second) return;
  add(fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", process,
                  json_string(name)));
  add(fmt::format(R"({{"ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}}}})",
                  process, order));
}

void Trace::name_row(Row row, std::string_view name) {
  if (!named_.emplace(row, true).second) return;
  add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
                  row.process, row.thread, json_string(name)));
  add(fmt::format(
      R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
      row.process, row.thread));
}

void Trace::slice(Row row, std::string_view json_name, double begin, double end,
                  std::string_view args) {
  const Time from(begin), to(std::max(begin, end));
  add(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"args":{{{}}}}})",
                  row.process, row.thread, text(from.ns), text(to.ns - from.ns), json_name, args));
}

void Trace::counter(std::string_view name, double at, double value) {
  name_process(kCounters, "GPU", kCounters);
  add(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":"{}","args":{{"value":{:.4g}}}}})",
                  static_cast<unsigned>(kCounters), text(Time(at).ns), name, value));
}

void Trace::call(std::uint32_t thread, std::string_view name, double begin, double end) {
  const Row row{kHost, thread};
  name_process(kHost, "host: CUDA calls", kHost);
  name_row(row, fmt::format("thread {}", thread));
  slice(row, json_string(name), begin, end, "");
  file_.flush();
}

void Trace::copy(Engine engine, std::string_view name, std::uint64_t bytes, std::uint32_t stream,
                 double begin, double end) {
  constexpr const char* kNames[] = {"to device", "to host", "within device memory"};
  const Row row{kCopies, static_cast<unsigned>(engine)};
  name_process(kCopies, "copies", kCopies);
  name_row(row, kNames[static_cast<std::size_t>(engine)]);
  slice(row, json_string(name), begin, end,
        fmt::format(R"("bytes":{},"stream":{})", bytes, stream));
}

void Trace::launched(machine::GridId grid, std::uint32_t thread, double begin) {
  launches_[grid] = {thread, begin};
}

/// The first row of the stream without a running kernel. A kernel may start in the last cycle of
/// another one.
Trace::Row Trace::stream_row(std::uint32_t stream, Cycle start) {
  std::vector<Cycle>& busy_until = lanes_[stream];
  const auto free = std::find_if(busy_until.begin(), busy_until.end(),
                                 [start](Cycle until) { return until <= start; });
  const auto lane = static_cast<unsigned>(free - busy_until.begin());
  if (lane == busy_until.size()) busy_until.push_back(0);
  busy_until[lane] = kNever;
  const Row row{kKernels, stream * kStreamRows + lane};
  name_process(kKernels, "kernels", kKernels);
  name_row(row, stream == 0 ? "default stream" : fmt::format("stream {}", stream));
  return row;
}

void Trace::block_started(const machine::GridRecord& grid, const Dim3& index, unsigned sm,
                          unsigned slot, Cycle at) {
  if (resident_++ == 0) sampled_ = at;  // the machine was empty: the counters did not change
  auto [open, fresh] = grids_.try_emplace(grid.id);
  if (fresh) {
    open->second = {grid, stream_row(grid.stream, grid.start_cycle)};
    if (const auto launch = launches_.find(grid.id); launch != launches_.end()) {
      // An arrow from the call to the kernel.
      add(fmt::format(
          R"({{"ph":"s","id":{},"pid":{},"tid":{},"ts":{},"name":"launch","cat":"launch"}})",
          grid.id, static_cast<unsigned>(kHost), launch->second.thread,
          text(Time(launch->second.begin).ns)));
      add(fmt::format(
          R"({{"ph":"f","bp":"e","id":{},"pid":{},"tid":{},"ts":{},"name":"launch","cat":"launch"}})",
          grid.id, static_cast<unsigned>(kKernels), open->second.row.thread,
          text(Time(ns(grid.start_cycle)).ns)));
      launches_.erase(launch);
    }
  }
  if (blocks_.size() <= sm) blocks_.resize(sm + 1);
  if (blocks_[sm].size() <= slot) blocks_[sm].resize(slot + 1);
  OpenBlock& block = blocks_[sm][slot];
  if (block.grid != grid.id) block.name = json_string(isa::kernel_name(grid.kernel));
  block.grid = grid.id;
  block.index = index;
  block.start = at;
}

void Trace::block_ended(unsigned sm, unsigned slot, std::uint64_t warp_instructions, Cycle at) {
  write_block(sm, slot, blocks_[sm][slot], warp_instructions, at);
  blocks_[sm][slot].grid = 0;
  if (--resident_ != 0) return;
  rates(at);
  for (const Rate& rate : rates_) counter(rate.name, ns(at), 0);
  queues(ns(at), {});
}

void Trace::write_block(unsigned sm, unsigned slot, const OpenBlock& block,
                        std::uint64_t instructions, Cycle end) {
  const Row row{kFirstSm + sm, slot};
  name_process(row.process, fmt::format("SM {}", sm), row.process);
  name_row(row, fmt::format("block slot {}", slot));
  slice(row, block.name, ns(block.start), ns(end),
        fmt::format(R"-("block":"({},{},{})","grid":{},"cycles":{},"warp_instructions":{})-",
                    block.index.x, block.index.y, block.index.z, block.grid, end - block.start,
                    instructions));
}

void Trace::grid_ended(const machine::GridRecord& grid) {
  const auto open = grids_.find(grid.id);
  if (open == grids_.end()) return;
  open->second.record = grid;
  write_grid(open->second, grid.end_cycle);
  grids_.erase(open);
}

void Trace::write_grid(const OpenGrid& grid, Cycle end) {
  const machine::GridRecord& record = grid.record;
  slice(grid.row, json_string(isa::kernel_name(record.kernel)), ns(record.start_cycle), ns(end),
        fmt::format(R"("grid":{},"blocks":{},"threads":{},"start_cycle":{},"cycles":{},)"
                    R"("queued_cycles":{},"warp_instructions":{},"completed":{})",
                    record.id, dimensions(record.grid), dimensions(record.block),
                    record.start_cycle, end - record.start_cycle + record.counted_before,
                    record.start_cycle - std::min(record.queued, record.start_cycle),
                    record.warp_instructions, record.completed));
  lanes_[record.stream][grid.row.thread % kStreamRows] = end;
}

void Trace::sample(Cycle now, const machine::QueueDepths& depths) {
  if (resident_ == 0) return;
  rates(now);
  queues(ns(now), depths);
}

/// Writes the rates since the last call, from that time on.
void Trace::rates(Cycle until) {
  const double cycles = static_cast<double>(until > sampled_ ? until - sampled_ : 1);
  for (Rate& rate : rates_) {
    const std::uint64_t sum = rate.sum();
    counter(rate.name, ns(sampled_), rate.factor * static_cast<double>(sum - rate.last) / cycles);
    rate.last = sum;
  }
  sampled_ = until;
}

void Trace::queues(double at, const machine::QueueDepths& queues) {
  counter("queued: network", at, queues.network);
  counter("queued: L2", at, queues.l2);
  counter("queued: DRAM", at, queues.dram);
}

void Trace::finish(const std::string& ending) {
  most_bytes_ = std::numeric_limits<std::uint64_t>::max();
  full_ = false;  // the open events are few, and tell which kernel ran
  for (unsigned sm = 0; sm < blocks_.size(); ++sm) {
    for (unsigned slot = 0; slot < blocks_[sm].size(); ++slot) {
      if (blocks_[sm][slot].grid != 0) write_block(sm, slot, blocks_[sm][slot], 0, gpu_.now());
    }
  }
  for (auto& [id, grid] : grids_) {
    grid.record.completed = false;
    write_grid(grid, gpu_.now());
  }
  blocks_.clear();
  grids_.clear();
  for (std::size_t at = 0; at < ending.size(); at = ending.find('\n', at) + 1) {
    mark("This run: " + ending.substr(at, ending.find('\n', at) - at));
  }
  file_.finish();
}

}  // namespace raddle::report
