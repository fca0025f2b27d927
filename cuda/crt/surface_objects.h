// Reads and writes of surface objects (CUDA C++ Programming Guide, "Surface Object API"); x counts
// bytes.
#pragma once

#include "surface_instructions.h"

#define RADDLE_SURFACE_FUNCTIONS(name, parameters, place)                                          \
  template <class T>                                                                               \
  __device__ inline T name##read(cudaSurfaceObject_t surface, RADDLE_LIST parameters,              \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    return raddle_surfaces::read<T>(surface, raddle_surfaces::place, mode);                        \
  }                                                                                                \
  template <class T>                                                                               \
  __device__ inline void name##read(T* result, cudaSurfaceObject_t surface,                        \
                                    RADDLE_LIST parameters,                                        \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    *result = raddle_surfaces::read<T>(surface, raddle_surfaces::place, mode);                     \
  }                                                                                                \
  template <class T>                                                                               \
  __device__ inline void name##write(T value, cudaSurfaceObject_t surface, RADDLE_LIST parameters, \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    raddle_surfaces::write(surface, raddle_surfaces::place, value, mode);                          \
  }
#define RADDLE_PLACE(type, ...) \
  type { __VA_ARGS__ }
RADDLE_SURFACE_FUNCTIONS(surf1D, (int x), RADDLE_PLACE(At1D, x))
RADDLE_SURFACE_FUNCTIONS(surf2D, (int x, int y), RADDLE_PLACE(At2D, x, y))
RADDLE_SURFACE_FUNCTIONS(surf3D, (int x, int y, int z), RADDLE_PLACE(At3D, x, y, z))
RADDLE_SURFACE_FUNCTIONS(surf1DLayered, (int x, int layer), RADDLE_PLACE(At1DLayered, x, layer))
RADDLE_SURFACE_FUNCTIONS(surf2DLayered, (int x, int y, int layer),
                         RADDLE_PLACE(At2DLayered, x, y, layer))
RADDLE_SURFACE_FUNCTIONS(surfCubemap, (int x, int y, int face),
                         RADDLE_PLACE(At2DLayered, x, y, face))
RADDLE_SURFACE_FUNCTIONS(surfCubemapLayered, (int x, int y, int face),
                         RADDLE_PLACE(At2DLayered, x, y, face))
#undef RADDLE_SURFACE_FUNCTIONS
