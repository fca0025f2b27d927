#include "cuda/runtime/arrays.h"

#include <fmt/core.h>

#include <set>

#include "base/error.h"
#include "cuda/runtime/memory.h"
#include "isa/texture/layout.h"

namespace raddle::cuda {
namespace {

std::set<const void*>& arrays() {
  static auto* all = forgotten_at_reset(new std::set<const void*>);
  return *all;
}

std::set<const void*>& mipmaps() {
  static auto* all = forgotten_at_reset(new std::set<const void*>);
  return *all;
}

bool beyond(std::size_t first, std::size_t count, std::size_t all) {
  return first > all || count > all - first;
}

/// Bytes of an array in device memory, with the padding of its blocks.
std::size_t memory_bytes(const Array& array) {
  const auto rows = static_cast<std::uint32_t>(array.rows());
  const std::size_t slice = isa::block_linear_bytes(array.pitch(), rows);
  const std::size_t values = size_product(array.pitch(), array.rows());
  return size_product(std::max(slice, values), array.slices());
}

/// Extents too large for any machine are out of memory; senseless extents are invalid.
void check_extents(const Array& array) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  const bool layered = (array.flags & cudaArrayLayered) != 0;
  const bool cube = (array.flags & cudaArrayCubemap) != 0;
  require(array.width != 0, cudaErrorInvalidValue, "an array needs a width");
  require(array.depth == 0 || array.height != 0 || layered, cudaErrorInvalidValue,
          "a 3D array needs a height");
  require(!layered || array.depth != 0, cudaErrorInvalidValue,
          "a layered array needs a depth, its number of layers");
  require(!cube || (array.width == array.height && array.depth % 6 == 0 && array.depth != 0 &&
                    (layered || array.depth == 6)),
          cudaErrorInvalidValue,
          "a cubemap is as high as it is wide and has 6 layers, a layered one a multiple of 6");
  require(array.width < kMost && array.height < kMost && array.depth < kMost,
          cudaErrorMemoryAllocation);
}

std::unique_ptr<Array> describe(const cudaChannelFormatDesc& format, std::size_t width,
                                std::size_t height, std::size_t depth, unsigned flags) {
  auto made = std::make_unique<Array>();
  made->format = format;
  made->width = width;
  made->height = height;
  made->depth = depth;
  made->element = texel_format(format).bytes();
  made->flags = flags;
  check_extents(*made);
  return made;
}

std::size_t halved(std::size_t extent, unsigned level) {
  return extent == 0 ? 0 : std::max<std::size_t>(extent >> level, 1);
}

}  // namespace

Place place_in(void* base, std::size_t pitch, std::size_t rows, const Region& r) {
  if ((r.height > 1 || r.depth > 1) && beyond(r.x, r.width, pitch)) {
    refuse(cudaErrorInvalidValue,  // not an invalid pitch (NVIDIA H200, CUDA 13.0)
           fmt::format("{} bytes from byte {} on: a row is longer than the pitch, {} bytes",
                       r.width, r.x, pitch));
  }
  if (r.depth > 1 && beyond(r.y, r.height, rows)) {
    refuse(cudaErrorInvalidValue,
           fmt::format("{} rows from row {} on reach beyond a slice, which has {} rows", r.height,
                       r.y, rows));
  }
  return {static_cast<std::byte*>(base) + (r.z * rows + r.y) * pitch + r.x, pitch, rows};
}

Place Array::place(const Region& r) const {
  if (beyond(r.x, r.width, pitch()) || beyond(r.y, r.height, rows()) ||
      beyond(r.z, r.depth, slices())) {
    refuse(
        cudaErrorInvalidValue,
        fmt::format("{} bytes from byte {}, {} rows from row {}, {} slices from slice {} on reach "
                    "beyond an array of {} slices of {} rows of {} bytes",
                    r.width, r.x, r.height, r.y, r.depth, r.z, slices(), rows(), pitch()));
  }
  require(r.x % element == 0, cudaErrorInvalidValue,
          fmt::format("byte {} of a row is inside an element of {} bytes", r.x, element));
  return place_in(base, pitch(), rows(), r);
}

Array* create_array(Runtime& runtime, const cudaChannelFormatDesc& format, std::size_t width,
                    std::size_t height, std::size_t depth, unsigned flags) {
  auto made = describe(format, width, height, depth, flags);
  made->base = allocate_device(runtime, memory_bytes(*made), "cudaMallocArray");
  arrays().insert(made.get());
  return made.release();
}

void destroy_array(Runtime& runtime, Array* array) {
  if (array == nullptr) return;
  require(arrays().contains(array) && array->owns_memory, cudaErrorInvalidResourceHandle,
          fmt::format("{} is not a CUDA array, is a level of a mipmapped one, or was freed",
                      static_cast<const void*>(array)));
  arrays().erase(array);
  release(runtime, array->base, false);
  delete array;
}

Array& array(const void* handle) {
  if (!arrays().contains(handle)) {
    refuse(cudaErrorInvalidResourceHandle,
           fmt::format("{} is not a CUDA array, or was freed", handle));
  }
  return *static_cast<Array*>(const_cast<void*>(handle));
}

const Array* array_at(const void* address) {
  for (const void* handle : arrays()) {
    const auto* one = static_cast<const Array*>(handle);
    const auto* begin = static_cast<const std::byte*>(one->base);
    const std::size_t bytes = one->pitch() * one->rows() * one->slices();
    const auto* at = static_cast<const std::byte*>(address);
    if (at >= begin && at < begin + bytes) return one;
  }
  return nullptr;
}

MipmappedArray* create_mipmap(Runtime& runtime, const cudaChannelFormatDesc& format,
                              std::size_t width, std::size_t height, std::size_t depth,
                              unsigned levels, unsigned flags) {
  require(levels != 0, cudaErrorInvalidValue);
  auto made = std::make_unique<MipmappedArray>();
  std::vector<std::size_t> offsets;
  std::size_t end = 0;
  const bool keeps_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  for (unsigned level = 0; level < levels && level < isa::kMostLevels; ++level) {
    const std::size_t longest = std::max({width, height, keeps_depth ? 0 : depth});
    if (level != 0 && longest >> level == 0) break;
    made->levels.push_back(describe(format, halved(width, level), halved(height, level),
                                    keeps_depth ? depth : halved(depth, level), flags));
    offsets.push_back(end);
    end += (memory_bytes(*made->levels.back()) + 511) / 512 * 512;
  }
  made->base = allocate_device(runtime, end, "cudaMallocMipmappedArray");
  for (std::size_t level = 0; level < offsets.size(); ++level) {
    Array& one = *made->levels[level];
    one.base = static_cast<std::byte*>(made->base) + offsets[level];
    one.owns_memory = false;
    arrays().insert(&one);
  }
  mipmaps().insert(made.get());
  return made.release();
}

void destroy_mipmap(Runtime& runtime, MipmappedArray* mipmap) {
  if (mipmap == nullptr) return;
  require(
      mipmaps().erase(mipmap) == 1, cudaErrorInvalidResourceHandle,
      fmt::format("{} is not a mipmapped array, or was freed", static_cast<const void*>(mipmap)));
  for (const auto& level : mipmap->levels) arrays().erase(level.get());
  release(runtime, mipmap->base, false);
  delete mipmap;
}

MipmappedArray& mipmap(const void* handle) {
  require(mipmaps().contains(handle), cudaErrorInvalidResourceHandle,
          fmt::format("{} is not a mipmapped array, or was freed", handle));
  return *static_cast<MipmappedArray*>(const_cast<void*>(handle));
}

isa::TexelFormat texel_format(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  isa::TexelFormat texel;
  texel.channels = 0;
  for (const int one : bits) {
    if (one == 0) break;
    require(one == format.x, cudaErrorInvalidChannelDescriptor);
    ++texel.channels;
  }
  if (format.f >= cudaChannelFormatKindUnsignedBlockCompressed1 ||
      format.f == cudaChannelFormatKindNV12) {
    raddle::fail(
        "arrays of channel format kind {} (block-compressed, planar or packed) are not supported",
        static_cast<int>(format.f));
  }
  const bool counts = texel.channels == 1 || texel.channels == 2 || texel.channels == 4;
  const bool half = format.f == cudaChannelFormatKindFloat && format.x == 8;
  require(counts && !half && (format.x == 8 || format.x == 16 || format.x == 32),
          cudaErrorInvalidChannelDescriptor);
  texel.channel_bits = static_cast<std::uint8_t>(format.x);
  switch (format.f) {
    case cudaChannelFormatKindSigned:
      texel.kind = isa::ChannelKind::signed_integer;
      break;
    case cudaChannelFormatKindUnsigned:
      texel.kind = isa::ChannelKind::unsigned_integer;
      break;
    case cudaChannelFormatKindFloat:
      texel.kind = isa::ChannelKind::floating;
      break;
    case cudaChannelFormatKindNone:
      require(false, cudaErrorInvalidChannelDescriptor);
      break;
    default:
      texel.kind = format.f < cudaChannelFormatKindSignedNormalized8X1
                       ? isa::ChannelKind::unsigned_normalized
                       : isa::ChannelKind::signed_normalized;
  }
  return texel;
}

isa::Image image_of(const Array& array) {
  isa::Image image;
  image.base = reinterpret_cast<Address>(array.base);
  image.bytes = memory_bytes(array);
  image.layout = isa::ImageLayout::array;
  image.format = texel_format(array.format);
  image.layered = (array.flags & cudaArrayLayered) != 0;
  image.cubemap = (array.flags & cudaArrayCubemap) != 0;
  const bool slices_are_layers = image.layered || image.cubemap;
  image.dimensions = array.depth != 0 && !slices_are_layers ? 3 : array.height != 0 ? 2 : 1;
  image.width = static_cast<std::uint32_t>(array.width);
  image.height = static_cast<std::uint32_t>(array.rows());
  (slices_are_layers ? image.layers : image.depth) = static_cast<std::uint32_t>(array.slices());
  return image;
}

isa::Image image_of(const MipmappedArray& mipmap) {
  isa::Image image = image_of(*mipmap.levels[0]);
  image.levels = static_cast<std::uint8_t>(mipmap.levels.size());
  for (std::size_t level = 0; level < mipmap.levels.size(); ++level) {
    const Array& one = *mipmap.levels[level];
    image.level_offset[level] = reinterpret_cast<Address>(one.base) - image.base;
    image.bytes = image.level_offset[level] + memory_bytes(one);
  }
  return image;
}

isa::Image linear_image(const void* base, const cudaChannelFormatDesc& format, std::size_t bytes) {
  isa::Image image;
  image.base = reinterpret_cast<Address>(base);
  image.format = texel_format(format);
  const std::size_t texels = bytes / image.format.bytes();
  require(base != nullptr && texels != 0 && texels <= (std::size_t{1} << 31), cudaErrorInvalidValue,
          "a linear texture needs memory with 1 to 2^31 elements");
  image.bytes = texels * image.format.bytes();
  image.width = static_cast<std::uint32_t>(texels);
  return image;
}

isa::Image pitched_image(const void* base, const cudaChannelFormatDesc& format, std::size_t width,
                         std::size_t height, std::size_t pitch) {
  isa::Image image;
  image.base = reinterpret_cast<Address>(base);
  image.format = texel_format(format);
  image.layout = isa::ImageLayout::pitch;
  image.dimensions = 2;
  const unsigned texel = image.format.bytes();
  require(base != nullptr && width != 0 && height != 0 && width <= 1u << 20 && height <= 1u << 20,
          cudaErrorInvalidValue, "a pitched texture needs memory with 1 to 2^20 columns and rows");
  require(pitch >= width * texel && pitch % texel == 0, cudaErrorInvalidPitchValue,
          "the pitch of a texture holds a row and is a multiple of its elements");
  image.pitch = pitch;
  image.bytes = (height - 1) * pitch + width * texel;
  image.width = static_cast<std::uint32_t>(width);
  image.height = static_cast<std::uint32_t>(height);
  return image;
}

}  // namespace raddle::cuda
