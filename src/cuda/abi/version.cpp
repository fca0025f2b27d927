// Differences between the supported CUDA versions: RADDLE_CUDART is 11, 12 or 13.
#include "cuda/runtime/call.h"
#include "cuda/runtime/device_queries.h"

using namespace raddle::cuda;

namespace {
constexpr int kRuntimeVersion = RADDLE_CUDART == 11 ? 11080 : RADDLE_CUDART == 12 ? 12080 : 13000;
// Kernels ask for the version, too.
[[maybe_unused]] const bool told = (tell_kernels_the_version(kRuntimeVersion), true);
}  // namespace

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call_anywhere(Cost::none, [&](Runtime&) {
    require(version != nullptr, cudaErrorInvalidValue);
    *version = kRuntimeVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
