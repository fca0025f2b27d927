// Types of the CUDA runtime API (CUDA 12.8), by subject.
#pragma once

#define __DRIVER_TYPES_H__ 1  // programs ask for the guard of the toolkit's header

#include "crt/host_defines.h"
#include "crt/runtime_array_types.h"
#include "crt/runtime_device_types.h"
#include "crt/runtime_errors.h"
#include "crt/runtime_graph_types.h"
#include "crt/runtime_interop_types.h"
#include "crt/runtime_launch_types.h"
#include "crt/runtime_library_types.h"
#include "crt/runtime_memory_types.h"
#include "vector_types.h"
