// The device as its streams see it, and the host's virtual clock: starts commands when what they
// follow has ended and their unit is free, and lets the GPU run along.
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
  /// `make`: machine::Gpu's.
  Device(const machine::GpuConfig& config, memory::AddressSpace& space,
         machine::EngineMaker make = {});

  // The host's clock.
  Nanoseconds host_time() const { return host_time_; }
  /// An API call that costs the host `cost`: time passes for the device too.
  void spend(Nanoseconds cost);

  // Streams. The handles 0 and 1 (legacy default) and 2 (per-thread default) are resolved here.
  Stream* create_stream(unsigned flags, int priority);
  /// Its work still ends; then it goes.
  void destroy_stream(Stream* stream);
  /// The stream behind a handle; nullptr for one that does not exist.
  Stream* stream(const void* handle);
  Stream& legacy() { return *legacy_; }

  // Work.
  /// Puts a command into a stream; it starts no earlier than the host's present time. Orders it
  /// against the legacy default stream (CUDA programming guide, "Default Stream").
  CompletionPtr submit(Stream& stream, Command command);
  /// Completed when all that is now in `stream` has ended.
  CompletionPtr tail(const Stream& stream) const;
  bool finished(const Stream& stream);

  // Waiting: the host's clock goes on to the moment. Other threads of the program may call meanwhile
  // (share()), and what the caller knows of streams, events and memory may have changed.
  /// False when it can never happen: the device failed, or work waits for itself.
  bool wait_for(CompletionPtr completion);
  bool wait_for(const Stream& stream) { return wait_for(tail(stream)); }
  bool wait_for_all();

  /// Ends all work, as it is: kernels that run are in launches() as stopped. Between cycles; nothing
  /// can be submitted any more.
  void stop();

  /// In the middle of a simulated cycle: what is counted is not to be read, and nothing to be stopped.
  /// Asked by other threads, too, while the one that simulates stands still.
  bool in_cycle() const { return in_cycle_; }
  /// The thread that simulates runs a handler of a signal, or has left one by a jump: the call that it
  /// was in does not go on before.
  bool paused() const { return paused_; }

  /// As new, after a fault too: streams are gone and queued work is dropped; the clocks go on.
  /// `free_memory`: machine::Gpu::reset().
  void reset(const std::function<void()>& free_memory);

  /// Whether work is queued or running.
  bool busy() const;
  /// Whether kernels were launched (into that stream) of which the host does not know that they have
  /// ended: no call has waited for them or found it out. Only below compute capability 6.0.
  bool unawaited_kernels() const { return !unawaited_.empty(); }
  bool unawaited_kernels_of(std::uint32_t stream) const { return unawaited_.contains(stream); }
  /// The host has learnt what has ended.
  void forget_awaited();
  /// Whether a kernel was launched, since the device is as new, that may call printf; malloc or free.
  bool launched_printing() const { return launched_printing_; }
  bool launched_using_heap() const { return launched_using_heap_; }
  /// The kernel launched last; nullptr before the first.
  const isa::Function* latest_kernel() const { return latest_kernel_; }
  /// Whether a thread waits for work, and simulates: between cycles others may ask.
  bool awaited() const { return awaited_; }
  /// Threads that wait for `calls`, which is held whenever the device is used, get it while another
  /// waits for work.
  void share(CallLock& calls) { calls_ = &calls; }
  /// The device goes on by as much, but no further than its work; the host's clock stays.
  void run_ahead(Nanoseconds time);

  /// From now on lines on stderr tell how far the GPU is.
  void show_progress();
  /// From now on calls `look` between cycles while the GPU works, some hundred times per second.
  void at_safe_points(std::function<void()> look) { look_ = std::move(look); }
  /// Says on standard error why, and where the warps of the kernels that run are: at most `most`
  /// places. Between cycles.
  void tell_where_warps_are(const std::string& why, unsigned most);
  /// Takes that line away before something else is printed.
  void hide_progress();

  /// From now on what happens is written to `trace`, which must outlive the device's work.
  void trace(report::Trace& trace) { trace_ = &trace; }
  /// The host's thread `thread` is in an API call that began at host time `begin`.
  void enter_call(std::uint32_t thread, Nanoseconds begin) { call_ = {thread, begin}; }

  machine::Gpu& gpu() { return gpu_; }
  memory::AddressSpace& space() { return space_; }
  const machine::HostConfig& costs() const { return config_.host; }

  /// How long the host has been at it, of the process's time.
  double simulating_seconds() const { return simulating_seconds_; }
  /// How often a stream has been looked at: what calls cost.
  std::uint64_t looks() const { return looks_; }
  /// The first fault of a kernel since the device was made; sticky.
  isa::Fault::Kind fault() const { return fault_; }
  /// Work other than a kernel has failed as a kernel does.
  void fail(isa::Fault::Kind kind, const std::string& text);
  /// Text printed by kernels goes to the program's standard output, what the machine has to say to
  /// standard error.
  void flush_printed();
  /// Says on standard error what is wrong, the same text once; it counts as an error of the program
  /// (run_register.h).
  void tell(const std::string& text);
  /// The same of what is not wrong.
  void remark(const std::string& text);
  /// Faults that were told.
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

  /// The machine has failed in the middle of a cycle: it must not be asked to go on.
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
  // Streams by id, which is the order of their creation. A call costs what it touches: nothing
  // below goes through all streams but failing and resetting.
  std::map<std::uint32_t, std::unique_ptr<Stream>> streams_;  // 0: legacy default
  std::unordered_set<const void*> handles_;                   // of those not destroyed
  Stream* legacy_ = nullptr;
  std::map<std::uint64_t, Stream*> per_thread_;  // by thread
  std::uint32_t next_stream_ = 1;
  std::uint32_t last_stream_ = 0;         // of the last call that gave work
  bool gave_work_ = false;                // since the last spend(), with which each call begins
  std::set<std::uint32_t> busy_;          // have commands that have not ended
  std::set<std::uint32_t> ready_;         // may start their next command
  std::set<std::uint32_t> since_legacy_;  // blocking, given work since the legacy stream was
  std::vector<std::uint32_t> gone_;       // destroyed, and now their work has ended too
  Nanoseconds legacy_earliest_ = 0;       // what its commands so far have waited for
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
  const bool keeps_unawaited_;                                    // on a GPU where somebody asks
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
