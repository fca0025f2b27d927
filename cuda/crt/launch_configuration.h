// What `kernel<<<grid, block, shared_bytes, stream>>>(...)` compiles to: clang calls the push
// before the kernel's stub, and the stub calls cudaLaunchKernel with what the pop returns.
#pragma once

#include "../cuda_runtime_api.h"

extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                         void* stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
}
