// The suld and sust instructions by geometry and by size of what a thread loads or stores.
#pragma once

#include "../surface_types.h"
#include "../vector_types.h"

namespace raddle_surfaces {

/// The registers in which `bytes` bytes are.
template <int bytes>
struct Raw;
template <>
struct Raw<1> {
  unsigned short x;
};
template <>
struct Raw<2> {
  unsigned short x;
};
template <>
struct Raw<4> {
  unsigned x;
};
template <>
struct Raw<8> {
  unsigned x, y;
};
template <>
struct Raw<16> {
  unsigned x, y, z, w;
};

/// Coordinates: x in bytes.
struct At1D {
  int x;
};
struct At2D {
  int x, y;
};
struct At3D {
  int x, y, z;
};
struct At1DLayered {
  int x, layer;
};
struct At2DLayered {
  int x, y, layer;
};

#define RADDLE_LIST(...) __VA_ARGS__
#define RADDLE_SURFACE_LOAD(place, geometry, coordinates, inputs, boundary, bytes, word,           \
                            registers, outputs)                                                    \
  asm volatile("suld.b." geometry word "." boundary " {" registers "}, [%[s], {" coordinates "}];" \
               : RADDLE_LIST outputs                                                               \
               : [s] "l"(s), RADDLE_LIST inputs                                                    \
               : "memory")
#define RADDLE_SURFACE_STORE(place, geometry, coordinates, inputs, boundary, bytes, word,          \
                             registers, values)                                                    \
  asm volatile("sust.b." geometry word "." boundary " [%[s], {" coordinates "}], {" registers "};" \
               :                                                                                   \
               : [s] "l"(s), RADDLE_LIST inputs, RADDLE_LIST values                                \
               : "memory")
#define RADDLE_SURFACE_ACCESS(name, access, place, geometry, coordinates, inputs, bytes, word, \
                              registers, values, reference)                                    \
  __device__ inline void name(cudaSurfaceObject_t s, place at, Raw<bytes> reference raw,       \
                              cudaSurfaceBoundaryMode mode) {                                  \
    if (mode == cudaBoundaryModeTrap) {                                                        \
      access(place, geometry, coordinates, inputs, "trap", bytes, word, registers, values);    \
    } else if (mode == cudaBoundaryModeClamp) {                                                \
      access(place, geometry, coordinates, inputs, "clamp", bytes, word, registers, values);   \
    } else {                                                                                   \
      access(place, geometry, coordinates, inputs, "zero", bytes, word, registers, values);    \
    }                                                                                          \
  }
#define RADDLE_SURFACE_SIZE(place, geometry, coordinates, inputs, bytes, word, registers, outputs, \
                            values)                                                                \
  RADDLE_SURFACE_ACCESS(load, RADDLE_SURFACE_LOAD, place, geometry, coordinates, inputs, bytes,    \
                        word, registers, outputs, &)                                               \
  RADDLE_SURFACE_ACCESS(store, RADDLE_SURFACE_STORE, place, geometry, coordinates, inputs, bytes,  \
                        word, registers, values, const&)
#define RADDLE_SURFACE(place, geometry, coordinates, inputs)                                      \
  RADDLE_SURFACE_SIZE(place, geometry, coordinates, inputs, 1, ".b8", "%[a]", ([a] "=h"(raw.x)),  \
                      ([a] "h"(raw.x)))                                                           \
  RADDLE_SURFACE_SIZE(place, geometry, coordinates, inputs, 2, ".b16", "%[a]", ([a] "=h"(raw.x)), \
                      ([a] "h"(raw.x)))                                                           \
  RADDLE_SURFACE_SIZE(place, geometry, coordinates, inputs, 4, ".b32", "%[a]", ([a] "=r"(raw.x)), \
                      ([a] "r"(raw.x)))                                                           \
  RADDLE_SURFACE_SIZE(place, geometry, coordinates, inputs, 8, ".v2.b32", "%[a], %[b]",           \
                      ([a] "=r"(raw.x), [b] "=r"(raw.y)), ([a] "r"(raw.x), [b] "r"(raw.y)))       \
  RADDLE_SURFACE_SIZE(place, geometry, coordinates, inputs, 16, ".v4.b32",                        \
                      "%[a], %[b], %[c], %[d]",                                                   \
                      ([a] "=r"(raw.x), [b] "=r"(raw.y), [c] "=r"(raw.z), [d] "=r"(raw.w)),       \
                      ([a] "r"(raw.x), [b] "r"(raw.y), [c] "r"(raw.z), [d] "r"(raw.w)))
RADDLE_SURFACE(At1D, "1d", "%[x]", ([x] "r"(at.x)))
RADDLE_SURFACE(At2D, "2d", "%[x], %[y]", ([x] "r"(at.x), [y] "r"(at.y)))
RADDLE_SURFACE(At3D, "3d", "%[x], %[y], %[z], %[z]", ([x] "r"(at.x), [y] "r"(at.y), [z] "r"(at.z)))
RADDLE_SURFACE(At1DLayered, "a1d", "%[l], %[x]", ([x] "r"(at.x), [l] "r"(at.layer)))
RADDLE_SURFACE(At2DLayered, "a2d", "%[l], %[x], %[y], %[y]",
               ([x] "r"(at.x), [y] "r"(at.y), [l] "r"(at.layer)))
#undef RADDLE_SURFACE
#undef RADDLE_SURFACE_SIZE
#undef RADDLE_SURFACE_ACCESS
#undef RADDLE_SURFACE_STORE
#undef RADDLE_SURFACE_LOAD

template <class T, class At>
__device__ inline T read(cudaSurfaceObject_t surface, At at, cudaSurfaceBoundaryMode mode) {
  Raw<sizeof(T)> raw;
  load(surface, at, raw, mode);
  T value;
  __builtin_memcpy(&value, &raw, sizeof(T));
  return value;
}

template <class T, class At>
__device__ inline void write(cudaSurfaceObject_t surface, At at, const T& value,
                             cudaSurfaceBoundaryMode mode) {
  Raw<sizeof(T)> raw;
  __builtin_memcpy(&raw, &value, sizeof(T));
  store(surface, at, raw, mode);
}

}  // namespace raddle_surfaces
