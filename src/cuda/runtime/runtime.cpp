#include "cuda/runtime/runtime.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "base/document_file.h"
#include "base/error.h"
#include "base/lifeline.h"
#include "base/memory_limits.h"
#include "base/numbered_file.h"
#include "base/output_file.h"
#include "base/result_pipe.h"
#include "corun/remote_engine.h"
#include "cuda/run_register.h"
#include "cuda/runtime/device_queries.h"
#include "cuda/runtime/endings.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/managed_access.h"
#include "cuda/runtime/too_new.h"
#include "machine/chip_config.h"
#include "machine/load_store/config.h"
#include "machine/loader.h"
#include "machine/mechanism.h"
#include "machine/settings.h"
#include "report/profile.h"
#include "report/provenance.h"

namespace raddle::cuda {

namespace {

constexpr const char* kEnoughLaunches = "--stop-after";  // how a run with --stop-after ends

Runtime* g_runtime = nullptr;  // never destroyed: programs call from their own exit handlers

void finish_now() {
  if (g_runtime != nullptr) g_runtime->finish();
}

/// Called when the library is loaded, before the program makes its static objects. The results are
/// then written after the destructors of these objects, which may still launch kernels.
[[gnu::constructor]] void finish_last() {
  const auto finish = [] {
    // Registered again: a signal handler may call exit() while this call waits for kernels.
    std::atexit(finish_now);
    finish_now();
  };
  std::atexit(finish);
  std::at_quick_exit(finish);
}

/// How long the end of the process waits for a thread that is in a call and does not simulate.
constexpr auto kToLetIn = std::chrono::seconds(1);

thread_local cudaError_t t_last_error = cudaSuccess;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string program_name() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

/// The process's command line, without its first word.
std::vector<std::string> program_arguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

/// `changed` receives the settings that differ from the description.
std::unique_ptr<machine::GpuConfig> configure(const Options& options,
                                              std::map<std::string, std::string>& changed) {
  auto config = machine::load_gpu(options.gpu);
  const machine::FieldValues described = machine::values_of(*config);
  for (std::size_t i = 0; i < machine::mechanism_kinds().size(); ++i) {
    const machine::MechanismKind& kind = machine::mechanism_kinds()[i];
    if (version_of_runtime() != 0 && kind.suit_runtime != nullptr) {
      kind.suit_runtime(*config->mechanisms[i].settings, version_of_runtime());
    }
  }
  config->set("gpu.functional", options.functional ? "true" : "false");
  config->set("gpu.threads", std::to_string(options.threads));
  config->set("gpu.keep_going", options.keep_going ? "true" : "false");
  std::vector<std::string> settings;
  for (const auto& [path, value] : options.settings) settings.push_back(path + "=" + value);
  machine::change(*config, settings, options.with);
  changed = machine::changed_since(described);
  return config;
}

std::unique_ptr<corun::Connection> connect(const Options& options) {
  if (options.corun.empty()) return nullptr;
  return std::make_unique<corun::Connection>(options.corun, options.lenient);
}

cudaError_t error_of(isa::Fault::Kind kind) {
  using Kind = isa::Fault::Kind;
  switch (kind) {
    case Kind::none:
      return cudaSuccess;
    case Kind::out_of_bounds:
    case Kind::use_after_free:
    case Kind::read_only:
    case Kind::bad_free:
      return cudaErrorIllegalAddress;
    case Kind::misaligned:
      return cudaErrorMisalignedAddress;
    case Kind::wrong_space:
      return cudaErrorInvalidAddressSpace;
    case Kind::refused_function:
      return cudaErrorNotSupported;
    case Kind::null_function:
      return cudaErrorInvalidPc;
    case Kind::assertion:
      return cudaErrorAssert;
    case Kind::illegal_instruction:
    case Kind::missing_lanes:
      return cudaErrorIllegalInstruction;
    case Kind::stack_overflow:
      return cudaErrorHardwareStackError;
    case Kind::deadlock:
      return cudaErrorLaunchTimeout;
    case Kind::machine:
      return cudaErrorUnknown;
    default:
      return cudaErrorLaunchFailure;
  }
}

}  // namespace

Runtime& Runtime::instance() {
  if (g_runtime == nullptr) {
    watch_lifeline();
    g_runtime = new Runtime(options_from_environment());
    catch_endings(*g_runtime);
    g_runtime->device_->at_safe_points([] {
      end_if_asked(*g_runtime);
      g_runtime->end_after_launches();
    });
    std::atexit([] { g_runtime->ends_ = true; });
  }
  return *g_runtime;
}

Runtime* Runtime::existing() { return g_runtime; }

Registry& Runtime::registry() {
  static auto* registry = new Registry;
  return *registry;
}

CallLock& Runtime::mutex() {
  static auto* mutex = new CallLock;
  return *mutex;
}

Runtime::Runtime(Options options)
    : options_(std::move(options)),
      config_(configure(options_, settings_)),
      loader_(std::make_unique<isa::Loader>(machine::make_loader(*config_))),
      connection_(connect(options_)),
      space_(std::make_unique<memory::AddressSpace>(
          config_->gpu.memory_bytes,
          memory::Protection{config_->gpu.guard_bytes, config_->gpu.quarantine_bytes},
          connection_ == nullptr ? nullptr : &connection_->windows())),
      virtual_memory_(std::make_unique<VirtualMemory>(
          *space_, connection_ == nullptr ? 0 : connection_->windows().client)),
      device_(std::make_unique<Device>(
          *config_, *space_,
          connection_ == nullptr ? machine::EngineMaker{} : corun::remote_engines(*connection_))),
      described_banks_(config_->shared.mode_bytes),
      process_(getpid()),
      number_(register_process()),
      started_(now_seconds()) {
  device_->share(mutex());
  if (connection_ == nullptr) {
    add_device_queries(*loader_);
  } else {
    share_gpu();
  }
  loader_->be({options_.lenient, sm_version(), machine::gpu_name(*config_),
               [this](const std::string& text) { device_->remark(text); }});
  tell_limits();
  if (options_.progress) device_->show_progress();
  if (options_.each_launch) {
    device_->launches().keep_each();
    device_->launches().measure(device_->gpu().measure_launches(), options_.launch_statistics);
  }
  name_files();
  attach_tools();
}

/// Connects to the GPU of another process.
void Runtime::share_gpu() {
  if (space_->limited() != 0) {
    fail("raddle corun: the program must not be limited to less address space (ulimit -v)");
  }
  connection_->follow(*space_);
  loader_->tell_loads(connection_.get());
}

/// Reports a process with less address space than the simulated GPU has memory.
void Runtime::tell_limits() {
  if (space_->limited() == 0) return;
  constexpr std::uint64_t kMegabyte = 1 << 20;
  tell(fmt::format(
      "the process is limited to {} MB of address space (ulimit -v): the GPU has {} MB of memory "
      "instead of {} MB",
      space_->limited() / kMegabyte, space_->capacity() / kMegabyte,
      config_->gpu.memory_bytes / kMegabyte));
}

/// Each process of a program writes its own timeline.
void Runtime::name_files() {
  if (!options_.trace_file.empty()) {
    options_.trace_file = numbered_file(options_.trace_file, number_);
  }
}

void Runtime::attach_tools() {
  machine::Gpu& gpu = device_->gpu();
  write_result("the results of the timeline", [&] {
    if (options_.trace_file.empty()) return;
    trace_ = std::make_unique<report::Trace>(options_.trace_file, number_, gpu,
                                             report::run_json(run_so_far("")));
    trace_->end_at(options_.trace_limit * 1'000'000,
                   [this](const std::string& text) { device_->remark(text); });
    gpu.observe(*trace_, options_.trace_interval);
    device_->trace(*trace_);
  });
  if (options_.profile) {
    profile_ = std::make_unique<machine::Profile>();
    gpu.profile(*profile_);
  }
}

Runtime::~Runtime() = default;

cudaError_t Runtime::record(cudaError_t error) {
  // "Not ready" is an answer, not an error.
  if (error != cudaSuccess && error != cudaErrorNotReady) t_last_error = error;
  return error;
}

cudaError_t Runtime::last_error(bool clear) {
  if (const cudaError_t failed = sticky(); failed != cudaSuccess) return failed;
  const cudaError_t error = t_last_error;
  if (clear) t_last_error = cudaSuccess;
  return error;
}

cudaError_t Runtime::lost() {
  if (!lost_) return cudaSuccess;
  if (!std::exchange(lost_told_, true)) {
    tell(
        "a kernel faulted earlier in this process: cudaDeviceReset does not bring the device back, "
        "only a new process can use it");
  }
  return cudaErrorDevicesUnavailable;
}

cudaError_t Runtime::sticky() const { return error_of(device_->fault()); }

void Runtime::tell(const std::string& text) { device_->tell(text); }

void Runtime::tell_mistake(const std::string& entry, const std::string& text) {
  constexpr unsigned kMost = 20;
  const unsigned told = mistakes_[entry]++;
  if (told < kMost) tell(text);
  if (told == kMost) tell(fmt::format("further errors in calls of {} are not reported", entry));
}

const isa::Program& Runtime::load(Module& module) {
  return module.program(*loader_, *space_, sm_version(), [&](const Module::Unfit& code) {
    const bool run = options_.lenient || !options_.gpu_named;
    const std::string text = too_new(code, *config_, options_.gpu_named);
    if (!run) fail("{}\n  to run it all the same: --lenient", text);
    if (!std::exchange(told_too_new_, true))
      device_->remark(text + "\n  raddle runs the code all the same");
  });
}

/// The code for an unknown kernel: a bad handle in CUDA 13 (NVIDIA H200, CUDA 13.0).
static cudaError_t no_such_kernel() {
  return version_of_runtime() >= 13000 ? cudaErrorInvalidResourceHandle
                                       : cudaErrorInvalidDeviceFunction;
}

Kernel& Runtime::kernel(const void* host_or_handle) {
  Kernel* kernel = registry().kernel(host_or_handle);
  require(kernel != nullptr, no_such_kernel(),
          fmt::format("{} is not a kernel of this program", host_or_handle));
  load(*kernel->module);
  if (kernel->function == nullptr) {
    fail("{}: the PTX has no kernel {}", kernel->module->name(), kernel->name);
  }
  load_managed();
  return *kernel;
}

const isa::Variable& Runtime::variable(const void* host) {
  const Registry::Variable* registered = registry().variable(host);
  if (registered == nullptr) {
    refuse(cudaErrorInvalidSymbol,
           fmt::format("{} is not a __device__ or __constant__ variable of this program", host));
  }
  load(*registered->module);
  const isa::Variable* variable = registered->module->variable(registered->name);
  require(variable != nullptr, cudaErrorInvalidSymbol);
  return *variable;
}

void Runtime::load_managed() {
  for (const auto& [begin, end] : registry().managed_sections()) {
    note_managed_section(*this, begin, end);
  }
  for (Registry::Managed& managed : registry().managed()) {
    if (managed.placed) continue;
    load(*managed.module);
    const isa::Variable* variable = managed.module->variable(managed.name);
    require(variable != nullptr, cudaErrorInvalidSymbol);
    if (managed.pointer != nullptr) {
      *managed.pointer = reinterpret_cast<void*>(variable->address);
      note_managed(*this, variable->address, variable->size, false);
    }
    managed.placed = true;
  }
}

Stream& Runtime::stream(const void* handle) {
  Stream* stream = device_->stream(handle);
  if (stream == nullptr) {
    refuse(cudaErrorInvalidResourceHandle,
           fmt::format("{} is not a stream, or was destroyed", handle));
  }
  return *stream;
}

Event& Runtime::event(const void* handle) {
  auto* event = static_cast<Event*>(const_cast<void*>(handle));
  if (!events_.contains(event)) {
    refuse(cudaErrorInvalidResourceHandle,
           fmt::format("{} is not an event, or was destroyed", handle));
  }
  return *event;
}

Event* Runtime::create_event(unsigned flags) {
  auto* event = new Event;
  event->flags = flags;
  events_.insert(event);
  return event;
}

void Runtime::destroy_event(Event* event) {
  require(events_.erase(event) == 1, cudaErrorInvalidResourceHandle,
          fmt::format("{} is not an event, or was destroyed", static_cast<const void*>(event)));
  delete event;
}

std::string Runtime::next_name(const char* call) {
  return fmt::format("{} #{}", call, ++names_[call]);
}

unsigned Runtime::shared_banks() const {
  return std::min(config_->shared.bank_bytes.value(), config_->shared.mode_bytes.value());
}

void Runtime::set_shared_banks(unsigned bytes) {
  if (connection_ != nullptr && bytes != 0 && bytes != config_->shared.mode_bytes) {
    return device_->remark(
        "cudaDeviceSetSharedMemConfig: the width of shared memory's banks is the GPU's, which "
        "programs "
        "share (raddle corun): it stays as it is");
  }
  config_->shared.mode_bytes = bytes == 0 ? described_banks_ : bytes;
}

void Runtime::reset() {
  const cudaError_t failed = sticky();
  lost_ = lost_ || failed != cudaSuccess;
  device_->reset([this] {
    for (const auto& forget : at_reset_) forget();
    registry().unload_all();
    virtual_memory_->clear();
    for (const memory::Allocation* one : space_->live()) {
      const Address base = one->base;
      if (space_->free(base) == memory::AddressSpace::FreeResult::not_an_allocation) {
        space_->unregister_host(reinterpret_cast<void*>(base));
      }
    }
  });
  for (Event* event : events_) delete event;
  events_.clear();
  limits_.clear();
  device_flags_ = 0;
  set_shared_banks(0);
  t_last_error = failed;
}

void Runtime::release_code() {
  if (!ends_) mutex().lock();
  if (ends_ && !mutex().try_lock_for(kToLetIn)) return;
  try {
    if (!ends_ || !device_->awaited()) device_->wait_for_all();
  } catch (const std::exception& error) {  // the program expects none
    tell(error.what());
  }
  mutex().unlock();
}

void Runtime::finish() {
  // A child by fork() does not report what belongs to its parent.
  if (getpid() != process_) return;
  const bool locked = mutex().try_lock_for(kToLetIn);
  if (!finished_) {
    open_managed(*this);  // for good
    // Work that is cut off stays so: this thread keeps the mutex, so that no other continues it.
    const bool cut_short = !locked || device_->awaited();
    if (cut_short && !device_->in_cycle()) device_->stop();
    end_work(cut_short);
    finished_ = true;
    write_results(cut_short);
    if (cut_short) return;
  }
  if (locked) mutex().unlock();
}

void Runtime::end_work(bool cut_short) {
  try {
    if (!cut_short) device_->wait_for_all();
    device_->flush_printed();
    if (config_->gpu.keep_going) tell_fault_count();
    if (refused_launches_ != 0) {
      const bool one = refused_launches_ == 1;
      device_->remark(fmt::format("{} launch{} refused: results of {} are missing",
                                  refused_launches_, one ? " was" : "es were",
                                  one ? "this kernel" : "these kernels"));
    }
  } catch (const std::exception& error) {
    tell(error.what());
  }
}

void Runtime::end_after_launches() {
  if (options_.most_launches == 0 || device_->launches().count() < options_.most_launches) return;
  save(kEnoughLaunches, true);
  end_process(0);
}

void Runtime::save(const std::string& ending, bool stop) {
  if (finished_) return;
  ending_ = ending;
  const bool cut_short = ending.starts_with("SIG") || ending == kEnoughLaunches || device_->busy();
  finished_ = stop;
  if (stop) device_->stop();
  write_results(cut_short);
  if (!stop) ending_.clear();  // an exec may fail: later results are then written again
}

/// Writes each result even if another one failed.
void Runtime::write_results(bool interrupted) {
  const report::Run run = run_so_far(ending_.empty() ? "exit" : ending_);
  const auto marked = [&](const std::string& json) {
    return interrupted ? with_first_member(json, "\"interrupted\": true") : json;
  };
  write_result("the results of the timeline", [&] {
    if (trace_ != nullptr) trace_->finish(report::ending_line(run, interrupted));
  });
  write_result("the results of the profile", [&] {
    if (profile_ == nullptr) return;
    send_result(Result::profile, number_, marked(report::profile_json(run, *profile_)));
  });
  write_result("the statistics", [&] {
    if (!options_.statistics) return;
    send_result(Result::statistics, number_, marked(report::statistics_json(run)));
  });
}

void Runtime::write_result(const char* what, const std::function<void()>& write) {
  try {
    write();
  } catch (const std::exception& error) {
    tell_failed_output(fmt::format("{} are lost: {}", what, reason(error)));
  }
}

void Runtime::tell_fault_count() {
  const unsigned told = device_->faults_told();
  std::uint64_t instructions = 0;
  for (const Counter* counter : device_->gpu().statistics().counters()) {
    if (counter->name() == "faults") instructions = counter->value();
  }
  device_->remark(told == 0 ? "no fault was found"
                            : fmt::format("{} fault{} in all, each reported once; {} warp "
                                          "instruction{} faulted",
                                          told, told == 1 ? "" : "s", instructions,
                                          instructions == 1 ? "" : "s"));
}

report::Run Runtime::run_so_far(const std::string& ended) const {
  report::Run run;
  run.gpu = &device_->gpu();
  run.launches = &device_->launches();
  run.program_us = device_->host_time() / 1e3;
  run.mechanisms = machine::mechanism_names(*config_);
  run.program = program_name();
  run.values = reported_;
  run.wall_seconds = now_seconds() - started_;
  run.simulating_seconds = device_->simulating_seconds();
  run.started_by = options_.started_by;
  run.arguments = program_arguments();
  run.description = options_.gpu;
  run.settings = settings_;
  run.ended = ended;
  if (sticky() != cudaSuccess) run.fault = error_name(sticky());
  return run;
}

unsigned Runtime::sm_version() const { return config_->sm_version(); }

}  // namespace raddle::cuda
