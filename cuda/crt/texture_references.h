// Lookups in texture<> and access to surface<> (CUDA C++ Programming Guide 11, "Texture Reference
// API", "Surface Reference API").
#pragma once

#include "../channel_descriptor.h"
#include "surface_objects.h"
#include "texture_objects.h"
#include "texture_reference_types.h"

template <class T, int type = cudaTextureType1D,
          enum cudaTextureReadMode read_mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int is_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(is_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int is_normalized, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address, cudaChannelFormatDesc format)
      : textureReference{} {
    normalized = is_normalized;
    filterMode = filter;
    for (auto& mode : addressMode) mode = address;
    channelDesc = format;
  }
};

template <class T, int type = 1>
struct __attribute__((device_builtin_surface_type)) surface;
template <int type>
struct __attribute__((device_builtin_surface_type)) surface<void, type> : public surfaceReference {
  __host__ surface()
      : surfaceReference{cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindNone}} {}
};

namespace raddle_textures {

/// A reference's handle: its variable's address. Clang passes the reference itself as that.
template <class Reference>
__device__ inline unsigned long long handle_of(Reference reference) {
  unsigned long long handle;
  asm("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}

template <class T, enum cudaTextureReadMode mode>
struct Reading {
  using Type = T;
};
template <class T>
struct Reading<T, cudaReadModeNormalizedFloat> {
  using Type = typename Normalized<T>::Type;
};

}  // namespace raddle_textures

#define RADDLE_REFERENCE_FUNCTION(name, type, parameters, arguments)                        \
  template <class T, enum cudaTextureReadMode mode>                                         \
  __device__ inline typename raddle_textures::Reading<T, mode>::Type name(                  \
      texture<T, type, mode> reference, RADDLE_LIST parameters) {                           \
    return name<typename raddle_textures::Reading<T, mode>::Type>(                          \
        (cudaTextureObject_t)raddle_textures::handle_of(reference), RADDLE_LIST arguments); \
  }
RADDLE_REFERENCE_FUNCTION(tex1Dfetch, cudaTextureType1D, (int x), (x))
RADDLE_REFERENCE_FUNCTION(tex1D, cudaTextureType1D, (float x), (x))
RADDLE_REFERENCE_FUNCTION(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
RADDLE_REFERENCE_FUNCTION(tex1DGrad, cudaTextureType1D, (float x, float dx, float dy), (x, dx, dy))
RADDLE_REFERENCE_FUNCTION(tex2D, cudaTextureType2D, (float x, float y), (x, y))
RADDLE_REFERENCE_FUNCTION(tex2DLod, cudaTextureType2D, (float x, float y, float level),
                          (x, y, level))
RADDLE_REFERENCE_FUNCTION(tex2DGrad, cudaTextureType2D, (float x, float y, float2 dx, float2 dy),
                          (x, y, dx, dy))
RADDLE_REFERENCE_FUNCTION(tex2Dgather, cudaTextureType2D, (float x, float y, int channel = 0),
                          (x, y, channel))
RADDLE_REFERENCE_FUNCTION(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
RADDLE_REFERENCE_FUNCTION(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level),
                          (x, y, z, level))
RADDLE_REFERENCE_FUNCTION(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
RADDLE_REFERENCE_FUNCTION(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer),
                          (x, y, layer))
RADDLE_REFERENCE_FUNCTION(tex2DLayeredLod, cudaTextureType2DLayered,
                          (float x, float y, int layer, float level), (x, y, layer, level))
RADDLE_REFERENCE_FUNCTION(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z),
                          (x, y, z))
RADDLE_REFERENCE_FUNCTION(texCubemapLod, cudaTextureTypeCubemap,
                          (float x, float y, float z, float level), (x, y, z, level))
RADDLE_REFERENCE_FUNCTION(texCubemapLayered, cudaTextureTypeCubemapLayered,
                          (float x, float y, float z, int layer), (x, y, z, layer))
#undef RADDLE_REFERENCE_FUNCTION

#define RADDLE_SURFACE_REFERENCE(name, type, parameters, arguments)                         \
  template <class T>                                                                        \
  __device__ inline T name##read(surface<void, type> reference, RADDLE_LIST parameters,     \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return name##read<T>((cudaSurfaceObject_t)raddle_textures::handle_of(reference),        \
                         RADDLE_LIST arguments, mode);                                      \
  }                                                                                         \
  template <class T>                                                                        \
  __device__ inline void name##read(T* result, surface<void, type> reference,               \
                                    RADDLE_LIST parameters,                                 \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *result = name##read<T>(reference, RADDLE_LIST arguments, mode);                        \
  }                                                                                         \
  template <class T>                                                                        \
  __device__ inline void name##write(T value, surface<void, type> reference,                \
                                     RADDLE_LIST parameters,                                \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    name##write(value, (cudaSurfaceObject_t)raddle_textures::handle_of(reference),          \
                RADDLE_LIST arguments, mode);                                               \
  }
RADDLE_SURFACE_REFERENCE(surf1D, cudaSurfaceType1D, (int x), (x))
RADDLE_SURFACE_REFERENCE(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
RADDLE_SURFACE_REFERENCE(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
RADDLE_SURFACE_REFERENCE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
RADDLE_SURFACE_REFERENCE(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer),
                         (x, y, layer))
RADDLE_SURFACE_REFERENCE(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int face),
                         (x, y, face))
#undef RADDLE_SURFACE_REFERENCE
