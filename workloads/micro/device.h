// Properties of the GPU, as the runtime reports them.
#pragma once

#include <cuda_runtime.h>

#include "common/device_buffer.h"

namespace raddle::workloads::micro {

inline cudaDeviceProp device_properties() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  return properties;
}

}  // namespace raddle::workloads::micro
