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
  /// Whether instance() was ever made.
  static Runtime* existing();
  /// Code is registered before main, when nothing else of the runtime may be made yet.
  static Registry& registry();
  static CallLock& mutex();

  explicit Runtime(Options options);
  ~Runtime();

  const machine::GpuConfig& config() const { return *config_; }
  const isa::Loader& loader() const { return *loader_; }
  memory::AddressSpace& space() { return *space_; }
  /// The timeline that is being written; nullptr for none.
  report::Trace* trace() { return trace_.get(); }
  VirtualMemory& virtual_memory() { return *virtual_memory_; }
  Device& device() { return *device_; }
  const Options& options() const { return options_; }

  // Errors. Each thread remembers its last one; a fault of the device stays.
  cudaError_t record(cudaError_t error);
  cudaError_t last_error(bool clear);
  /// What every call after a fault returns; cudaSuccess while the device is well.
  cudaError_t sticky() const;
  /// Tells a person, once for each text.
  void tell(const std::string& text);
  /// The same for a call that the program got wrong; of one API function only so many are told.
  void tell_mistake(const std::string& entry, const std::string& text);
  /// Of a kernel that cannot run (runtime/unsupported.h): how many there were is told at the end.
  void count_refused_launch() { ++refused_launches_; }

  // Code.
  const isa::Program& load(Module& module);
  /// The kernel behind a host function or handle, loaded. Refuses unknown ones.
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

  /// A value that the program adds to its statistics; the last of a name counts.
  void report(const std::string& name, double value) { reported_[name] = value; }

  std::map<int, std::size_t>& limits() { return limits_; }
  unsigned& device_flags() { return device_flags_; }

  /// Bytes of a bank of shared memory as kernels see it: 4 or 8 where the GPU can do both, else what
  /// it has. Setting it (0: as described) has no effect there; nothing may be running.
  unsigned shared_banks() const;
  void set_shared_banks(unsigned bytes);

  /// cudaDeviceReset: waits for all work, then frees all that the program made and loads its code
  /// afresh when it is next used. A fault is over, but the process has lost the device.
  void reset();
  /// After a fault and a reset: what calls return that need the device (NVIDIA H200, CUDA 13.0), and
  /// a message, once, that says why.
  cudaError_t lost();
  /// `forget` is called by each reset: it drops what refers to the device from outside this class.
  void at_reset(std::function<void()> forget) { at_reset_.push_back(std::move(forget)); }

  /// Code of the program is about to go: waits for what may need it, unless the process ends and it is cut
  /// off (finish).
  void release_code();
  /// Ends all work, prints what kernels printed, writes the statistics: at the process's end. What a
  /// call waits for that does not return any more, since exit() was called in its signal handler or in
  /// another thread, is cut off.
  void finish();
  /// Writes the results as they are: the process ends in another way, by the signal `ending` or by a
  /// function of that name. `stop`: for good, and what runs is recorded as stopped. Touches no lock;
  /// the caller sees to it that nobody simulates.
  void save(const std::string& ending, bool stop);

  /// Ends the process if all launches that were asked for have ended (raddle run --stop-after). Between
  /// cycles.
  void end_after_launches();

 private:
  void end_work(bool cut_short);
  void name_files();
  void attach_tools();
  void tell_fault_count();
  void tell_limits();
  void share_gpu();
  /// `ended`: how the process ends; "": it goes on.
  report::Run run_so_far(const std::string& ended) const;
  /// Tells what goes wrong, here and to who started the process, which then fails.
  void write_results(bool interrupted);
  void write_result(const char* what, const std::function<void()>& write);

  Options options_;
  std::map<std::string, std::string> settings_;  // that are not as the GPU is described
  std::unique_ptr<machine::GpuConfig> config_;
  std::unique_ptr<isa::Loader> loader_;
  std::unique_ptr<corun::Connection> connection_;  // nullptr: the GPU is the process's own
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
  std::string ending_;  // by what the process is about to end; "": exit()
  bool lost_ = false, lost_told_ = false;
  bool told_too_new_ = false;
};

/// A process's table of handles that a reset of the device empties: the argument.
template <class Table>
Table* forgotten_at_reset(Table* table) {
  Runtime::instance().at_reset([table] { table->clear(); });
  return table;
}

}  // namespace raddle::cuda
