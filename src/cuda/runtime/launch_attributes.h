// Attributes of launches and of a graph's kernel nodes (CUDA runtime API, "Execution Control",
// cudaLaunchAttributeID). The driver API's have the same numbers and values.
#pragma once

#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Sets an attribute of a launch. Refuses attributes that change what a kernel does and cannot be
/// simulated (cudaErrorNotSupported), and unknown attributes (cudaErrorInvalidValue).
void set_attribute(Runtime& runtime, KernelWork& work, int attribute,
                   const cudaLaunchAttributeValue& value);
/// The same for a node, which cannot have the attributes that record an event.
void set_node_attribute(Runtime& runtime, KernelWork& work, int attribute,
                        const cudaLaunchAttributeValue& value);
/// The value that was set, else the default.
cudaLaunchAttributeValue attribute_of(const KernelWork& work, int attribute);
/// Replaces the attributes of `to` by the ones of `from`.
void copy_attributes(KernelWork& to, const KernelWork& from);

}  // namespace raddle::cuda
