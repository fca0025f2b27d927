#pragma once

/// For functions that are compiled for the device and for the host, also by compilers without CUDA.
#ifdef __CUDACC__
#define RADDLE_HOST_DEVICE __host__ __device__
#else
#define RADDLE_HOST_DEVICE
#endif
