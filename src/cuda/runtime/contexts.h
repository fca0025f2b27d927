// Contexts: each thread has a stack of them, the top of which is current (CUDA driver API, "Context
// Management", "Primary Context Management"). The runtime API works in the current one, and makes
// the primary one current where there is none. All share the one device: what one of them made is
// known to all.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/refusal.h"

namespace raddle::cuda {

class Runtime;

struct Context {
  std::uint64_t id = 0;
  unsigned flags = 0;  // not of the primary one, which has Runtime::device_flags()
  bool live = true;    // kept after its end, so that a stale handle is an error and no crash
};

/// Live while the runtime API, or a program that has retained it, uses it.
Context& primary_context();
/// Of the calling thread, the current one last.
std::vector<Context*>& context_stack();
inline Context* current_context() {
  return context_stack().empty() ? nullptr : context_stack().back();
}

Context& create_context(unsigned flags);
/// Ends one of create_context(), and takes it off the thread's stack if it is current. Refuses any
/// other with cudaErrorDeviceUninitialized (CUDA_ERROR_INVALID_CONTEXT).
void destroy_context(Context* context);
/// The one behind a handle; refuses as destroy_context() does what is none, or has ended.
Context& context_of(const void* handle);

/// For a call of the runtime API that works in a context. cudaErrorContextIsDestroyed when the
/// thread's has ended.
cudaError_t enter_context();
/// For a call of the driver API: refuses with cudaErrorDeviceUninitialized where no context is current,
/// and with cudaErrorContextIsDestroyed where it has ended.
void require_context();

void retain_primary();
/// Refuses with cudaErrorDeviceUninitialized what was not retained. Whether it ended with that.
bool release_primary();
/// A reset of the device ends it; it lives again when it is next used.
void end_primary();
/// Whether no context lives.
bool all_contexts_ended();

}  // namespace raddle::cuda
