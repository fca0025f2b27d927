// From a handle to its descriptor and to the values in the image's memory.
#pragma once

#include <array>
#include <cstddef>

#include "isa/texture/descriptor.h"
#include "isa/texture/footprint.h"
#include "isa/warp_context.h"
#include "memory/address_space.h"

namespace raddle::isa {

struct BoundTexture {
  const TextureDescriptor* descriptor = nullptr;
  std::byte* values = nullptr;  // values of the image; null for samplers
};

/// One object for each multiprocessor: it remembers the handles that the warps use.
class TextureBindings {
 public:
  explicit TextureBindings(memory::AddressSpace& space) : space_(space) {}

  /// Finds the object for `handle`, which must be of kind `wanted` (texture, sampler or surface).
  /// Returns nullptr and sets w.fault when it is not, or when the image's memory does not exist.
  const BoundTexture* find(WarpContext& w, Address handle, HandleKind wanted, unsigned lane) {
    const Entry& entry = entries_[handle / 256 % entries_.size()];
    const bool known = entry.handle == handle && entry.epoch == space_.epoch() &&
                       entry.bound.descriptor->kind == wanted &&
                       entry.bound.descriptor->image.base == entry.base &&
                       entry.bound.descriptor->image.bytes == entry.bytes;
    return known ? &entry.bound : look_up(w, handle, wanted, lane);
  }

  /// Whether `handle` is of this kind, bound or not.
  bool is(Address handle, HandleKind kind) const;

  /// The sectors that the last texture instruction touched.
  Footprint& footprint() { return footprint_; }
  const Footprint& footprint() const { return footprint_; }

 private:
  struct Entry {
    Address handle = 0;
    std::uint64_t epoch = 0;
    Address base = 0;
    std::uint64_t bytes = 0;
    BoundTexture bound;
  };
  const BoundTexture* look_up(WarpContext& w, Address handle, HandleKind wanted, unsigned lane);

  memory::AddressSpace& space_;
  std::array<Entry, 64> entries_;
  Footprint footprint_;
};

}  // namespace raddle::isa
