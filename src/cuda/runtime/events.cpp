#include "cuda/runtime/events.h"

#include "cuda/runtime/graph.h"
#include "machine/host_config.h"

namespace raddle::cuda {

cudaError_t query(Runtime& runtime, const Event& event) {
  forbid_captured(event);
  if (event.point != nullptr && !event.point->done) return cudaErrorNotReady;
  runtime.device().forget_awaited();
  return cudaSuccess;
}

cudaError_t synchronize(Runtime& runtime, const Event& event) {
  forbid_captured(event);
  if (event.point == nullptr) return cudaSuccess;
  const bool reached = runtime.device().wait_for(event.point);
  runtime.device().spend(runtime.device().costs().synchronize_call);
  runtime.device().flush_printed();
  return reached ? cudaSuccess : cudaErrorLaunchFailure;
}

cudaError_t elapsed_time(const Event& start, const Event& end, float* milliseconds) {
  require(milliseconds != nullptr, cudaErrorInvalidValue);
  forbid_captured(start);
  forbid_captured(end);
  require(start.timed() && end.timed() && start.point != nullptr && end.point != nullptr,
          cudaErrorInvalidResourceHandle,
          "both events must have been recorded, and made without cudaEventDisableTiming");
  if (!start.point->done || !end.point->done) return cudaErrorNotReady;
  *milliseconds = static_cast<float>((end.point->time - start.point->time) * 1e-6);
  return cudaSuccess;
}

}  // namespace raddle::cuda
