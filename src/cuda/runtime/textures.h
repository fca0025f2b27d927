// Textures and surfaces: descriptors that kernels find by their handles.
#pragma once

#include <optional>

#include "cuda/runtime/arrays.h"
#include "texture_types.h"

namespace raddle::cuda {

/// The first bytes of cudaResourceDesc and cudaResourceViewDesc, which all CUDA versions have;
/// later versions have reserved words behind them.
inline constexpr std::size_t kResourceDescBytes = 64, kResourceViewBytes = 48;

/// The arguments that a texture object was made from.
struct TextureParts {
  cudaResourceDesc resource = {};
  cudaTextureDesc settings = {};
  std::optional<cudaResourceViewDesc> view;
  bool by_driver = false;  // made by the driver API, which alone reads 32-bit integers
};

/// Refuses combinations that CUDA refuses: filtering or normalising formats that do not allow it.
isa::TextureDescriptor describe_texture(const TextureParts& parts);
/// Accepts only arrays made with cudaArraySurfaceLoadStore.
isa::TextureDescriptor describe_surface(const cudaResourceDesc& resource);

cudaTextureObject_t create_texture(Runtime& runtime, const TextureParts& parts);
cudaTextureObject_t create_surface(Runtime& runtime, const cudaResourceDesc& resource);
/// The parts of an object that was created and not destroyed; refuses other handles.
const TextureParts& texture_parts(cudaTextureObject_t texture);
const TextureParts& surface_parts(cudaTextureObject_t surface);
/// Does nothing for 0.
void destroy_texture(Runtime& runtime, cudaTextureObject_t texture);
void destroy_surface(Runtime& runtime, cudaTextureObject_t surface);

/// Writes a descriptor where kernels find it, once no kernel uses the old one.
void write_descriptor(Runtime& runtime, Address where, const isa::TextureDescriptor& descriptor);

}  // namespace raddle::cuda
