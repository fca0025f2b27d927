#include "cuda/device/device.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/result_pipe.h"
#include "cuda/refusal.h"
#include "isa/kernel_name.h"
#include "machine/chip_config.h"
#include "machine/host_config.h"

namespace raddle::cuda {

namespace {

constexpr unsigned kStuckPlaces = 8;

/// std::chrono::steady_clock to some milliseconds, at a fifth of the host time: in functional runs
/// every short block ends with a read of it.
std::chrono::steady_clock::time_point coarse_now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                               std::chrono::nanoseconds(time.tv_nsec));
}

/// A small number for the calling thread, in the order of the threads' first calls.
std::uint64_t thread_number() {
  static std::uint64_t next = 0;
  thread_local const std::uint64_t mine = next++;
  return mine;
}

}  // namespace

Device::Device(const machine::GpuConfig& config, memory::AddressSpace& space,
               machine::EngineMaker make)
    : config_(config),
      space_(space),
      gpu_(config, space, std::move(make)),
      keeps_unawaited_(config.gpu.compute_major < 6),
      stuck_notice_(config.host.stuck_notice) {
  legacy_ = &add_stream(0);
  copy_engines_.resize(config.host.copy_engines, 0);
  gpu_.watch([this](const machine::Progress& progress) { watch(progress); });
}

void Device::show_progress() {
  using Kind = ProgressLine::Kind;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  progress_ = std::make_unique<ProgressLine>(stderr, terminal ? Kind::terminal : Kind::file);
}

/// A signal handler may end the process (Runtime::finish), or never return here.
void Device::let_signals_in() {
  if (held_signals_ == nullptr) return;
  in_cycle_ = false;
  paused_ = true;
  held_signals_->let_in();
  paused_ = false;
  in_cycle_ = true;
}

void Device::watch(const machine::Progress& progress) {
  const auto now = coarse_now();
  if (now != let_in_) let_signals_in();
  let_in_ = now;
  if (look_) look_();
  if (progress_ != nullptr) progress_->update(progress, gpu_.nanoseconds(progress.now), now);
  if (!stuck_notice_.due(progress, now)) return;
  tell_where_warps_are(
      fmt::format("for {:.0f} s no kernel has ended, and no block of {}; this is where its warps "
                  "are, in case it never ends (host.stuck_notice)",
                  stuck_notice_.seconds(), isa::kernel_name(progress.grid->kernel)),
      kStuckPlaces);
}

void Device::tell_where_warps_are(const std::string& why, unsigned most) {
  flush_printed();
  hide_progress();
  if (ftrylockfile(stdout) == 0) {  // a thread may be stuck in it
    fflush_unlocked(stdout);
    funlockfile(stdout);
  }
  const std::string places = gpu_.where_warps_are(most);
  std::fprintf(stderr, "raddle: %s%s%s\n", why.c_str(), places.empty() ? "; no kernel runs" : "\n",
               places.c_str());
}

void Device::hide_progress() {
  if (progress_ != nullptr) progress_->clear();
}

void Device::spend(Nanoseconds cost) {
  host_time_ += cost;
  gave_work_ = false;
  if (!advancing_) advance(host_time_, nullptr);
}

Stream* Device::create_stream(unsigned flags, int priority) {
  Stream& stream = add_stream(next_stream_++);
  stream.flags = flags;
  stream.priority = priority;
  return &stream;
}

Stream& Device::add_stream(std::uint32_t id) {
  std::unique_ptr<Stream>& made = streams_[id];
  made = std::make_unique<Stream>();
  made->id = id;
  handles_.insert(made.get());
  return *made;
}

void Device::destroy_stream(Stream* stream) {
  stream->destroyed = true;
  handles_.erase(stream);
  if (stream->waiting.empty()) drop_stream(stream->id);
}

void Device::drop_stream(std::uint32_t id) {
  since_legacy_.erase(id);
  streams_.erase(id);
}

Stream* Device::stream(const void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number <= 1) return legacy_;
  if (number == 2) {
    Stream*& mine = per_thread_[thread_number()];
    if (mine == nullptr) mine = create_stream(0, 0);
    return mine;
  }
  if (!handles_.contains(handle)) return nullptr;
  return static_cast<Stream*>(const_cast<void*>(handle));
}

CompletionPtr Device::submit(Stream& stream, Command command) {
  // A graph's nodes run in streams of its own: only the call's first work counts.
  if (!std::exchange(gave_work_, true) && std::exchange(last_stream_, stream.id) != stream.id) {
    host_time_ += costs().stream_change;
  }
  command.earliest = (command.begun < 0 ? host_time_ : command.begun) + command.lead;
  command.arrives = command.earliest + costs().launch_latency;
  command.thread = call_.thread;
  command.call = call_.begin;
  order_against_legacy(stream, command);
  CompletionPtr completion = command.completion;
  if (fault_ != isa::Fault::Kind::none) {
    completion->done = true;
    completion->time = host_time_;
    return completion;
  }
  if (command.engine == Engine::sms) {
    launched_printing_ |= command.launch.kernel->prints;
    launched_using_heap_ |= command.launch.kernel->uses_heap;
    if (keeps_unawaited_) note_unawaited(command);
  }
  stream.last = completion;
  stream.waiting.push_back(std::move(command));
  if (stream.waiting.size() == 1) {
    busy_.insert(stream.id);
    ready_.insert(stream.id);
  }
  if (!advancing_) advance(host_time_, nullptr);
  return completion;
}

void Device::order_against_legacy(Stream& stream, Command& command) {
  if (&stream == legacy_) {
    // Only work since the last command of the legacy stream: the earlier work is waited for
    // already.
    looks_ += since_legacy_.size();
    for (const std::uint32_t id : since_legacy_) {
      const CompletionPtr& last = streams_.at(id)->last;
      if (!last->done) command.after.push_back(last);
    }
    since_legacy_.clear();
  } else if (!stream.non_blocking()) {
    const CompletionPtr& last = legacy_->last;
    if (last && !last->done) command.after.push_back(last);
    since_legacy_.insert(stream.id);
  }
}

CompletionPtr Device::tail(const Stream& stream) const {
  if (stream.last) return stream.last;
  auto reached = std::make_shared<Completion>();
  reached->done = true;
  return reached;
}

bool Device::finished(const Stream& stream) {
  if (stream.last && !stream.last->done) return false;
  forget_awaited();
  return true;
}

void Device::reset(const std::function<void()>& free_memory) {
  require(!advancing_, cudaErrorNotPermitted);  // called by a host function of a stream
  if (fault_ == isa::Fault::Kind::none) wait_for_all();
  flush_printed();
  running_.clear();
  kernels_.clear();
  per_thread_.clear();
  // The default stream keeps its address, so that no old handle refers to another stream.
  std::erase_if(streams_, [](const auto& one) { return one.first != 0; });
  *legacy_ = {};
  handles_ = {legacy_};
  ready_.clear();
  busy_.clear();
  unawaited_.clear();
  latest_kernel_ = nullptr;
  launched_printing_ = launched_using_heap_ = false;
  since_legacy_.clear();
  gone_.clear();
  std::fill(copy_engines_.begin(), copy_engines_.end(), 0);
  memory_engine_ = 0;
  fault_ = isa::Fault::Kind::none;
  gpu_.reset(free_memory);
}

void Device::stop() {
  gpu_.stop();
  for (const machine::GridRecord& grid : gpu_.take_ended()) launches_.add(grid);
}

bool Device::busy() const { return !busy_.empty(); }

/// Whether all work that the stream's next command waits for has ended. Otherwise the stream is
/// woken when one of these commands ends.
bool Device::may_start(Stream& stream) {
  Command& command = stream.waiting.front();
  while (!command.after.empty()) {
    Completion& before = *command.after.back();
    if (!before.done) {
      before.waiters.push_back(stream.id);
      return false;
    }
    command.earliest = std::max(command.earliest, before.time);
    command.after.pop_back();
  }
  if (&stream == legacy_) {
    legacy_earliest_ = command.earliest = std::max(command.earliest, legacy_earliest_);
  }
  return true;
}

Nanoseconds Device::take_engine(Engine engine, Nanoseconds earliest, Nanoseconds duration) {
  Nanoseconds* unit = &memory_engine_;
  if (engine == Engine::to_device || engine == Engine::to_host) {
    // With at least two engines, one serves each direction.
    const std::size_t index = engine == Engine::to_host && copy_engines_.size() > 1 ? 1 : 0;
    unit = &copy_engines_[index];
  }
  const Nanoseconds start = std::max(earliest, *unit);
  *unit = start + duration;
  return *unit;
}

bool Device::start(Stream& stream) {
  ++looks_;
  if (!may_start(stream)) return false;
  Command& command = stream.waiting.front();
  const Nanoseconds ready = std::max(command.earliest, device_time_);
  stream.running = true;
  if (command.engine == Engine::sms) {
    command.launch.queue = stream.id;
    const Nanoseconds at = std::max(command.arrives, ready + costs().follow_latency);
    const machine::GridId grid = gpu_.launch(std::move(command.launch), gpu_.cycles(at));
    kernels_[grid] = &stream;
    if (trace_ != nullptr) trace_->launched(grid, command.thread, command.call);
  } else if (command.engine == Engine::none && command.duration == 0) {
    finish(stream, ready);
  } else {
    const Nanoseconds end = take_engine(command.engine, ready, command.duration);
    running_.insert({end, next_running_++, &stream});
    if (trace_ != nullptr) trace_copy(stream, command, end);
  }
  return true;
}

void Device::trace_copy(const Stream& stream, const Command& command, Nanoseconds end) {
  using Row = report::Trace::Engine;
  const Row row = command.engine == Engine::to_device ? Row::to_device
                  : command.engine == Engine::to_host ? Row::to_host
                                                      : Row::on_device;
  trace_->copy(row, command.name, command.bytes, stream.id, end - command.duration, end);
}

bool Device::start_ready() {
  bool any = false, again = true;
  while (again) {
    again = false;
    // Each stream has its turn, in order of creation. A stream that becomes ready behind the
    // present one waits for the next round.
    auto next = ready_.begin();
    while (next != ready_.end()) {
      const std::uint32_t id = *next;
      ready_.erase(next);
      again |= start(*streams_.at(id));
      next = ready_.upper_bound(id);
    }
    any |= again;
  }
  return any;
}

void Device::finish(Stream& stream, Nanoseconds time) {
  Command command = std::move(stream.waiting.front());
  stream.waiting.pop_front();
  stream.running = false;
  if (!stream.waiting.empty()) {
    ready_.insert(stream.id);
  } else {
    busy_.erase(stream.id);
    if (stream.destroyed) gone_.push_back(stream.id);
  }
  complete(*command.completion, time);
  if (command.action) command.action();
}

void Device::complete(Completion& completion, Nanoseconds time) {
  completion.done = true;
  completion.time = time;
  latest_ = std::max(latest_, time);
  ready_.insert(completion.waiters.begin(), completion.waiters.end());
  completion.waiters = {};
  if (calls_ != nullptr) calls_->wake_all();
}

bool Device::finish_running(Nanoseconds limit) {
  const auto first = running_.begin();
  if (first == running_.end() || first->end > limit) return false;
  const Running ended = *first;
  running_.erase(first);
  device_time_ = std::max(device_time_, ended.end);
  finish(*ended.stream, ended.end);
  return true;
}

void Device::simulate(Cycle limit, const std::atomic<unsigned>& wanted) {
  if (gpu_.idle()) return gpu_.advance(limit, wanted);
  const HeldSignals held;
  held_signals_ = &held;
  in_cycle_ = true;
  const auto leave = [](Device* device) {
    device->in_cycle_ = device->paused_ = false;
    device->held_signals_ = nullptr;
  };
  const std::unique_ptr<Device, decltype(leave)> left(this, leave);
  gpu_.advance(limit, wanted);
}

void Device::run_gpu(Nanoseconds limit, const std::atomic<unsigned>& wanted) {
  try {
    simulate(limit == kForever ? kNever : gpu_.cycles(limit), wanted);
  } catch (const Error& error) {
    // Usually a mistake of a mechanism. The running kernels are in the middle of a cycle and cannot
    // continue.
    fail(isa::Fault::Kind::machine, error.what());
    fault_ = isa::Fault::Kind::machine;
    return fail_all();
  }
  const std::vector<machine::GridRecord> ended = gpu_.take_ended();
  for (const machine::GridRecord& grid : ended) {
    const auto found = kernels_.find(grid.id);
    if (grid.completed && found != kernels_.end()) {
      Stream* stream = found->second;
      kernels_.erase(found);
      finish(*stream, gpu_.nanoseconds(grid.end_cycle));
    }
    launches_.add(grid);
  }
  collect_faults();
  if (!ended.empty() && look_) look_();
}

/// Runs to `limit`, or until `until` is done, or until no event is left.
void Device::advance(Nanoseconds limit, const Completion* until) {
  advance(limit, until, machine::kUnwanted);
}

/// The same, but also stops when `wanted` is not 0 and an event has happened; then returns true.
bool Device::advance(Nanoseconds limit, const Completion* until,
                     const std::atomic<unsigned>& wanted) {
  advancing_ = true;
  bool stopped = false;
  const auto begin = std::chrono::steady_clock::now();
  while (!stopped && (until == nullptr || !until->done)) {
    const bool started = start_ready();
    if (until != nullptr && until->done) break;
    Nanoseconds next = limit;
    if (!running_.empty()) next = std::min(next, running_.begin()->end);
    const Cycle before = gpu_.now();
    const std::size_t kernels = kernels_.size();
    const bool busy = !broken() && !gpu_.idle();
    if (busy || (next != kForever && !broken())) run_gpu(next, wanted);
    stopped = wanted.load(std::memory_order_relaxed) != 0;
    const bool gpu_moved = kernels_.size() != kernels;
    const bool gpu_on_its_way = stopped && busy && gpu_.nanoseconds(gpu_.now()) < next;
    if (!gpu_moved && !gpu_on_its_way && finish_running(limit)) continue;
    if (gpu_moved || started || gpu_on_its_way) {
      device_time_ = std::max(device_time_, std::min(next, gpu_.nanoseconds(gpu_.now())));
      continue;
    }
    if (limit == kForever && busy && gpu_.now() != before) continue;
    break;
  }
  const bool reached = until != nullptr && until->done;
  if (limit != kForever && !reached) device_time_ = std::max(device_time_, limit);
  advancing_ = false;
  simulating_seconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  hide_progress();
  for (const std::uint32_t id : std::exchange(gone_, {})) drop_stream(id);
  return stopped && !reached;
}

void Device::fail(isa::Fault::Kind kind, const std::string& text) {
  tell(text);
  if (fault_ == isa::Fault::Kind::none && !config_.gpu.keep_going) fault_ = kind;
}

void Device::collect_faults() {
  for (const machine::FaultReport& report : gpu_.take_faults()) {
    hide_progress();
    flush_printed();
    std::fflush(stdout);
    const WithoutWriteSignals quiet;
    std::fprintf(stderr, "%s%s", report.text.c_str(),
                 !report.text.empty() && report.text.back() == '\n' ? "" : "\n");
    note_error();
    ++faults_told_;
    if (config_.gpu.keep_going) continue;
    if (fault_ == isa::Fault::Kind::none) fault_ = report.kind;
  }
  if (fault_ != isa::Fault::Kind::none) fail_all();
}

/// Ends all commands: after a fault no command runs, and callers that wait get the error code.
void Device::fail_all() {
  const Nanoseconds now = std::max(device_time_, gpu_.nanoseconds(gpu_.now()));
  running_.clear();
  kernels_.clear();
  for (const std::uint32_t id : busy_) {
    Stream& stream = *streams_.at(id);
    for (Command& command : stream.waiting) complete(*command.completion, now);
    stream.waiting.clear();
    stream.running = false;
    if (stream.destroyed) gone_.push_back(id);
  }
  busy_.clear();
  ready_.clear();
}

void Device::flush_printed() {
  const std::string text = gpu_.take_printed();
  if (!text.empty()) {
    hide_progress();
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  if (const std::uint64_t lost = gpu_.take_lost_prints(); lost != 0 && !lost_prints_told_) {
    lost_prints_told_ = true;
    remark(fmt::format(
        "the output of {} printf calls in kernels is lost: the buffer was full, and what was "
        "printed "
        "first made room (cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...) makes it larger)",
        lost));
  }
  for (const std::string& one : gpu_.take_told()) tell(one);
}

void Device::tell(const std::string& text) {
  if (!told_.contains(text)) note_error();
  remark(text);
}

void Device::remark(const std::string& text) {
  if (!told_.insert(text).second) return;
  hide_progress();
  std::fflush(stdout);
  const WithoutWriteSignals quiet;  // a message without a reader ends no program
  std::fprintf(stderr, "raddle: %s\n", text.c_str());
}

}  // namespace raddle::cuda
