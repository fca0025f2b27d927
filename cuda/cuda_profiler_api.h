// Start and stop of profiling (CUDA runtime API, "Profiler Control").
#pragma once

#include "driver_types.h"

extern "C" {
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}
