// The device as its streams see it, and the host's virtual clock. Starts a command when its
// predecessors have ended and its unit is free, and lets the GPU run along.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cuda/device/call_lock.h"
#include "cuda/device/held_signals.h"
#include "cuda/device/progress_line.h"
#include "cuda/device/stream.h"
#include "cuda/device/stuck_notice.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "machine/launch_log.h"
#include "report/trace.h"

namespace raddle::cuda {

class Device {
 public:
  /// `make`: passed to machine::Gpu.
  Device(const machine::GpuConfig& config, memory::AddressSpace& space,
         machine::EngineMaker make = {});

  // The host's clock.
  Nanoseconds host_time() const { return host_time_; }
  /// Spends the `cost` of an API call on the host's clock; the device advances to the same time.
  void spend(Nanoseconds cost);

  // Streams. The handles 0 and 1 (legacy default) and 2 (per-thread default) are resolved here.
  Stream* create_stream(unsigned flags, int priority);
  /// The stream finishes its work and is then removed.
  void destroy_stream(Stream* stream);
  /// The stream behind a handle; nullptr for an unknown handle.
  Stream* stream(const void* handle);
  Stream& legacy() { return *legacy_; }

  // Work.
  /// Puts a command into a stream; it starts no earlier than the host's present time. Orders it
  /// against the legacy default stream (CUDA programming guide, "Default Stream").
  CompletionPtr submit(Stream& stream, Command command);
  /// Completed when all present work of `stream` has ended.
  CompletionPtr tail(const Stream& stream) const;
  bool finished(const Stream& stream);

  // Waiting: the host's clock advances to the end of the work. Other threads of the program may
  // call meanwhile (share()), so that the caller must look up streams, events and memory again.
  /// False when the work can never end: the device failed, or work waits for itself.
  bool wait_for(CompletionPtr completion);
  bool wait_for(const Stream& stream) { return wait_for(tail(stream)); }
  bool wait_for_all();

  /// Ends all work in its present state: launches() records running kernels as stopped. Called
  /// between cycles; no work may be submitted afterwards.
  void stop();

  /// In the middle of a simulated cycle: counts must not be read, and work must not be stopped.
  /// Other threads may ask while the thread that simulates does not run.
  bool in_cycle() const { return in_cycle_; }
  /// The thread that simulates runs a signal handler, or has left one by a jump. Its call continues
  /// only after the handler returns.
  bool paused() const { return paused_; }

  /// Makes the device as new, after a fault too: streams and queued work are removed; the clocks
  /// continue. `free_memory`: as for machine::Gpu::reset().
  void reset(const std::function<void()>& free_memory);

  /// Whether work is queued or running.
  bool busy() const;
  /// Whether kernels were launched (into that stream) whose end the host does not know: no call has
  /// waited for them or queried them. Only below compute capability 6.0.
  bool unawaited_kernels() const { return !unawaited_.empty(); }
  bool unawaited_kernels_of(std::uint32_t stream) const { return unawaited_.contains(stream); }
  /// Called when the host has learnt which kernels have ended.
  void forget_awaited();
  /// Whether a launched kernel, since the device was new, may call printf (malloc or free).
  bool launched_printing() const { return launched_printing_; }
  bool launched_using_heap() const { return launched_using_heap_; }
  /// The kernel launched last; nullptr before the first.
  const isa::Function* latest_kernel() const { return latest_kernel_; }
  /// Whether a thread waits for work and simulates; between cycles other threads may ask.
  bool awaited() const { return awaited_; }
  /// The lock `calls` is held whenever the device is used. While one thread waits for work, the
  /// threads that wait for the lock get it.
  void share(CallLock& calls) { calls_ = &calls; }
  /// Advances the device by `time`, but not beyond its work; the host's clock stays.
  void run_ahead(Nanoseconds time);

  /// From this call on, lines on stderr report the progress of the GPU.
  void show_progress();
  /// From this call on, calls `look` between cycles while the GPU works, some hundred times a
  /// second.
  void at_safe_points(std::function<void()> look) { look_ = std::move(look); }
  /// Prints to standard error `why`, and where the warps of running kernels are: at most `most`
  /// places. Called between cycles.
  void tell_where_warps_are(const std::string& why, unsigned most);
  /// Erases the progress line before other output.
  void hide_progress();

  /// From this call on, writes events to `trace`, which must outlive the device's work.
  void trace(report::Trace& trace) { trace_ = &trace; }
  /// The host's thread `thread` is in an API call that began at host time `begin`.
  void enter_call(std::uint32_t thread, Nanoseconds begin) { call_ = {thread, begin}; }

  machine::Gpu& gpu() { return gpu_; }
  memory::AddressSpace& space() { return space_; }
  const machine::HostConfig& costs() const { return config_.host; }

  /// Seconds of the host that the process has spent on simulating.
  double simulating_seconds() const { return simulating_seconds_; }
  /// How often the device has looked at a stream: a measure of the cost of calls.
  std::uint64_t looks() const { return looks_; }
  /// The first fault of a kernel since the device was made; sticky.
  isa::Fault::Kind fault() const { return fault_; }
  /// Makes a fault of work other than a kernel.
  void fail(isa::Fault::Kind kind, const std::string& text);
  /// Prints the kernels' text to the program's standard output, and the machine's messages to
  /// standard error.
  void flush_printed();
  /// Prints an error to standard error, each text once; it counts as an error of the program
  /// (run_register.h).
  void tell(const std::string& text);
  /// The same for a text that is not an error.
  void remark(const std::string& text);
  /// Number of faults that were reported.
  unsigned faults_told() const { return faults_told_; }
  machine::LaunchLog& launches() { return launches_; }

 private:
  struct Call {
    std::uint32_t thread = 0;
    Nanoseconds begin = 0;
  };
  struct Running {  // a command on a unit other than the SMs
    Nanoseconds end;
    std::uint64_t order;  // of starting
    Stream* stream;
    bool operator<(const Running& other) const {
      return std::pair(end, order) < std::pair(other.end, other.order);
    }
  };

  /// The machine has failed in the middle of a cycle and must not continue.
  bool broken() const { return fault_ == isa::Fault::Kind::machine; }
  void watch(const machine::Progress& progress);
  void let_signals_in();
  void note_unawaited(const Command& command);
  void advance(Nanoseconds limit, const Completion* until);
  bool advance(Nanoseconds limit, const Completion* until, const std::atomic<unsigned>& wanted);
  void simulate_until(const Completion& done);
  Stream& add_stream(std::uint32_t id);
  void drop_stream(std::uint32_t id);
  void order_against_legacy(Stream& stream, Command& command);
  bool start_ready();
  bool start(Stream& stream);
  bool may_start(Stream& stream);
  Nanoseconds take_engine(Engine engine, Nanoseconds earliest, Nanoseconds duration);
  void trace_copy(const Stream& stream, const Command& command, Nanoseconds end);
  void finish(Stream& stream, Nanoseconds time);
  void complete(Completion& completion, Nanoseconds time);
  bool finish_running(Nanoseconds limit);
  void simulate(Cycle limit, const std::atomic<unsigned>& wanted);
  void run_gpu(Nanoseconds limit, const std::atomic<unsigned>& wanted);
  void collect_faults();
  void fail_all();

  const machine::GpuConfig& config_;
  memory::AddressSpace& space_;
  machine::Gpu gpu_;
  Nanoseconds host_time_ = 0, device_time_ = 0;
  // Streams by id, in order of creation. The cost of a call depends only on the streams that it
  // uses: only failing and resetting go through all streams.
  std::map<std::uint32_t, std::unique_ptr<Stream>> streams_;  // 0: legacy default
  std::unordered_set<const void*> handles_;                   // of streams that are not destroyed
  Stream* legacy_ = nullptr;
  std::map<std::uint64_t, Stream*> per_thread_;  // by thread
  std::uint32_t next_stream_ = 1;
  std::uint32_t last_stream_ = 0;         // of the last call that submitted work
  bool gave_work_ = false;                // since the last spend(), which each call begins with
  std::set<std::uint32_t> busy_;          // streams with commands that have not ended
  std::set<std::uint32_t> ready_;         // streams that may start their next command
  std::set<std::uint32_t> since_legacy_;  // blocking, with work newer than the legacy stream's
  std::vector<std::uint32_t> gone_;       // destroyed streams whose work has ended
  Nanoseconds legacy_earliest_ = 0;       // latest time that its commands so far have waited for
  Nanoseconds latest_ = 0;                // end of any command
  std::set<Running> running_;
  std::uint64_t next_running_ = 0;
  std::uint64_t looks_ = 0;
  double simulating_seconds_ = 0;
  std::map<machine::GridId, Stream*> kernels_;
  std::vector<Nanoseconds> copy_engines_;  // when each is free
  Nanoseconds memory_engine_ = 0;
  machine::LaunchLog launches_;
  isa::Fault::Kind fault_ = isa::Fault::Kind::none;
  bool advancing_ = false;
  const HeldSignals* held_signals_ = nullptr;       // while the GPU simulates
  std::chrono::steady_clock::time_point let_in_{};  // signals: when
  std::atomic<bool> in_cycle_{false}, paused_{false};
  bool awaited_ = false;  // a thread simulates until some work has ended; others sleep
  CallLock* calls_ = nullptr;
  report::Trace* trace_ = nullptr;
  const bool keeps_unawaited_;                                    // where managed memory needs them
  std::map<std::uint32_t, std::deque<CompletionPtr>> unawaited_;  // by stream
  const isa::Function* latest_kernel_ = nullptr;
  bool launched_printing_ = false, launched_using_heap_ = false;
  Call call_;                               // the present one; while there is a trace
  std::unique_ptr<ProgressLine> progress_;  // nullptr: none is shown
  StuckNotice stuck_notice_;
  std::function<void()> look_;
  unsigned faults_told_ = 0;
  bool lost_prints_told_ = false;
  std::set<std::string> told_;
};

}  // namespace raddle::cuda
