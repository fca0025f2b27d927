// Texture and surface references (CUDA runtime API 11, "Texture Reference Management", "Surface
// Reference Management").
#include "cuda/runtime/texture_references.h"

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

/// The settings that the program has put into its reference object.
cudaTextureDesc settings_of(const textureReference& reference, bool integers_to_float) {
  cudaTextureDesc settings = {};
  for (unsigned d = 0; d < 3; ++d) settings.addressMode[d] = reference.addressMode[d];
  settings.filterMode = reference.filterMode;
  settings.readMode = integers_to_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  settings.sRGB = reference.sRGB;
  settings.normalizedCoords = reference.normalized;
  settings.maxAnisotropy = reference.maxAnisotropy;
  settings.mipmapFilterMode = reference.mipmapFilterMode;
  settings.mipmapLevelBias = reference.mipmapLevelBias;
  settings.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  settings.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return settings;
}

cudaError_t bind_texture(const textureReference* host, const cudaResourceDesc& resource,
                         std::size_t* offset) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(host != nullptr, cudaErrorInvalidTexture);
    TextureReference& reference = registered_reference(runtime, host);
    require(!reference.surface, cudaErrorInvalidTexture, "it is a surface reference");
    reference.parts.resource = resource;
    reference.parts.settings = settings_of(*host, reads_integers_as_floats(host));
    bind(runtime, reference);
    // Textures may begin at any address, so that there is no offset to add.
    if (offset != nullptr) *offset = 0;
    return cudaSuccess;
  });
}

/// Bytes from `base` on, at most to the end of its allocation; the default size means the end.
std::size_t bytes_from(const void* base, std::size_t bytes) {
  std::size_t there = 0;
  call(Cost::none, [&](Runtime& runtime) {
    const PointerFacts known = facts(runtime, base);
    if (known.base == nullptr) return cudaSuccess;
    const auto* end = static_cast<const std::byte*>(known.base) + known.bytes;
    there = static_cast<std::size_t>(end - static_cast<const std::byte*>(base));
    return cudaSuccess;
  });
  return std::min(bytes, there);
}

}  // namespace

cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* host, const void* memory,
                            const cudaChannelFormatDesc* format, std::size_t bytes) {
  if (format == nullptr || memory == nullptr)
    return invalid_value("format != nullptr && memory != nullptr");
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = *format;
  resource.res.linear.sizeInBytes = bytes_from(memory, bytes);
  return bind_texture(host, resource, offset);
}

cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* host, const void* memory,
                              const cudaChannelFormatDesc* format, std::size_t width,
                              std::size_t height, std::size_t pitch) {
  if (format == nullptr) return invalid_value("format != nullptr");
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void*>(memory), *format, width, height, pitch};
  return bind_texture(host, resource, offset);
}

cudaError_t cudaBindTextureToArray(const textureReference* host, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind_texture(host, resource, nullptr);
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference* host,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc*) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bind_texture(host, resource, nullptr);
}

cudaError_t cudaUnbindTexture(const textureReference* host) {
  return call_always(Cost::call, [&](Runtime& runtime) {
    unbind(runtime, registered_reference(runtime, host));
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference* host) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(offset != nullptr, cudaErrorInvalidValue);
    require(registered_reference(runtime, host).bound, cudaErrorInvalidTextureBinding);
    *offset = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** out, const void* symbol) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(!registered_reference(runtime, symbol).surface, cudaErrorInvalidTexture,
            "it is a surface reference");
    *out = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* host, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return call(Cost::call, [&](Runtime& runtime) {
    TextureReference& reference = registered_reference(runtime, host);
    require(reference.surface, cudaErrorInvalidSurface, "it is a texture reference");
    reference.parts.resource = {};
    reference.parts.resource.resType = cudaResourceTypeArray;
    reference.parts.resource.res.array.array = const_cast<cudaArray_t>(array);
    bind(runtime, reference);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** out, const void* symbol) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(registered_reference(runtime, symbol).surface, cudaErrorInvalidSurface,
            "it is a texture reference");
    *out = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
  });
}
