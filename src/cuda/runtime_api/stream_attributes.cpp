// Attributes of streams (CUDA runtime API, "Stream Management"). The priority is the one that the
// stream was made with or is set to. The others are hints for caches and fences. The simulated
// machine does not need them; they are kept, and returned to programs that ask.
#include <algorithm>

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

using Attributes = std::map<int, cudaLaunchAttributeValue>;

std::map<const Stream*, Attributes>& table() {
  static auto* all = forgotten_at_reset(new std::map<const Stream*, Attributes>);
  return *all;
}

bool known(int attribute) {
  return attribute == cudaLaunchAttributeAccessPolicyWindow ||
         attribute == cudaLaunchAttributeSynchronizationPolicy ||
         attribute == cudaLaunchAttributePriority ||
         attribute == cudaLaunchAttributeMemSyncDomainMap ||
         attribute == cudaLaunchAttributeMemSyncDomain;
}

}  // namespace

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr && known(attribute), cudaErrorInvalidValue);
    Stream& stream = runtime.stream(handle);
    if (attribute == cudaLaunchAttributePriority) {
      stream.priority = std::clamp(value->priority, kGreatestPriority, kLeastPriority);
    } else {
      table()[&stream][attribute] = *value;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr && known(attribute), cudaErrorInvalidValue);
    const Stream& stream = runtime.stream(handle);
    if (attribute == cudaLaunchAttributePriority) {
      value->priority = stream.priority;
    } else {
      *value = table()[&stream][attribute];
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return call(Cost::call, [&](Runtime& runtime) {
    const Stream& source = runtime.stream(from);
    Stream& target = runtime.stream(to);
    target.priority = source.priority;
    table()[&target] = table()[&source];
    return cudaSuccess;
  });
}
