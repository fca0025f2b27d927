#include "isa/texture/bindings.h"

#include <mutex>
#include <shared_mutex>

namespace raddle::isa {
namespace {

Fault fault_at(Fault::Kind kind, const WarpContext& w, Address address, unsigned lane,
               unsigned bytes) {
  return {kind,          static_cast<std::uint8_t>(lane), bytes,
          w.access.type, MemoryAccess::Space::texture,    address};
}

/// The descriptor at `handle`; nullptr if there is none.
const TextureDescriptor* descriptor_at(const memory::Allocation* holder, Address handle) {
  const bool fits = holder != nullptr && !holder->freed && holder->kind == memory::Kind::constant &&
                    (handle - holder->base) % 8 == 0 &&
                    holder->holds(handle, sizeof(TextureDescriptor));
  if (!fits) return nullptr;
  return reinterpret_cast<const TextureDescriptor*>(holder->values + (handle - holder->base));
}

bool unbound(HandleKind kind, HandleKind wanted) {
  return (wanted == HandleKind::texture && kind == HandleKind::unbound_texture) ||
         (wanted == HandleKind::surface && kind == HandleKind::unbound_surface);
}

}  // namespace

bool TextureBindings::is(Address handle, HandleKind kind) const {
  const std::shared_lock stays(space_.changes());
  const TextureDescriptor* descriptor = descriptor_at(space_.find(handle), handle);
  return descriptor != nullptr && (descriptor->kind == kind || unbound(descriptor->kind, kind));
}

const BoundTexture* TextureBindings::look_up(WarpContext& w, Address handle, HandleKind wanted,
                                             unsigned lane) {
  const auto refuse = [&](Fault::Kind kind, Address address, unsigned bytes) {
    w.fault = fault_at(kind, w, address, lane, bytes);
    return nullptr;
  };
  const std::shared_lock stays(space_.changes());
  const memory::Allocation* holder = space_.find(handle);
  const TextureDescriptor* descriptor = descriptor_at(holder, handle);
  if (descriptor == nullptr) {
    const bool destroyed =
        holder != nullptr && holder->freed && holder->kind == memory::Kind::constant;
    return refuse(destroyed ? Fault::Kind::use_after_free : Fault::Kind::bad_handle, handle, 8);
  }
  if (unbound(descriptor->kind, wanted)) return refuse(Fault::Kind::unbound_handle, handle, 8);
  if (descriptor->kind != wanted) return refuse(Fault::Kind::bad_handle, handle, 8);
  Entry& entry = entries_[handle / 256 % entries_.size()];
  std::byte* values = nullptr;
  if (wanted != HandleKind::sampler) {
    const Image& image = descriptor->image;
    const memory::Allocation* memory = space_.find(image.base);
    if (memory == nullptr || memory->freed || !memory->holds(image.base, image.bytes)) {
      const bool freed = memory != nullptr && memory->freed;
      return refuse(freed ? Fault::Kind::use_after_free : Fault::Kind::out_of_bounds, image.base,
                    image.format.bytes());
    }
    values = memory->values + (image.base - memory->base);
  }
  entry = {handle,
           space_.epoch(),
           descriptor->image.base,
           descriptor->image.bytes,
           {descriptor, values}};
  return &entry.bound;
}

}  // namespace raddle::isa
