// threadIdx, blockIdx, blockDim, gridDim and warpSize, under the header name of the CUDA toolkit.
#pragma once

#include "cuda_runtime.h"
