// What both APIs ask of events.
#pragma once

#include "cuda/runtime/call.h"

namespace raddle::cuda {

/// cudaErrorNotReady while what it was recorded behind is under way.
cudaError_t query(Runtime& runtime, const Event& event);

/// The host waits for it. cudaErrorLaunchFailure when it cannot come.
cudaError_t synchronize(Runtime& runtime, const Event& event);

/// Simulated milliseconds between two recorded events.
cudaError_t elapsed_time(const Event& start, const Event& end, float* milliseconds);

}  // namespace raddle::cuda
