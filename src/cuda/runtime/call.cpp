#include "cuda/runtime/call.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/result_pipe.h"
#include "cuda/runtime/contexts.h"
#include "cuda/runtime/endings.h"
#include "cuda/runtime/entry_name.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/explain.h"
#include "cuda/runtime/forks.h"
#include "cuda/runtime/host_functions.h"
#include "cuda/runtime/managed_access.h"
#include "cuda/runtime/patience.h"
#include "machine/host_config.h"

namespace raddle::cuda {

namespace {

Nanoseconds price(const machine::HostConfig& costs, Cost cost) {
  switch (cost) {
    case Cost::none:
      return 0;
    case Cost::call:
      return costs.call;
    case Cost::launch:
      return costs.launch_call;
    case Cost::graph:
      return costs.graph_call != 0 ? costs.graph_call : costs.launch_call;
    case Cost::copy:
      return costs.copy_call;
    case Cost::allocate:
      return costs.allocate_call;
  }
  return 0;
}

/// Says in few words that the simulator itself has run out of memory, or has failed. For a resource
/// of the host, it says what limits the resource.
void tell_failure(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  const bool system = dynamic_cast<const std::system_error*>(&error) != nullptr;
  std::fprintf(stderr, "raddle: %s",
               memory   ? "the simulator has no memory left"
               : system ? "the simulator cannot start a thread: "
                        : error.what());
  if (system) std::fputs(error.what(), stderr);
  rlimit limit{};
  if ((memory || system) && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    std::fprintf(stderr, "; the process is limited to %llu MB of address space (ulimit -v)",
                 static_cast<unsigned long long>(limit.rlim_cur >> 20));
  }
  std::fputc('\n', stderr);
}

Runtime* runtime_or_message() {
  try {
    return &Runtime::instance();
  } catch (const std::exception& error) {
    tell_failure(error);
    note_error();
    return nullptr;
  }
}

/// Whether the code means a mistake of the program, rather than a state of the device.
bool is_mistake(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorHostMemoryNotRegistered:
    case cudaErrorDeviceUninitialized:
      return true;
    default:
      return false;
  }
}

/// Reports once what is wrong with a call. Reports nothing if the program may want the refusal.
void explain(Runtime& runtime, const Refusal& refusal) {
  if (refusal.why.empty() && !is_mistake(refusal.code)) return;
  const std::string entry = public_name(entry_name());
  if (is_probe(entry)) return;
  const char* text = error_text(refusal.code);
  std::string line = fmt::format("{}: {}", entry, text == nullptr ? "error" : text);
  if (!refusal.why.empty()) line += ": " + refusal.why;
  if (refusal.unmet != nullptr) line += fmt::format(": it requires {}", refusal.unmet);
  runtime.tell_mistake(entry, line);
}

cudaError_t run(Runtime& runtime, const std::function<cudaError_t(Runtime&)>& work) {
  try {
    return work(runtime);
  } catch (const Refusal& refusal) {
    explain(runtime, refusal);
    return refusal.code;
  } catch (const LaterVersionError& error) {
    runtime.tell(error.what());
    return cudaErrorUnsupportedPtxVersion;
  } catch (const InputError& error) {
    runtime.tell(error.what());
    return cudaErrorInvalidPtx;
  } catch (const Error& error) {
    runtime.tell(error.what());
    return cudaErrorNoKernelImageForDevice;
  } catch (const std::bad_alloc& error) {
    tell_failure(error);
    return cudaErrorMemoryAllocation;
  }
}

/// Writes the present call to the timeline at the call's end, if there is a timeline and time has
/// passed.
class TracedCall {
 public:
  explicit TracedCall(Runtime& runtime) : runtime_(runtime) {
    if (runtime.trace() == nullptr) return;
    begin_ = runtime.device().host_time();
    runtime.device().enter_call(number_of_thread(), begin_);
  }
  ~TracedCall() {
    if (runtime_.trace() == nullptr) return;
    const Nanoseconds end = runtime_.device().host_time();
    if (end > begin_) runtime_.trace()->call(number_of_thread(), entry_name(), begin_, end);
  }
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

 private:
  /// Numbers threads in the order of their first calls.
  static std::uint32_t number_of_thread() {
    static std::uint32_t next = 0;
    thread_local const std::uint32_t mine = next++;
    return mine;
  }

  Runtime& runtime_;
  Nanoseconds begin_ = 0;
};

bool called = false;  // guarded by Runtime::mutex()

/// The kind of a call: the steps before and after its work.
struct Caller {
  bool always = false;    // runs after a fault too
  bool remember = false;  // the runtime API: the thread remembers the error,
  bool context = false;   // and works in a context
};

cudaError_t begin(Runtime& runtime, const Caller& caller) {
  const cudaError_t failed = runtime.sticky();
  if (failed != cudaSuccess && !caller.always) return failed;
  if (runtime.device().paused()) {
    runtime.tell(
        "a signal handler calls CUDA while the call that it has interrupted is still under way, "
        "which is not permitted");
    return cudaErrorNotPermitted;
  }
  if (in_host_function()) {
    runtime.tell("a host function launched into a stream calls CUDA, which is not permitted");
    return cudaErrorNotPermitted;
  }
  const cudaError_t entered = caller.context ? enter_context() : cudaSuccess;
  return entered != cudaSuccess || caller.always ? entered : runtime.lost();
}

cudaError_t enter_with(Runtime* runtime, Cost cost, const Caller& caller,
                       const std::function<cudaError_t(Runtime&)>& work) {
  const TracedCall traced(*runtime);
  const ManagedOpen open(*runtime);
  runtime->device().spend(price(runtime->device().costs(), cost));
  if (const cudaError_t failed = begin(*runtime, caller); failed != cudaSuccess) {
    const bool told_once = failed != runtime->sticky();  // not the device's error
    return told_once && caller.remember ? runtime->record(failed) : failed;
  }
  const cudaError_t result = run(*runtime, work);
  const cudaError_t failed = runtime->sticky();
  if (runtime->device().busy()) start_patience(*runtime);
  note_call();
  const cudaError_t told = failed != cudaSuccess && !caller.always ? failed : result;
  return caller.remember ? runtime->record(told) : told;
}

CallLock& calls() {
  static CallLock& lock = []() -> CallLock& {
    tell_long_host_functions(Runtime::mutex());
    return Runtime::mutex();
  }();
  return lock;
}

cudaError_t enter(Cost cost, const Caller& caller,
                  const std::function<cudaError_t(Runtime&)>& work) {
  if (is_forked_child()) [[unlikely]] {
    tell_forked_child();
    return cudaErrorInitializationError;
  }
  const std::lock_guard lock(calls());
  survive_stack_overflow();
  called = true;
  Runtime* runtime = runtime_or_message();
  if (runtime == nullptr) return cudaErrorInitializationError;
  try {
    return enter_with(runtime, cost, caller, work);
  } catch (const std::exception& error) {
    // An error of the simulation itself, which is part of every call and cannot continue. The
    // program may be written in C, so that no exception may reach it.
    tell_failure(error);
    std::fputs("raddle: the simulation cannot continue\n", stderr);
    std::fflush(nullptr);
    save_results(Next::ends, "_exit");
    _exit(EXIT_FAILURE);
  }
}

}  // namespace

bool any_call_yet() {
  const std::lock_guard lock(Runtime::mutex());
  return called;
}

cudaError_t call(Cost cost, const std::function<cudaError_t(Runtime&)>& work) {
  return enter(cost, {.always = false, .remember = true, .context = true}, work);
}

cudaError_t call_anywhere(Cost cost, const std::function<cudaError_t(Runtime&)>& work) {
  return enter(cost, {.always = false, .remember = true, .context = false}, work);
}

cudaError_t call_always(Cost cost, const std::function<cudaError_t(Runtime&)>& work) {
  return enter(cost, {.always = true, .remember = true, .context = true}, work);
}

cudaError_t driver_call(Cost cost, bool always, const std::function<cudaError_t(Runtime&)>& work) {
  return enter(cost, {.always = always, .remember = false, .context = false}, work);
}

cudaError_t invalid_value(const char* condition) {
  return call_anywhere(
      Cost::none, [&](Runtime&) -> cudaError_t { refuse_unmet(cudaErrorInvalidValue, condition); });
}

cudaError_t not_initialized() {
  const std::lock_guard lock(Runtime::mutex());
  static auto* told = new std::set<std::string>;
  const std::string entry = public_name(entry_name());
  if (!is_probe(entry) && told->insert(entry).second) {
    std::fprintf(stderr, "raddle: %s: initialization error: cuInit was not called before\n",
                 entry.c_str());
    note_error();
  }
  return cudaErrorInitializationError;
}

cudaError_t not_supported(const char* function) {
  const Caller anyone{.always = true, .remember = true, .context = false};
  return enter(Cost::none, anyone, [&](Runtime& runtime) {
    runtime.tell(std::string(function) + " is not supported");
    return cudaErrorNotSupported;
  });
}

int refuse_by_name(const char* function) { return not_supported(function); }

void tell_refused(const char* function) {
  const Caller anyone{.always = true, .remember = false, .context = false};
  enter(Cost::none, anyone, [&](Runtime& runtime) {
    runtime.tell(std::string(function) + " is not supported (docs/limits.md)");
    return cudaSuccess;
  });
}

}  // namespace raddle::cuda
