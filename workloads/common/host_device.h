#pragma once

/// For functions that are compiled for the host, also by compilers that know no CUDA, and for the
/// device.
#ifdef __CUDACC__
#define RADDLE_HOST_DEVICE __host__ __device__
#else
#define RADDLE_HOST_DEVICE
#endif
