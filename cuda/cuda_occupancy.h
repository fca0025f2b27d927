// Under the header name of the CUDA toolkit, which libraries include; occupancy is asked of the
// runtime (cudaOccupancyMaxActiveBlocksPerMultiprocessor and its relatives).
#pragma once

#include "cuda_runtime_api.h"
