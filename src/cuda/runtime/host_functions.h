// Functions of the program's that a stream comes to (cudaLaunchHostFunc). They run within the call of the
// thread that simulates then, while all other calls wait: one that waits for such a thread never ends,
// which is told.
#pragma once

#include <functional>

#include "cuda/device/call_lock.h"

namespace raddle::cuda {

/// Runs one: it may not call CUDA (CUDA runtime API, cudaLaunchHostFunc), and every call within is
/// cudaErrorNotPermitted.
void run_host_function(const std::function<void()>& function);

/// Whether the calling thread runs one.
bool in_host_function();

/// Threads that wait long for `calls` tell which function keeps them waiting.
void tell_long_host_functions(CallLock& calls);

}  // namespace raddle::cuda
