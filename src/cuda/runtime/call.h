// The edge of the API: the steps that every entry point takes before and after its own work.
#pragma once

#include <functional>

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// The host time that a call costs (machine/host_config.h).
enum class Cost : std::uint8_t { none, call, launch, graph, copy, allocate };

/// Runs `work` with the process's runtime. Takes the lock, spends the call's cost, reports errors
/// and turns them into the returned code, which the thread remembers. After a fault of the device,
/// `work` does not run.
cudaError_t call(Cost cost, const std::function<cudaError_t(Runtime&)>& work);

/// The same for calls that make no context current (runtime/contexts.h), such as queries of devices
/// and errors.
cudaError_t call_anywhere(Cost cost, const std::function<cudaError_t(Runtime&)>& work);

/// The same for calls that must work after a fault too (error queries, frees, destroys).
cudaError_t call_always(Cost cost, const std::function<cudaError_t(Runtime&)>& work);

/// The same, but the thread does not remember the error: the driver API has no last error.
cudaError_t driver_call(Cost cost, bool always, const std::function<cudaError_t(Runtime&)>& work);

/// Whether any of these functions was ever called: the first call initialises the driver.
bool any_call_yet();

/// Refuses a call that fails before it reaches call(). `condition`: what the arguments do not meet.
cudaError_t invalid_value(const char* condition);

/// Refuses a call of the driver API before cuInit, and reports it once.
cudaError_t not_initialized();

/// Reports once that the function is not supported; returns cudaErrorNotSupported.
cudaError_t not_supported(const char* function);
/// The same as a number: the runtime API and the driver API share this code.
int refuse_by_name(const char* function);
/// Reports the same, for libraries with codes of their own.
void tell_refused(const char* function);

}  // namespace raddle::cuda
