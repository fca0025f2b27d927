// Surface and texture instructions in every form, each on an image of its own.
#pragma once

#include <string>
#include <vector>

#include "form_list.h"

namespace raddle::tests {

inline constexpr unsigned kImageThreads = 8;  // of a surface form
inline constexpr unsigned kImageRows = 2, kImageSlices = 3, kRowBytes = 128;
inline constexpr unsigned kImageBytes = kRowBytes * kImageRows * kImageSlices;

struct SurfaceAccess {
  const isa::CompiledRow* row = nullptr;
  Words words;
  std::string opcode, geometry, boundary, operation, type;
  unsigned width = 1, bytes = 4;  // elements, and bytes of one
  bool formatted = false;         // .p: x counts texels
  unsigned extent() const { return width * bytes; }
};
std::vector<SurfaceAccess> surface_forms(isa::Matcher& matcher);

/// Where thread `t` goes: threads 0 to 5 inside; with .clamp and .zero, thread 6 is beyond the last
/// place and thread 7 before the first.
struct Place {
  int x = 0, y = 0, z = 0;  // x in units of the access
};
Place surface_place(const SurfaceAccess& form, unsigned thread);

/// Kernel `test(handles, coordinates, values, out)`: a handle a form; x y z as words, 16 bytes a
/// form and thread; 32 bytes of values, 32 of results.
std::string surface_kernel(const std::vector<SurfaceAccess>& forms);

struct TextureAccess {
  const isa::CompiledRow* row = nullptr;
  Words words;
  std::string opcode, geometry, result, coordinate, level, channel;
  unsigned elements() const { return result == "f16x2" ? 2 : 4; }
};
std::vector<TextureAccess> texture_forms(isa::Matcher& matcher);
/// Kernel `test(handles, out)`: 16 bytes of results a form and lane.
std::string texture_kernel(const std::vector<TextureAccess>& forms);
/// The texel that a lane looks up: of 4 x 2 x 4, or a face and a layer.
unsigned texel_of(const TextureAccess& form, unsigned lane);

}  // namespace raddle::tests
