// suld, sust and sured. Out-of-range coordinates trap, are clamped, or read zero and write nothing.
#include <fmt/core.h>

#include <bit>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/texture.h"

namespace raddle::isa {

std::uint16_t SurfaceForm::pack() const {
  return static_cast<std::uint16_t>(
      static_cast<unsigned>(geometry) | static_cast<unsigned>(boundary) << 4 |
      static_cast<unsigned>(operation) << 6 | unsigned(std::countr_zero(elements)) << 9 |
      unsigned(std::countr_zero(element_bytes)) << 11 | unsigned{is_signed} << 13 |
      unsigned{formatted} << 14);
}

SurfaceForm SurfaceForm::unpack(std::uint16_t bits) {
  SurfaceForm form;
  form.geometry = static_cast<Geometry>(bits & 15);
  form.boundary = static_cast<Boundary>(bits >> 4 & 3);
  form.operation = static_cast<Operation>(bits >> 6 & 7);
  form.elements = static_cast<std::uint8_t>(1 << (bits >> 9 & 3));
  form.element_bytes = static_cast<std::uint8_t>(1 << (bits >> 11 & 3));
  form.is_signed = (bits >> 13 & 1) != 0;
  form.formatted = (bits >> 14 & 1) != 0;
  return form;
}

namespace {

using Boundary = SurfaceForm::Boundary;
using Operation = SurfaceForm::Operation;

/// The place of one lane's access.
struct SurfacePlace {
  bool inside = false;
  std::byte* at = nullptr;
  Address address = 0;  // as the caches see it
};

/// A copy of the text that lives as long as the process, as Fault::text needs. Only the first 4096
/// texts are kept.
const char* remembered(std::string text) {
  constexpr std::size_t kMost = 4096;
  static std::mutex mutex;
  static auto* const texts = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (texts->size() >= kMost && !texts->contains(text)) return nullptr;
  return texts->insert(std::move(text)).first->c_str();
}

/// The coordinates of a lane: x in bytes; the last one is a slice of an image or a layer.
class SurfaceAddresses {
 public:
  SurfaceAddresses(const WarpContext& w, const Instruction& i, const SurfaceForm& form)
      : form_(form) {
    elements_ = w.source<Slot>(i.s[0]);
    const Slot* slot = elements_ + form.elements;
    handle_ = w.source<std::uint64_t>(*slot++);
    if (has_layer(form.geometry)) layer_ = w.source<std::int32_t>(*slot++);
    for (unsigned n = 0; n < coordinates(form.geometry); ++n) {
      at_[n] = w.source<std::int32_t>(*slot++);
    }
  }

  const Slot* elements() const { return elements_; }

  /// Returns false and sets w.fault when the handle is wrong or the access traps. `bytes`: bytes of
  /// the lane.
  bool resolve(WarpContext& w, unsigned lane, unsigned bytes, SurfacePlace& place,
               const Image** image) const {
    const BoundTexture* found =
        w.global->textures().find(w, handle_[lane], HandleKind::surface, lane);
    if (found == nullptr) return false;
    *image = &found->descriptor->image;
    const Image& surface = **image;
    const unsigned texel = surface.format.bytes();
    if (form_.formatted) bytes = texel;
    std::int64_t x = at_[0][lane];
    if (form_.formatted) x *= texel;
    std::int64_t y = at_[1] != nullptr ? at_[1][lane] : 0;
    std::int64_t z = at_[2] != nullptr ? at_[2][lane] : layer_ != nullptr ? layer_[lane] : 0;
    const auto row = static_cast<std::int64_t>(surface.row_bytes(0));
    const std::int64_t slices = std::int64_t{surface.depth} * surface.layers;
    place.inside = fits(x, row, bytes) && fits(y, surface.height, 1) && fits(z, slices, 1);
    if (!place.inside) {
      if (form_.boundary == Boundary::trap) {
        refuse(w, Fault::Kind::outside_surface, surface.base, lane, bytes);
        w.fault.text = remembered(outside_text(surface, lane));
        return false;
      }
      if (form_.boundary == Boundary::zero) return true;
      place.inside = true;
      x = std::clamp<std::int64_t>(x, 0, row - bytes);
      y = std::clamp<std::int64_t>(y, 0, surface.height - 1);
      z = std::clamp<std::int64_t>(z, 0, slices - 1);
    }
    const auto column = static_cast<std::uint64_t>(x);
    const auto rows = static_cast<std::uint32_t>(y), slice = static_cast<std::uint32_t>(z);
    place.address = timing_address(surface, 0, column, rows, slice);
    const std::uint64_t offset = value_offset(surface, 0, column, rows, slice);
    if (x % bytes != 0) {
      return refuse(w, Fault::Kind::misaligned, surface.base + offset, lane, bytes);
    }
    place.at = found->values + offset;
    return true;
  }

 private:
  /// "coordinates (260, 3) of 256 bytes x 16 rows"
  std::string outside_text(const Image& surface, unsigned lane) const {
    std::string at;
    const auto add = [&at](std::int32_t one) {
      at += fmt::format("{}{}", at.empty() ? "" : ", ", one);
    };
    for (const std::int32_t* one : {at_[0], at_[1], at_[2]}) {
      if (one != nullptr) add(one[lane]);
    }
    std::string extent = form_.formatted ? fmt::format("{} texels", surface.width)
                                         : fmt::format("{} bytes", surface.row_bytes(0));
    if (at_[1] != nullptr) extent += fmt::format(" x {} rows", surface.height);
    if (at_[2] != nullptr) extent += fmt::format(" x {} slices", surface.depth);
    if (layer_ == nullptr) return fmt::format("coordinates ({}) of {}", at, extent);
    return fmt::format("layer {} of {}, coordinates ({}) of {}", layer_[lane], surface.layers, at,
                       extent);
  }

  static bool fits(std::int64_t at, std::int64_t extent, unsigned size) {
    return at >= 0 && at + size <= extent;
  }
  static bool refuse(WarpContext& w, Fault::Kind kind, Address address, unsigned lane,
                     unsigned bytes) {
    w.fault = {kind,          static_cast<std::uint8_t>(lane), bytes,
               w.access.type, MemoryAccess::Space::texture,    address};
    return false;
  }

  SurfaceForm form_;
  const std::uint64_t* handle_ = nullptr;
  const std::int32_t* layer_ = nullptr;
  const std::int32_t* at_[3] = {};
  const Slot* elements_ = nullptr;
};

std::uint64_t element(const WarpContext& w, Slot slot, unsigned bytes, unsigned lane) {
  return bytes == 8 ? w.source<std::uint64_t>(slot)[lane] : w.source<std::uint32_t>(slot)[lane];
}

/// The bytes that a lane stores, lowest first.
std::array<std::uint64_t, 2> stored_bytes(const WarpContext& w, const SurfaceForm& form,
                                          const Slot* elements, const Image& image, unsigned lane) {
  if (form.formatted && form.operation == Operation::store) {
    Texel values = {0, 0, 0, 0};
    for (unsigned e = 0; e < form.elements; ++e) {
      values[e] = w.source<std::uint32_t>(elements[e])[lane];
    }
    return pack_texel(image.format, values);
  }
  std::array<std::uint64_t, 2> bytes = {0, 0};
  const unsigned bits = 8 * form.element_bytes;
  for (unsigned e = 0; e < form.elements; ++e) {
    std::uint64_t value = element(w, elements[e], form.element_bytes, lane);
    if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
    bytes[e * bits / 64] |= value << (e * bits % 64);
  }
  return bytes;
}

void carry_out_store(const GlobalUpdate& update, Services&) {
  for (LaneMask rest = update.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto bytes = static_cast<unsigned>(update.a_high[lane]);
    std::memcpy(update.at[lane], &update.a[lane], std::min(bytes, 8u));
    if (bytes > 8) std::memcpy(update.at[lane] + 8, &update.b[lane], bytes - 8);
  }
}

template <class T>
T combine(Operation operation, T old, T operand) {
  switch (operation) {
    case Operation::add:
      return static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(operand));
    case Operation::min:
      return std::min(old, operand);
    case Operation::max:
      return std::max(old, operand);
    case Operation::op_and:
      return old & operand;
    default:
      return old | operand;
  }
}

template <class T>
void carry_out_reduction(const GlobalUpdate& update, Services&) {
  const SurfaceForm form = SurfaceForm::unpack(update.instruction->extra);
  for (LaneMask rest = update.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    T value;
    std::memcpy(&value, update.at[lane], sizeof value);
    value = combine(form.operation, value, static_cast<T>(update.a[lane]));
    std::memcpy(update.at[lane], &value, sizeof value);
  }
}

GlobalUpdate::CarryOut carrier(const SurfaceForm& form) {
  if (form.operation == Operation::store) return carry_out_store;
  if (form.element_bytes == 8) {
    return form.is_signed ? carry_out_reduction<std::int64_t> : carry_out_reduction<std::uint64_t>;
  }
  return form.is_signed ? carry_out_reduction<std::int32_t> : carry_out_reduction<std::uint32_t>;
}

void load_surface(WarpContext& w, const SurfaceForm& form, const SurfaceAddresses& addresses) {
  const unsigned bytes = form.elements * form.element_bytes;
  alignas(64) std::uint64_t wide[4][kWarpSize] = {};
  LaneMask touched = 0;
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    SurfacePlace place;
    const Image* image = nullptr;
    if (!addresses.resolve(w, lane, bytes, place, &image)) return;
    if (!place.inside) continue;
    touched |= LaneMask{1} << lane;
    w.access.address[lane] = place.address;
    for (unsigned e = 0; e < form.elements; ++e) {
      std::memcpy(&wide[e][lane], place.at + e * form.element_bytes, form.element_bytes);
    }
  }
  for (unsigned e = 0; e < form.elements; ++e) {
    const Slot slot = addresses.elements()[e];
    if (form.element_bytes == 8) {
      store_lanes<std::uint64_t>(w, slot, wide[e]);
      continue;
    }
    alignas(64) std::uint32_t narrow[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) narrow[l] = static_cast<std::uint32_t>(wide[e][l]);
    store_lanes<std::uint32_t>(w, slot, narrow);
  }
  w.access.lanes = touched;
}

void store_surface(WarpContext& w, const Instruction& i, const SurfaceForm& form,
                   const SurfaceAddresses& addresses) {
  const unsigned bytes = form.elements * form.element_bytes;
  GlobalUpdate& update = w.global->next_update();
  update.lanes = 0;
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    SurfacePlace place;
    const Image* image = nullptr;
    if (!addresses.resolve(w, lane, bytes, place, &image)) return;
    if (!place.inside) continue;
    update.lanes |= LaneMask{1} << lane;
    w.access.address[lane] = place.address;
    update.at[lane] = place.at;
    const auto values = stored_bytes(w, form, addresses.elements(), *image, lane);
    update.a[lane] = values[0];
    update.b[lane] = values[1];
    update.a_high[lane] = form.formatted ? image->format.bytes() : bytes;
  }
  w.access.lanes = update.lanes;
  if (update.lanes == 0) return;
  update.instruction = &i;
  update.carry_out = carrier(form);
  w.global->commit();
}

}  // namespace

void execute_surface(WarpContext& w, const Instruction& i) {
  const SurfaceForm form = SurfaceForm::unpack(i.extra);
  const SurfaceAddresses addresses(w, i, form);
  MemoryAccess& access = w.access;
  access.space = MemoryAccess::Space::global;
  access.bytes = static_cast<std::uint8_t>(form.elements * form.element_bytes);
  access.cache = 0;
  // L1 may be stale after stores of other multiprocessors.
  access.bypass_l1 = true;
  access.type = form.operation == SurfaceForm::Operation::load    ? MemoryAccess::Type::load
                : form.operation == SurfaceForm::Operation::store ? MemoryAccess::Type::store
                                                                  : MemoryAccess::Type::reduction;
  access.observed = access.type == MemoryAccess::Type::load;
  if (access.type == MemoryAccess::Type::reduction && !w.global->order(w)) return;
  if (form.operation == SurfaceForm::Operation::load) {
    load_surface(w, form, addresses);
  } else {
    store_surface(w, i, form, addresses);
  }
}

}  // namespace raddle::isa
