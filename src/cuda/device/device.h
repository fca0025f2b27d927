// The device as its streams see it, and the host's virtual clock: starts commands when what they
// follow has ended and their unit is free, and lets the GPU run along.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cuda/device/progress_line.h"
#include "cuda/device/stream.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "report/trace.h"

namespace raddle::cuda {

class Device {
 public:
  Device(const machine::GpuConfig& config, memory::AddressSpace& space);

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
  Stream& legacy() { return *streams_.front(); }

  /// Streams that took part in a capture take work again.
  void leave_capture(const std::shared_ptr<Capture>& capture);

  // Work.
  /// Puts a command into a stream; it starts no earlier than the host's present time. Orders it
  /// against the legacy default stream (CUDA programming guide, "Default Stream").
  CompletionPtr submit(Stream& stream, Command command);
  /// Completed when all that is now in `stream` has ended.
  CompletionPtr tail(const Stream& stream) const;
  bool finished(const Stream& stream) const;

  // Waiting: the host's clock goes on to the moment.
  /// False when it can never happen: the device failed, or work waits for itself.
  bool wait_for(const CompletionPtr& completion);
  bool wait_for(const Stream& stream) { return wait_for(tail(stream)); }
  bool wait_for_all();

  /// As new, after a fault too: streams are gone and queued work is dropped; the clocks go on.
  /// `free_memory`: machine::Gpu::reset().
  void reset(const std::function<void()>& free_memory);

  /// Whether work is queued or running.
  bool busy() const;
  /// The device goes on by as much, but no further than its work; the host's clock stays.
  void run_ahead(Nanoseconds time);

  /// From now on a line on stderr tells how far the GPU is.
  void show_progress();
  /// Takes that line away before something else is printed.
  void hide_progress();

  /// From now on what happens is written to `trace`, which must outlive the device's work.
  void trace(report::Trace& trace) { trace_ = &trace; }
  /// The host's thread `thread` is in an API call that began at host time `begin`.
  void enter_call(std::uint32_t thread, Nanoseconds begin) { call_ = {thread, begin}; }

  machine::Gpu& gpu() { return gpu_; }
  memory::AddressSpace& space() { return space_; }
  const machine::HostConfig& costs() const { return config_.host; }

  /// The first fault of a kernel since the device was made; sticky.
  isa::Fault::Kind fault() const { return fault_; }
  /// Work other than a kernel has failed as a kernel does.
  void fail(isa::Fault::Kind kind, const std::string& text);
  /// Text printed by kernels goes to the program's standard output, what the machine has to say to
  /// standard error.
  void flush_printed();
  /// Says it on standard error, the same text once.
  void tell(const std::string& text);
  const std::vector<machine::GridRecord>& grids() const { return grids_; }

 private:
  struct Call {
    std::uint32_t thread = 0;
    Nanoseconds begin = 0;
  };
  struct Running {  // a command on a unit other than the SMs
    Stream* stream;
    Nanoseconds end;
  };

  void advance(Nanoseconds limit, const Completion* until);
  bool start_ready();
  bool start(Stream& stream);
  Nanoseconds start_time(const Stream& stream) const;
  Nanoseconds take_engine(Engine engine, Nanoseconds earliest, Nanoseconds duration);
  void trace_copy(const Stream& stream, const Command& command, Nanoseconds end);
  void finish(Stream& stream, Nanoseconds time);
  bool finish_running(Nanoseconds limit);
  void run_gpu(Nanoseconds limit);
  void collect_faults();
  void fail_all();

  const machine::GpuConfig& config_;
  memory::AddressSpace& space_;
  machine::Gpu gpu_;
  Nanoseconds host_time_ = 0, device_time_ = 0;
  std::vector<std::unique_ptr<Stream>> streams_;  // [0] legacy default
  std::map<std::uint64_t, Stream*> per_thread_;   // by thread
  std::uint32_t next_stream_ = 1;
  std::vector<Running> running_;
  std::map<machine::GridId, Stream*> kernels_;
  std::vector<Nanoseconds> copy_engines_;  // when each is free
  Nanoseconds memory_engine_ = 0;
  std::vector<machine::GridRecord> grids_;
  isa::Fault::Kind fault_ = isa::Fault::Kind::none;
  bool advancing_ = false;
  report::Trace* trace_ = nullptr;
  Call call_;                               // the present one; while there is a trace
  std::unique_ptr<ProgressLine> progress_;  // nullptr: none is shown
  std::set<std::string> told_;
};

}  // namespace raddle::cuda
