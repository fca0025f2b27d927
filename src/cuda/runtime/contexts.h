// Contexts: each thread has a stack of contexts, and the top one is current (CUDA driver API,
// "Context Management", "Primary Context Management"). The runtime API works in the current
// context, and makes the primary one current if there is none. All contexts share the one device:
// an object made in one context is known in all.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/refusal.h"

namespace raddle::cuda {

class Runtime;

struct Context {
  std::uint64_t id = 0;
  unsigned flags = 0;  // unused in the primary context, which has Runtime::device_flags()
  bool live = true;    // an ended context stays, so that a stale handle is no crash
};

/// Live while the runtime API, or a program that has retained it, uses it.
Context& primary_context();
/// The contexts of the calling thread; the last one is current.
std::vector<Context*>& context_stack();
inline Context* current_context() {
  return context_stack().empty() ? nullptr : context_stack().back();
}

Context& create_context(unsigned flags);
/// Ends a context of create_context(), and takes it off the thread's stack if it is current.
/// Refuses any other context with cudaErrorDeviceUninitialized (CUDA_ERROR_INVALID_CONTEXT).
void destroy_context(Context* context);
/// The context behind a handle. Refuses unknown handles and ended contexts, as destroy_context()
/// does.
Context& context_of(const void* handle);

/// For a call of the runtime API that works in a context. cudaErrorContextIsDestroyed when the
/// thread's context has ended.
cudaError_t enter_context();
/// For a call of the driver API: refuses with cudaErrorDeviceUninitialized if no context is
/// current, and with cudaErrorContextIsDestroyed if the current one has ended.
void require_context();

void retain_primary();
/// Returns whether the primary context ended with this release. Refuses with
/// cudaErrorDeviceUninitialized if it was not retained.
bool release_primary();
/// A reset of the device ends the primary context; its next use makes it live again.
void end_primary();
/// Whether no context lives.
bool all_contexts_ended();

}  // namespace raddle::cuda
