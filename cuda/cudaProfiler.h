// Start and stop of profiling through the driver API.
#pragma once

#include "cuda.h"

extern "C" {
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
}
