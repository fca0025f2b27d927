// Short names for the driver API's entry points. Result codes have the runtime API's numbers.
#pragma once

#include <cstring>

#include "cuda.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/contexts.h"
#include "cuda/runtime/events.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/libraries.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Launch attributes of the driver API have the same values as the runtime API's.
inline cudaLaunchAttributeValue runtime_value(const CUlaunchAttributeValue& value) {
  static_assert(sizeof(cudaLaunchAttributeValue) == sizeof value);
  cudaLaunchAttributeValue same;
  std::memcpy(&same, &value, sizeof same);
  return same;
}

/// The driver API's code for an error of the runtime API.
inline CUresult result(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(error);
  }
}

/// A call after cuInit, or after a first call of the runtime API, which initialises the driver too.
/// It works in the thread's current context, which must exist.
inline CUresult driver(Cost cost, const std::function<cudaError_t(Runtime&)>& work) {
  if (!any_call_yet()) return result(not_initialized());
  return result(driver_call(cost, false, [&](Runtime& runtime) {
    require_context();
    return work(runtime);
  }));
}

/// The same for calls that need no context.
inline CUresult driver_anywhere(Cost cost, const std::function<cudaError_t(Runtime&)>& work) {
  if (!any_call_yet()) return result(not_initialized());
  return result(driver_call(cost, false, work));
}

/// The same for calls that must work after a fault too.
inline CUresult driver_always(Cost cost, const std::function<cudaError_t(Runtime&)>& work) {
  if (!any_call_yet()) return result(not_initialized());
  return result(driver_call(cost, true, work));
}

/// Refuses a call that fails before it reaches the functions above. `condition`: what the arguments
/// do not meet.
inline CUresult invalid_argument(const char* condition) {
  return result(driver_call(Cost::none, true, [&](Runtime&) -> cudaError_t {
    refuse_unmet(cudaErrorInvalidValue, condition);
  }));
}

/// `extra`: pairs of key and value, ended by CU_LAUNCH_PARAM_END. launches.cpp
std::vector<std::byte> parameters_of(const Kernel& kernel, void** parameters, void** extra);
CopyWork copy_work(const CUDA_MEMCPY2D& parameters);  // shaped_copies.cpp
CopyWork copy_work(const CUDA_MEMCPY3D& parameters);

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

}  // namespace raddle::cuda
