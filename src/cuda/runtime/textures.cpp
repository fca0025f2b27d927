#include "cuda/runtime/textures.h"

#include <fmt/core.h>

#include <cstring>
#include <map>

#include "base/error.h"
#include "isa/texture/texel.h"

namespace raddle::cuda {
namespace {

using Objects = std::map<cudaTextureObject_t, TextureParts>;

Objects& textures() {
  static auto* all = forgotten_at_reset(new Objects);
  return *all;
}

Objects& surfaces() {
  static auto* all = forgotten_at_reset(new Objects);
  return *all;
}

isa::AddressMode address_mode(cudaTextureAddressMode mode) {
  require(mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder, cudaErrorInvalidValue);
  return static_cast<isa::AddressMode>(mode);
}

isa::Sampler sampler_of(const cudaTextureDesc& settings) {
  isa::Sampler sampler;
  for (unsigned d = 0; d < 3; ++d) sampler.address[d] = address_mode(settings.addressMode[d]);
  sampler.linear = settings.filterMode == cudaFilterModeLinear;
  sampler.normalized = settings.normalizedCoords != 0;
  sampler.integers_to_float = settings.readMode == cudaReadModeNormalizedFloat;
  sampler.srgb = settings.sRGB != 0;
  sampler.linear_levels = settings.mipmapFilterMode == cudaFilterModeLinear;
  sampler.seamless_cubemap = settings.seamlessCubemap != 0;
  sampler.level_bias = settings.mipmapLevelBias;
  sampler.least_level = settings.minMipmapLevelClamp;
  sampler.greatest_level = settings.maxMipmapLevelClamp;
  std::copy(settings.borderColor, settings.borderColor + 4, sampler.border.begin());
  return sampler;
}

isa::Image image_of(const cudaResourceDesc& resource) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return image_of(array(resource.res.array.array));
    case cudaResourceTypeMipmappedArray:
      return image_of(mipmap(resource.res.mipmap.mipmap));
    case cudaResourceTypeLinear:
      return linear_image(resource.res.linear.devPtr, resource.res.linear.desc,
                          resource.res.linear.sizeInBytes);
    case cudaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      return pitched_image(plane.devPtr, plane.desc, plane.width, plane.height, plane.pitchInBytes);
    }
  }
  require(false, cudaErrorInvalidValue, "no such type of resource");
  return {};
}

/// cudaResourceViewFormat counts 8-, 16- and 32-bit integers, then half and float, each with 1, 2
/// and 4 channels.
isa::TexelFormat view_format(cudaResourceViewFormat format) {
  if (format > cudaResViewFormatFloat4) {
    raddle::fail("resource views with block-compressed formats are not supported");
  }
  const auto index = static_cast<unsigned>(format) - cudaResViewFormatUnsignedChar1;
  const unsigned group = index / 3;  // u8 s8 u16 s16 u32 s32 half float
  isa::TexelFormat texel;
  texel.channels = static_cast<std::uint8_t>(1u << (index % 3));
  texel.channel_bits = static_cast<std::uint8_t>(group < 6    ? 8u << (group / 2)
                                                 : group == 6 ? 16
                                                              : 32);
  texel.kind = group >= 6       ? isa::ChannelKind::floating
               : group % 2 == 0 ? isa::ChannelKind::unsigned_integer
                                : isa::ChannelKind::signed_integer;
  return texel;
}

/// Checks that a view has the array's format and extents: 0 if there is no height or depth, and
/// layers as depth (NVIDIA H200, CUDA 13.0).
void check_shape(const cudaResourceViewDesc& view, const isa::Image& image) {
  const bool has_depth = image.dimensions == 3 || image.layered || image.cubemap;
  const std::size_t height = image.dimensions >= 2 ? image.height : 0;
  const std::size_t depth = !has_depth ? 0 : image.dimensions == 3 ? image.depth : image.layers;
  require(view.format != cudaResViewFormatNone, cudaErrorInvalidValue, "the view has no format");
  require(view.width == image.width && view.height == height && view.depth == depth,
          cudaErrorInvalidValue,
          fmt::format("the view is {} x {} x {}, the array {} x {} x {}", view.width, view.height,
                      view.depth, image.width, height, depth));
}

/// Applies a view, which chooses levels and layers of an image and may read its texels in another
/// format of the same size.
void apply_view(const cudaResourceViewDesc& view, isa::Image& image) {
  require(image.layout == isa::ImageLayout::array, cudaErrorInvalidValue,
          "a resource view needs an array");
  check_shape(view, image);
  if (view.format != cudaResViewFormatNone) {
    const isa::TexelFormat format = view_format(view.format);
    require(format.bytes() == image.format.bytes(), cudaErrorInvalidValue,
            "the view's format has elements of another size");
    image.format = format;
  }
  require(view.firstMipmapLevel <= view.lastMipmapLevel && view.firstLayer <= view.lastLayer &&
              view.lastMipmapLevel < image.levels && view.lastLayer < image.layers,
          cudaErrorInvalidValue, "the view has levels or layers that the array does not have");
  const unsigned first = view.firstMipmapLevel;
  image.width = image.width_of(first);
  image.height = image.height_of(first);
  image.depth = image.depth_of(first);
  image.levels = static_cast<std::uint8_t>(view.lastMipmapLevel - first + 1);
  std::copy(image.level_offset.begin() + first, image.level_offset.end(),
            image.level_offset.begin());
  if (image.layers == 1) return;
  image.first_layer = view.firstLayer;
  image.layers = view.lastLayer - view.firstLayer + 1;
}

/// Restrictions of the CUDA programming guide on filtering and normalizing.
void check_reading(const isa::TextureDescriptor& descriptor, bool by_driver) {
  const isa::TexelFormat& format = descriptor.image.format;
  const isa::Sampler& sampler = descriptor.sampler;
  const bool integer = format.kind == isa::ChannelKind::unsigned_integer ||
                       format.kind == isa::ChannelKind::signed_integer;
  require(by_driver || !sampler.integers_to_float || !integer || format.channel_bits < 32,
          cudaErrorInvalidNormSetting);
  const bool filters = sampler.linear || (sampler.linear_levels && descriptor.image.levels > 1);
  const bool memory = descriptor.image.layout == isa::ImageLayout::linear;
  require(memory || !filters || isa::reads_floats(format, sampler), cudaErrorInvalidFilterSetting);
}

cudaTextureObject_t create(Runtime& runtime, const isa::TextureDescriptor& descriptor,
                           const char* call) {
  const Address handle =
      runtime.space().allocate(sizeof descriptor, memory::Kind::constant, runtime.next_name(call));
  require(handle != 0, cudaErrorMemoryAllocation);
  std::memcpy(runtime.space().values(handle, sizeof descriptor), &descriptor, sizeof descriptor);
  return handle;
}

const TextureParts& find(const Objects& objects, cudaTextureObject_t object) {
  const auto found = objects.find(object);
  require(found != objects.end(), cudaErrorInvalidValue,
          fmt::format("{:#x} is not a texture or surface object, or was destroyed", object));
  return found->second;
}

void destroy(Runtime& runtime, Objects& objects, cudaTextureObject_t object) {
  if (object == 0) return;
  require(objects.erase(object) == 1, cudaErrorInvalidValue,
          fmt::format("{:#x} is not a texture or surface object, or was destroyed", object));
  runtime.device().wait_for_all();
  runtime.space().free(object);
}

}  // namespace

isa::TextureDescriptor describe_texture(const TextureParts& parts) {
  isa::TextureDescriptor descriptor;
  descriptor.kind = isa::HandleKind::texture;
  descriptor.image = image_of(parts.resource);
  descriptor.sampler = sampler_of(parts.settings);
  if (parts.view) apply_view(*parts.view, descriptor.image);
  check_reading(descriptor, parts.by_driver);
  return descriptor;
}

isa::TextureDescriptor describe_surface(const cudaResourceDesc& resource) {
  require(resource.resType == cudaResourceTypeArray, cudaErrorInvalidValue,
          "a surface needs an array");
  const Array& one = array(resource.res.array.array);
  // The levels of a mipmapped array need no flag (as in the CUDA sample bindlessTexture).
  isa::TextureDescriptor descriptor;
  descriptor.kind = isa::HandleKind::surface;
  descriptor.image = image_of(one);
  return descriptor;
}

cudaTextureObject_t create_texture(Runtime& runtime, const TextureParts& parts) {
  const cudaTextureObject_t handle =
      create(runtime, describe_texture(parts), "cudaCreateTextureObject");
  textures()[handle] = parts;
  return handle;
}

cudaTextureObject_t create_surface(Runtime& runtime, const cudaResourceDesc& resource) {
  const cudaTextureObject_t handle =
      create(runtime, describe_surface(resource), "cudaCreateSurfaceObject");
  surfaces()[handle].resource = resource;
  return handle;
}

const TextureParts& texture_parts(cudaTextureObject_t texture) { return find(textures(), texture); }
const TextureParts& surface_parts(cudaTextureObject_t surface) { return find(surfaces(), surface); }
void destroy_texture(Runtime& runtime, cudaTextureObject_t texture) {
  destroy(runtime, textures(), texture);
}
void destroy_surface(Runtime& runtime, cudaTextureObject_t surface) {
  destroy(runtime, surfaces(), surface);
}

void write_descriptor(Runtime& runtime, Address where, const isa::TextureDescriptor& descriptor) {
  runtime.device().wait_for_all();
  std::byte* to = runtime.space().values(where, sizeof descriptor);
  require(to != nullptr, cudaErrorInvalidTexture);
  std::memcpy(to, &descriptor, sizeof descriptor);
}

}  // namespace raddle::cuda
