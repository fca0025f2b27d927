// Operations on events that both APIs share.
#pragma once

#include "cuda/runtime/call.h"

namespace raddle::cuda {

/// cudaErrorNotReady while the work in front of the event is still running.
cudaError_t query(Runtime& runtime, const Event& event);

/// The host waits for the event. cudaErrorLaunchFailure when the event can never complete.
cudaError_t synchronize(Runtime& runtime, const Event& event);

/// Simulated milliseconds between two recorded events.
cudaError_t elapsed_time(const Event& start, const Event& end, float* milliseconds);

}  // namespace raddle::cuda
