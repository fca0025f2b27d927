// Lookups in texture objects (CUDA C++ Programming Guide, "Texture Object API"). Each as a function
// with the texel type, as one that writes through a pointer, and as one that also tells whether the
// texels are resident, which they always are.
#pragma once

#include "texture_instructions.h"

// RADDLE_LIST comes from texture_instructions.h: the parameters without their parentheses.
#define RADDLE_OBJECT_FUNCTION(name, instruction, parameters, arguments)                        \
  template <class T>                                                                            \
  __device__ inline T name(cudaTextureObject_t texture, RADDLE_LIST parameters) {               \
    using Texel = raddle_textures::Texel<T>;                                                    \
    return Texel::from(raddle_textures::instruction(                                            \
        raddle_textures::Tag<typename Texel::Fetched>(), texture, RADDLE_LIST arguments));      \
  }                                                                                             \
  template <class T>                                                                            \
  __device__ inline void name(T* result, cudaTextureObject_t texture, RADDLE_LIST parameters) { \
    *result = name<T>(texture, RADDLE_LIST arguments);                                          \
  }
#define RADDLE_RESIDENT_FUNCTION(name, parameters, arguments)                                     \
  template <class T>                                                                              \
  __device__ inline T name(cudaTextureObject_t texture, RADDLE_LIST parameters, bool* resident) { \
    *resident = true;                                                                             \
    return name<T>(texture, RADDLE_LIST arguments);                                               \
  }

RADDLE_OBJECT_FUNCTION(tex1Dfetch, fetch_1d, (int x), (x))
RADDLE_OBJECT_FUNCTION(tex1D, lookup_1d, (float x), (x))
RADDLE_OBJECT_FUNCTION(tex1DLod, lookup_1d_level, (float x, float level), (x, level))
RADDLE_OBJECT_FUNCTION(tex1DGrad, lookup_1d_gradient, (float x, float dx, float dy), (x, dx, dy))
RADDLE_OBJECT_FUNCTION(tex2D, lookup_2d, (float x, float y), (x, y))
RADDLE_RESIDENT_FUNCTION(tex2D, (float x, float y), (x, y))
RADDLE_OBJECT_FUNCTION(tex2DLod, lookup_2d_level, (float x, float y, float level), (x, y, level))
RADDLE_RESIDENT_FUNCTION(tex2DLod, (float x, float y, float level), (x, y, level))
RADDLE_OBJECT_FUNCTION(tex2DGrad, lookup_2d_gradient, (float x, float y, float2 dx, float2 dy),
                       (x, y, dx, dy))
RADDLE_RESIDENT_FUNCTION(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
RADDLE_OBJECT_FUNCTION(tex3D, lookup_3d, (float x, float y, float z), (x, y, z))
RADDLE_RESIDENT_FUNCTION(tex3D, (float x, float y, float z), (x, y, z))
RADDLE_OBJECT_FUNCTION(tex3DLod, lookup_3d_level, (float x, float y, float z, float level),
                       (x, y, z, level))
RADDLE_RESIDENT_FUNCTION(tex3DLod, (float x, float y, float z, float level), (x, y, z, level))
RADDLE_OBJECT_FUNCTION(tex3DGrad, lookup_3d_gradient,
                       (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
RADDLE_RESIDENT_FUNCTION(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy),
                         (x, y, z, dx, dy))
RADDLE_OBJECT_FUNCTION(tex1DLayered, lookup_a1d, (float x, int layer), (x, layer))
RADDLE_OBJECT_FUNCTION(tex1DLayeredLod, lookup_a1d_level, (float x, int layer, float level),
                       (x, layer, level))
RADDLE_OBJECT_FUNCTION(tex1DLayeredGrad, lookup_a1d_gradient,
                       (float x, int layer, float dx, float dy), (x, layer, dx, dy))
RADDLE_OBJECT_FUNCTION(tex2DLayered, lookup_a2d, (float x, float y, int layer), (x, y, layer))
RADDLE_RESIDENT_FUNCTION(tex2DLayered, (float x, float y, int layer), (x, y, layer))
RADDLE_OBJECT_FUNCTION(tex2DLayeredLod, lookup_a2d_level,
                       (float x, float y, int layer, float level), (x, y, layer, level))
RADDLE_RESIDENT_FUNCTION(tex2DLayeredLod, (float x, float y, int layer, float level),
                         (x, y, layer, level))
RADDLE_OBJECT_FUNCTION(tex2DLayeredGrad, lookup_a2d_gradient,
                       (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy))
RADDLE_RESIDENT_FUNCTION(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy),
                         (x, y, layer, dx, dy))
RADDLE_OBJECT_FUNCTION(texCubemap, lookup_cube, (float x, float y, float z), (x, y, z))
RADDLE_OBJECT_FUNCTION(texCubemapLod, lookup_cube_level, (float x, float y, float z, float level),
                       (x, y, z, level))
RADDLE_OBJECT_FUNCTION(texCubemapGrad, lookup_cube_gradient,
                       (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
RADDLE_OBJECT_FUNCTION(texCubemapLayered, lookup_acube, (float x, float y, float z, int layer),
                       (x, y, z, layer))
RADDLE_OBJECT_FUNCTION(texCubemapLayeredLod, lookup_acube_level,
                       (float x, float y, float z, int layer, float level), (x, y, z, layer, level))
RADDLE_OBJECT_FUNCTION(texCubemapLayeredGrad, lookup_acube_gradient,
                       (float x, float y, float z, int layer, float4 dx, float4 dy),
                       (x, y, z, layer, dx, dy))
#undef RADDLE_OBJECT_FUNCTION
#undef RADDLE_RESIDENT_FUNCTION

template <class T>
__device__ inline T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0) {
  using Texel = raddle_textures::Texel<T>;
  return Texel::from(raddle_textures::gather_2d(raddle_textures::Tag<typename Texel::Fetched>(),
                                                texture, x, y, channel));
}
template <class T>
__device__ inline T tex2Dgather(cudaTextureObject_t texture, float x, float y, bool* resident,
                                int channel = 0) {
  *resident = true;
  return tex2Dgather<T>(texture, x, y, channel);
}
template <class T>
__device__ inline void tex2Dgather(T* result, cudaTextureObject_t texture, float x, float y,
                                   int channel = 0) {
  *result = tex2Dgather<T>(texture, x, y, channel);
}
