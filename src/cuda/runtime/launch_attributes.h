// Attributes of launches and of a graph's kernel nodes (CUDA runtime API, "Execution Control",
// cudaLaunchAttributeID). The driver API's have the same numbers and values.
#pragma once

#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Sets one of a launch. Refuses what changes what a kernel does and cannot be simulated
/// (cudaErrorNotSupported), and numbers that are no attribute (cudaErrorInvalidValue).
void set_attribute(Runtime& runtime, KernelWork& work, int attribute,
                   const cudaLaunchAttributeValue& value);
/// The same of a node, which cannot have those that record an event.
void set_node_attribute(Runtime& runtime, KernelWork& work, int attribute,
                        const cudaLaunchAttributeValue& value);
/// What was set, else what holds without.
cudaLaunchAttributeValue attribute_of(const KernelWork& work, int attribute);
/// Of another launch, in place of its own.
void copy_attributes(KernelWork& to, const KernelWork& from);

}  // namespace raddle::cuda
