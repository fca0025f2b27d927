// The one CUDA runtime of a process: device, memory, registered code, errors. The runtime API and
// the driver API are two faces of it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "cuda/device/call_lock.h"
#include "cuda/device/device.h"
#include "cuda/modules/registry.h"
#include "cuda/options.h"
#include "cuda/refusal.h"
#include "cuda/runtime/virtual_memory.h"
#include "machine/config.h"
#include "machine/profile.h"
#include "memory/address_space.h"
#include "report/run_report.h"
#include "report/trace.h"

namespace raddle::isa {
class Loader;
}
namespace raddle::corun {
class Connection;
}

namespace raddle::cuda {

class Runtime {
 public:
  /// The process's own, made at the first call: reads the options and the GPU description. Throws
  /// Error when they are wrong.
  static Runtime& instance();
  /// The runtime of instance(); nullptr before its first call.
  static Runtime* existing();
  /// Code is registered before main, when nothing else of the runtime may be made yet.
  static Registry& registry();
  static CallLock& mutex();

  explicit Runtime(Options options);
  ~Runtime();

  const machine::GpuConfig& config() const { return *config_; }
  const isa::Loader& loader() const { return *loader_; }
  memory::AddressSpace& space() { return *space_; }
  /// The timeline that this process writes; nullptr for none.
  report::Trace* trace() { return trace_.get(); }
  VirtualMemory& virtual_memory() { return *virtual_memory_; }
  Device& device() { return *device_; }
  const Options& options() const { return options_; }

  // Errors. Each thread remembers its last one; a fault of the device stays.
  cudaError_t record(cudaError_t error);
  cudaError_t last_error(bool clear);
  /// The code that every call after a fault returns; cudaSuccess before a fault.
  cudaError_t sticky() const;
  /// Prints an error to standard error, each text once.
  void tell(const std::string& text);
  /// The same for a wrong call of the program. For each API function, only a few texts are
  /// reported.
  void tell_mistake(const std::string& entry, const std::string& text);
  /// Counts a launch of a kernel that cannot run (runtime/unsupported.h). The end of the run
  /// reports the count.
  void count_refused_launch() { ++refused_launches_; }

  // Code.
  const isa::Program& load(Module& module);
  /// The loaded kernel behind a host function or handle. Refuses unknown ones.
  Kernel& kernel(const void* host_or_handle);
  /// Address and size of a registered variable. Refuses unknown symbols.
  const isa::Variable& variable(const void* host);
  void load_managed();
  unsigned sm_version() const;

  // Streams and events by handle. They refuse unknown ones.
  Stream& stream(const void* handle);
  Event& event(const void* handle);
  Event* create_event(unsigned flags);
  void destroy_event(Event* event);

  // Memory by handle.
  std::string next_name(const char* call);  // "cudaMalloc #3"

  /// A value that the program adds to its statistics; the last value of a name counts.
  void report(const std::string& name, double value) { reported_[name] = value; }

  std::map<int, std::size_t>& limits() { return limits_; }
  unsigned& device_flags() { return device_flags_; }

  /// Bytes of a bank of shared memory as kernels see it: 4 or 8 where the GPU can do both, else the
  /// GPU's fixed size. Setting it (0: as described) has no effect with a fixed size; no kernel may
  /// be running.
  unsigned shared_banks() const;
  void set_shared_banks(unsigned bytes);

  /// cudaDeviceReset: waits for all work, then frees all objects of the program and loads its code
  /// again at the next use. A fault is over, but the process has lost the device.
  void reset();
  /// The code that calls return after a fault and a reset, if they need the device (NVIDIA H200,
  /// CUDA 13.0). Reports once why.
  cudaError_t lost();
  /// Each reset calls `forget`, which drops references to the device from outside this class.
  void at_reset(std::function<void()> forget) { at_reset_.push_back(std::move(forget)); }

  /// Called before code of the program is unloaded: waits for work that may need the code, unless
  /// the process is ending and the work is cut off (finish).
  void release_code();
  /// Called at the process's end: ends all work, prints the kernels' output, writes the statistics.
  /// A call never returns if exit() was called in a signal handler within it or in another thread;
  /// the work that such a call waits for is cut off.
  void finish();
  /// Writes the results so far: the process ends by the signal `ending` or by a function of that
  /// name. `stop`: the process does not continue, and running work is recorded as stopped. Takes no
  /// lock; the caller makes sure that no thread simulates.
  void save(const std::string& ending, bool stop);

  /// Ends the process if all launches that were asked for have ended (raddle run --stop-after).
  /// Called between cycles.
  void end_after_launches();

 private:
  void end_work(bool cut_short);
  void name_files();
  void attach_tools();
  void tell_fault_count();
  void tell_limits();
  void share_gpu();
  /// `ended`: how the process ends; "": it continues.
  report::Run run_so_far(const std::string& ended) const;
  /// Reports errors, here and to the process that started this one, which then fails.
  void write_results(bool interrupted);
  void write_result(const char* what, const std::function<void()>& write);

  Options options_;
  std::map<std::string, std::string> settings_;  // settings that differ from the GPU's description
  std::unique_ptr<machine::GpuConfig> config_;
  std::unique_ptr<isa::Loader> loader_;
  std::unique_ptr<corun::Connection> connection_;  // nullptr: this process alone uses the GPU
  std::unique_ptr<memory::AddressSpace> space_;
  std::unique_ptr<VirtualMemory> virtual_memory_;
  std::unique_ptr<Device> device_;
  std::set<Event*> events_;
  std::vector<std::function<void()>> at_reset_;
  std::map<std::string, unsigned> names_;
  std::map<std::string, unsigned> mistakes_;  // by API function
  std::uint64_t refused_launches_ = 0;
  std::map<int, std::size_t> limits_;
  std::map<std::string, double> reported_;
  unsigned device_flags_ = 0;
  unsigned described_banks_;  // shared.mode_bytes of the description
  int process_;               // its id: children by fork() have the same runtime
  unsigned number_;           // among the processes of a run, from 1
  double started_;            // seconds, of the real clock
  std::unique_ptr<report::Trace> trace_;
  std::unique_ptr<machine::Profile> profile_;
  bool ends_ = false;  // exit() runs its handlers
  bool finished_ = false;
  std::string ending_;  // the signal or function that ends the process; "": exit()
  bool lost_ = false, lost_told_ = false;
  bool told_too_new_ = false;
};

/// Makes each reset of the device empty this table of handles. Returns the argument.
template <class Table>
Table* forgotten_at_reset(Table* table) {
  Runtime::instance().at_reset([table] { table->clear(); });
  return table;
}

}  // namespace raddle::cuda
