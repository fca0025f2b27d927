// Host functions of the program that a stream runs (cudaLaunchHostFunc). The thread that simulates
// runs them within its call, while all other calls wait. A function that waits for a thread in such
// a call never ends; the simulator reports this.
#pragma once

#include <functional>

#include "cuda/device/call_lock.h"

namespace raddle::cuda {

/// Runs a host function. It may not call CUDA (CUDA runtime API, cudaLaunchHostFunc): every call
/// within it returns cudaErrorNotPermitted.
void run_host_function(const std::function<void()>& function);

/// Whether the calling thread runs a host function.
bool in_host_function();

/// Makes threads that wait long for `calls` report which function keeps them waiting.
void tell_long_host_functions(CallLock& calls);

}  // namespace raddle::cuda
