// CUDA arrays: images in device memory, with layers, faces and mipmap levels.
#pragma once

#include <memory>
#include <vector>

#include "cuda/runtime/work.h"
#include "isa/texture/descriptor.h"

namespace raddle::cuda {

/// The part of an image that a copy takes: `depth` slices of `height` rows of `width` bytes, from
/// byte x of row y of slice z on.
struct Region {
  std::size_t x = 0, y = 0, z = 0;
  std::size_t width = 0, height = 1, depth = 1;
};

/// A region of memory with `pitch` bytes from row to row, and `rows` rows from slice to slice.
/// Refuses a region of several rows (slices) that does not fit into a row (slice): it would
/// continue in the next one.
Place place_in(void* base, std::size_t pitch, std::size_t rows, const Region& region);

/// The object behind a cudaArray_t or CUarray: rows of elements in device memory. Its values lie
/// row by row; caches see them in blocks (isa/texture/layout.h).
struct Array {
  cudaChannelFormatDesc format = {};
  std::size_t width = 0, height = 0, depth = 0;  // elements; 0 where the array lacks the dimension
  unsigned element = 0;                          // bytes
  unsigned flags = 0;
  void* base = nullptr;
  bool owns_memory = true;  // false for a level of a mipmap
  std::size_t pitch() const { return width * element; }
  std::size_t rows() const { return height == 0 ? 1 : height; }
  std::size_t slices() const { return depth == 0 ? 1 : depth; }
  /// Refuses a region that reaches beyond the array, or begins inside an element.
  Place place(const Region& region) const;
};
Array* create_array(Runtime& runtime, const cudaChannelFormatDesc& format, std::size_t width,
                    std::size_t height, std::size_t depth, unsigned flags);
void destroy_array(Runtime& runtime, Array* array);
/// The array behind a handle. Refuses unknown handles.
Array& array(const void* handle);

/// The array, or level of a mipmap, whose values begin at `address`; nullptr when there is none.
const Array* array_at(const void* address);

/// The object behind a cudaMipmappedArray_t or CUmipmappedArray: arrays of halved extents, one
/// after the other in one piece of memory.
struct MipmappedArray {
  void* base = nullptr;
  std::vector<std::unique_ptr<Array>> levels;
};
/// Makes `levels` levels, but at most as many as halving the extents gives.
MipmappedArray* create_mipmap(Runtime& runtime, const cudaChannelFormatDesc& format,
                              std::size_t width, std::size_t height, std::size_t depth,
                              unsigned levels, unsigned flags);
void destroy_mipmap(Runtime& runtime, MipmappedArray* mipmap);
MipmappedArray& mipmap(const void* handle);

/// The descriptions of an array, a mipmap or memory that textures and surfaces use. They refuse
/// formats that textures cannot have (cudaErrorInvalidChannelDescriptor).
isa::TexelFormat texel_format(const cudaChannelFormatDesc& format);
isa::Image image_of(const Array& array);
isa::Image image_of(const MipmappedArray& mipmap);
isa::Image linear_image(const void* base, const cudaChannelFormatDesc& format, std::size_t bytes);
isa::Image pitched_image(const void* base, const cudaChannelFormatDesc& format, std::size_t width,
                         std::size_t height, std::size_t pitch);

}  // namespace raddle::cuda
