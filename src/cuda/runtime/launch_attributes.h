// Attributes of launches and of a graph's kernel nodes (CUDA runtime API, "Execution Control",
// cudaLaunchAttributeID). The driver API has the same numbers and values.
#pragma once

#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Sets an attribute of a launch. Refuses attributes that change a kernel's behaviour and cannot be
/// simulated (cudaErrorNotSupported), and unknown numbers (cudaErrorInvalidValue).
void set_attribute(Runtime& runtime, KernelWork& work, int attribute,
                   const cudaLaunchAttributeValue& value);
/// Sets an attribute of a node. A node cannot have the attributes that record an event.
void set_node_attribute(Runtime& runtime, KernelWork& work, int attribute,
                        const cudaLaunchAttributeValue& value);
/// The value that was set, or the default.
cudaLaunchAttributeValue attribute_of(const KernelWork& work, int attribute);
/// Replaces all attributes of `to` with those of `from`.
void copy_attributes(KernelWork& to, const KernelWork& from);

}  // namespace raddle::cuda
