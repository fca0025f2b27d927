// Texture and surface objects, mipmapped arrays (CUDA runtime API, "Texture Object Management",
// "Surface Object Management"). abi/textures.cpp creates texture objects.
#include <cstring>

#include "cuda/runtime/textures.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* out, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && format != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaMipmappedArray_t>(
        create_mipmap(runtime, *format, extent.width, extent.height, extent.depth, levels, flags));
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t one) {
  return call_always(Cost::allocate, [&](Runtime& runtime) {
    destroy_mipmap(runtime, reinterpret_cast<MipmappedArray*>(one));
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* out, cudaMipmappedArray_const_t of,
                                       unsigned level) {
  return call(Cost::call, [&](Runtime&) {
    const MipmappedArray& one = mipmap(of);
    require(out != nullptr && level < one.levels.size(), cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaArray_t>(one.levels[level].get());
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return call_always(Cost::call, [&](Runtime& runtime) {
    destroy_texture(runtime, texture);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t texture) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    std::memcpy(out, &texture_parts(texture).resource, kResourceDescBytes);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out,
                                                 cudaTextureObject_t texture) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    // Without a view, the answer is a view without a format, as on an NVIDIA H200 (CUDA 13.0).
    const cudaResourceViewDesc view = texture_parts(texture).view.value_or(cudaResourceViewDesc{});
    std::memcpy(out, &view, kResourceViewBytes);
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && resource != nullptr, cudaErrorInvalidValue);
    cudaResourceDesc copy = {};
    std::memcpy(&copy, resource, kResourceDescBytes);
    *out = create_surface(runtime, copy);
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return call_always(Cost::call, [&](Runtime& runtime) {
    destroy_surface(runtime, surface);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t surface) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    std::memcpy(out, &surface_parts(surface).resource, kResourceDescBytes);
    return cudaSuccess;
  });
}
