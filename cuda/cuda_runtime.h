// The CUDA runtime for C++: API, templates over it, and, under clang's CUDA mode, the language's
// device side. `raddle cc` includes it before each .cu file, as nvcc does.
#pragma once

#define __CUDA_RUNTIME_H__ 1  // programs ask for the guard of the toolkit's header

#include "crt/host_defines.h"
#if defined(__CUDA__)
#include "crt/device_language.h"
#endif

#include "crt/library_begin.h"
#if defined(__CUDA__)
#include "crt/host_math.h"
#include "crt/managed_variables.h"
#include "crt/min_max.h"
#include "crt/packed_integer_functions.h"
#endif

#include "channel_descriptor.h"
#include "crt/launch_configuration.h"
#include "crt/runtime_templates.h"
#if defined(__CUDA__)
#include "crt/texture_binding.h"
#include "crt/texture_references.h"
#endif
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "driver_types.h"
#include "vector_functions.h"
#if defined(__CUDA__)
#include "crt/device_launches.h"
#endif

#include "crt/library_end.h"
