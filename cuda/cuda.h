// The CUDA driver API, ABI of CUDA 12.8; the functions are in libcuda.so.1 of this project. As in
// CUDA itself, the plain names stand for the newest versions of their functions of that release.
#pragma once

#define __cuda_cuda_h__ 1  // programs ask for the guard of the toolkit's header

#define CUDA_VERSION 12080

#include "crt/driver_device_api.h"
#include "crt/driver_graph_api.h"
#include "crt/driver_memory_api.h"
#include "crt/driver_module_api.h"
#include "crt/driver_stream_api.h"
#include "crt/driver_texture_references.h"
