// The CUDA runtime API, ABI of CUDA 12.8, for C++ compilers on the host side and for clang's CUDA
// mode; the functions are in libcudart.so.12 of this project.
#pragma once

#define __CUDA_RUNTIME_API_H__ 1  // programs ask for the guard of the toolkit's header

#define CUDART_VERSION 12080

#include "crt/runtime_array_api.h"
#include "crt/runtime_device_api.h"
#include "crt/runtime_graph_api.h"
#include "crt/runtime_interop_api.h"
#include "crt/runtime_launch_api.h"
#include "crt/runtime_memory_api.h"
#include "crt/runtime_stream_api.h"
#include "driver_types.h"
