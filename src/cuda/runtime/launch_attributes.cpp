#include "cuda/runtime/launch_attributes.h"

#include <algorithm>

#include "cuda/runtime/unsupported.h"

namespace raddle::cuda {

namespace {

/// Hints for caches, fences and placement. The simulated machine does not need them; they are kept,
/// and returned to programs that ask.
bool is_hint(int attribute) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return true;
    default:
      return false;
  }
}

bool records_event(int attribute) {
  return attribute == cudaLaunchAttributeProgrammaticEvent ||
         attribute == cudaLaunchAttributeLaunchCompletionEvent;
}

}  // namespace

void set_attribute(Runtime& runtime, KernelWork& work, int attribute,
                   const cudaLaunchAttributeValue& value) {
  if (attribute == cudaLaunchAttributeIgnore) return;
  if (attribute == cudaLaunchAttributeCooperative) {
    work.cooperative = value.cooperative != 0;
  } else if (attribute == cudaLaunchAttributePriority) {
    work.priority = std::clamp(value.priority, kGreatestPriority, kLeastPriority);
  } else if (attribute == cudaLaunchAttributeClusterDimension) {
    const auto& size = value.clusterDim;
    if (size.x > 1 || size.y > 1 || size.z > 1) {
      refuse_launch(runtime, *work.kernel,
                    "clusters of more than one thread block are not supported");
    }
    work.attributes[attribute] = value;
  } else if (attribute == cudaLaunchAttributeDeviceUpdatableKernelNode) {
    require(value.deviceUpdatableKernelNode.deviceUpdatable == 0, cudaErrorNotSupported,
            "kernel nodes that kernels update are not supported");
  } else if (records_event(attribute)) {
    // Both may trigger at any time after the moment in their name, so also at the end of the
    // kernel.
    const bool programmatic = attribute == cudaLaunchAttributeProgrammaticEvent;
    work.events.push_back(&runtime.event(programmatic ? value.programmaticEvent.event
                                                      : value.launchCompletionEvent.event));
  } else {
    require(is_hint(attribute), cudaErrorInvalidValue, "no such attribute of launches");
    work.attributes[attribute] = value;
  }
}

void set_node_attribute(Runtime& runtime, KernelWork& work, int attribute,
                        const cudaLaunchAttributeValue& value) {
  require(!records_event(attribute), cudaErrorInvalidValue, "kernel nodes have no such attribute");
  set_attribute(runtime, work, attribute, value);
}

cudaLaunchAttributeValue attribute_of(const KernelWork& work, int attribute) {
  cudaLaunchAttributeValue value = {};
  if (attribute == cudaLaunchAttributeCooperative) {
    value.cooperative = work.cooperative ? 1 : 0;
  } else if (attribute == cudaLaunchAttributePriority) {
    value.priority = work.priority.value_or(kLeastPriority);
  } else if (const auto found = work.attributes.find(attribute); found != work.attributes.end()) {
    value = found->second;
  } else if (attribute == cudaLaunchAttributeClusterDimension ||
             attribute == cudaLaunchAttributeDeviceUpdatableKernelNode) {
    return value;
  } else {
    require(is_hint(attribute), cudaErrorInvalidValue, "kernel nodes have no such attribute");
    if (attribute == cudaLaunchAttributePreferredSharedMemoryCarveout) {
      value.sharedMemCarveout = work.kernel->carveout;
    }
  }
  return value;
}

void copy_attributes(KernelWork& to, const KernelWork& from) {
  to.cooperative = from.cooperative;
  to.priority = from.priority;
  to.attributes = from.attributes;
}

}  // namespace raddle::cuda
