// Textures and surfaces: descriptors that kernels find by their handles.
#pragma once

#include <optional>

#include "cuda/runtime/arrays.h"
#include "texture_types.h"

namespace raddle::cuda {

/// The start of cudaResourceDesc and cudaResourceViewDesc that all CUDA versions have; later ones
/// have reserved words behind it.
inline constexpr std::size_t kResourceDescBytes = 64, kResourceViewBytes = 48;

/// What a texture object was made from.
struct TextureParts {
  cudaResourceDesc resource = {};
  cudaTextureDesc settings = {};
  std::optional<cudaResourceViewDesc> view;
  bool by_driver = false;  // which reads 32-bit integers as they are, where the runtime API refuses
};

/// Refuses combinations that CUDA refuses: filtering or normalizing of formats that cannot be.
isa::TextureDescriptor describe_texture(const TextureParts& parts);
/// Arrays made with cudaArraySurfaceLoadStore only.
isa::TextureDescriptor describe_surface(const cudaResourceDesc& resource);

cudaTextureObject_t create_texture(Runtime& runtime, const TextureParts& parts);
cudaTextureObject_t create_surface(Runtime& runtime, const cudaResourceDesc& resource);
/// Of an object that was created and not destroyed; refuses others.
const TextureParts& texture_parts(cudaTextureObject_t texture);
const TextureParts& surface_parts(cudaTextureObject_t surface);
/// Nothing happens for 0.
void destroy_texture(Runtime& runtime, cudaTextureObject_t texture);
void destroy_surface(Runtime& runtime, cudaTextureObject_t surface);

/// Writes a descriptor where kernels find it, once no kernel uses the old one.
void write_descriptor(Runtime& runtime, Address where, const isa::TextureDescriptor& descriptor);

}  // namespace raddle::cuda
