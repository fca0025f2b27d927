// The edge of the API: what every entry point does before and after its own work.
#pragma once

#include <functional>

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// What a call costs the host (machine/host_config.h).
enum class Cost : std::uint8_t { none, call, launch, graph, copy, allocate };

/// Runs `work` with the process's runtime: locked, its cost spent, errors told and turned into the
/// returned code, which the thread remembers. After a fault of the device `work` is not run.
cudaError_t call(Cost cost, const std::function<cudaError_t(Runtime&)>& work);

/// The same for calls that make no context current (runtime/contexts.h), as those that ask about
/// devices and errors.
cudaError_t call_anywhere(Cost cost, const std::function<cudaError_t(Runtime&)>& work);

/// The same for calls that must work after a fault too (error queries, frees, destroys).
cudaError_t call_always(Cost cost, const std::function<cudaError_t(Runtime&)>& work);

/// The same without being remembered by the thread: the driver API has no last error.
cudaError_t driver_call(Cost cost, bool always, const std::function<cudaError_t(Runtime&)>& work);

/// Whether any of them was ever called: it initialises the driver.
bool any_call_yet();

/// Refuses a call by the condition that its arguments do not meet, where it has not come to call().
cudaError_t invalid_value(const char* condition);

/// Refuses a call of the driver API before cuInit, and says so once.
cudaError_t not_initialized();

/// Says once that the function is not supported; returns cudaErrorNotSupported.
cudaError_t not_supported(const char* function);
/// The same as a number: runtime and driver API have the same code for it.
int refuse_by_name(const char* function);
/// Says the same, for libraries with codes of their own.
void tell_refused(const char* function);

}  // namespace raddle::cuda
