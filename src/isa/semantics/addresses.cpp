// From the addresses of a memory instruction to the places of the values.
#include <bit>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

using memory::kLocalWindow;
using memory::kParamWindow;
using memory::kSharedWindow;
using memory::kWindowSpan;

bool refuse(WarpContext& w, const Instruction& i, Fault::Kind kind, unsigned lane,
            MemoryAccess::Space space) {
  w.fault = {kind,  static_cast<std::uint8_t>(lane), i.bytes, w.access.type,
             space, w.access.address[lane]};
  return false;
}

/// The bytes of a window: those of lane l begin at `base + l * stride` and have the address
/// `first`. (In local memory they are the frames; the part that alloca has handed out lies behind
/// them.)
struct Window {
  std::byte* base;
  std::uint64_t stride, bytes;
  Address first;
  MemoryAccess::Space space;
};

Window shared_window(const WarpContext& w) {
  return {w.block->shared, 0, w.block->shared_bytes, w.block->shared_begin,
          MemoryAccess::Space::shared};
}
Window local_window(const WarpContext& w) {
  const BlockContext& b = *w.block;
  std::byte* warp_base =
      b.local + std::uint64_t{w.warp_in_block} * kWarpSize * b.local_bytes_per_thread;
  return {warp_base, b.local_bytes_per_thread, w.local_end, 0, MemoryAccess::Space::local};
}
Window parameter_window(const WarpContext& w) {
  // Only reads use it: stores to kernel parameters are refused earlier.
  auto& bytes = const_cast<std::vector<std::byte>&>(w.block->grid->parameters);
  return {bytes.data(), 0, bytes.size(), 0, MemoryAccess::Space::parameter};
}

bool resolve_lane(WarpContext& w, const Instruction& i, const Window& window, unsigned alignment,
                  unsigned lane, std::byte** at) {
  const Address address = w.access.address[lane], offset = address - window.first;
  const bool inside = window.space == MemoryAccess::Space::local
                          ? within_local(w, lane, offset, i.bytes)
                          : offset < window.bytes && window.bytes - offset >= i.bytes;
  if (!inside) {
    // An address of another space, or a generic one, not just an offset that is slightly too large
    // or negative.
    const bool far = address >= kWindowSpan && address < Address{0} - kWindowSpan;
    return refuse(w, i, far ? Fault::Kind::wrong_space : Fault::Kind::out_of_bounds, lane,
                  window.space);
  }
  if ((address & (alignment - 1)) != 0) {
    return refuse(w, i, Fault::Kind::misaligned, lane, window.space);
  }
  at[lane] = window.base + lane * window.stride + offset;
  return true;
}

bool resolve_window(WarpContext& w, const Instruction& i, const Window& window, unsigned alignment,
                    std::byte** at) {
  w.access.space = window.space;
  if (window.space == MemoryAccess::Space::shared && w.access.type == MemoryAccess::Type::store) {
    w.global->note_change();
  }
  const Address* a = w.access.address;
  Address worst = 0, bits = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const Address offset = lane_in(w.active, l) ? a[l] - window.first : 0;
    worst = std::max(worst, offset);
    bits |= offset;  // as aligned as the address: `first` is a multiple of every alignment
    at[l] = window.base + l * window.stride + offset;
  }
  const bool fine = worst < window.bytes && window.bytes - worst >= i.bytes;
  if (fine && (bits & (alignment - 1)) == 0) [[likely]] {
    return true;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (lane_in(w.active, l) && !resolve_lane(w, i, window, alignment, l, at)) return false;
  }
  return true;
}

/// For lanes whose generic addresses all fall into the same window of a block or a thread, which
/// begins at `first`.
bool resolve_one_window(WarpContext& w, const Instruction& i, Address first, unsigned alignment,
                        std::byte** at) {
  for (Address& a : w.access.address) a -= first;
  const Window window = first == kSharedWindow  ? shared_window(w)
                        : first == kLocalWindow ? local_window(w)
                                                : parameter_window(w);
  return resolve_window(w, i, window, alignment, at);
}

/// Whether a window begins at `first` that accesses of this type may use.
bool begins_window(Address first, MemoryAccess::Type type) {
  return first == kSharedWindow || first == kLocalWindow ||
         (first == kParamWindow && type == MemoryAccess::Type::load);
}

/// For lanes of which some have generic addresses in windows of a block or a thread.
bool resolve_generic(WarpContext& w, const Instruction& i, unsigned alignment, std::byte** at,
                     LaneMask* global_lanes) {
  Address* a = w.access.address;
  LaneMask global = 0, shared = 0, other = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (!lane_in(w.active, l)) continue;
    const LaneMask bit = LaneMask{1} << l;
    if (a[l] < kSharedWindow || a[l] >= kParamWindow + kWindowSpan) {
      global |= bit;
      continue;
    }
    const bool in_shared = a[l] - kSharedWindow < kWindowSpan;
    const bool in_local = a[l] - kLocalWindow < kWindowSpan;
    if (!in_shared && !in_local && w.access.type != MemoryAccess::Type::load) {
      return refuse(w, i, Fault::Kind::read_only, l, MemoryAccess::Space::parameter);
    }
    const Window window = in_shared  ? shared_window(w)
                          : in_local ? local_window(w)
                                     : parameter_window(w);
    const Address offset = a[l] - (in_shared  ? kSharedWindow
                                   : in_local ? kLocalWindow
                                              : kParamWindow);
    (in_shared ? shared : other) |= bit;
    if (in_shared && w.access.type == MemoryAccess::Type::store) w.global->note_change();
    a[l] = offset;
    if (!resolve_lane(w, i, window, alignment, l, at)) return false;
    w.access.space = window.space;
  }
  *global_lanes = global;
  if (shared != 0) w.access.space = MemoryAccess::Space::shared;
  w.access.lanes = shared != 0 ? shared : other;
  if (global == 0) return true;
  w.access.space = MemoryAccess::Space::global;
  w.access.lanes = global;
  if (global == w.active) return w.global->resolve(w, i, global, i.bytes, alignment, false, at);
  std::byte* of_global[kWarpSize];  // apart, because resolve() may write the entries of all lanes
  if (!w.global->resolve(w, i, global, i.bytes, alignment, false, of_global)) return false;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (lane_in(global, l)) at[l] = of_global[l];
  }
  return true;
}

}  // namespace

bool within_local(const WarpContext& w, unsigned lane, Address offset, std::uint64_t bytes) {
  const Address end = offset < w.local_end ? w.local_end : w.block->local_bytes_per_thread;
  const Address first = offset < w.local_end ? 0 : w.alloca_top[lane];
  return offset >= first && offset <= end && bytes <= end - offset;
}

void compute_addresses(WarpContext& w, const Instruction& i) {
  Address* a = w.access.address;
  const auto offset = static_cast<Address>(i.immediate);
  if (i.extra & kAddress32) {
    const auto* base = w.source<std::uint32_t>(i.s[0]);
    const auto small = static_cast<std::uint32_t>(offset);
    for (unsigned l = 0; l < kWarpSize; ++l) a[l] = base[l] + small;
  } else {
    const auto* base = w.source<std::uint64_t>(i.s[0]);
    for (unsigned l = 0; l < kWarpSize; ++l) a[l] = base[l] + offset;
  }
  if (i.extra & kFrameRelative) {
    for (unsigned l = 0; l < kWarpSize; ++l) a[l] += w.local_frame;
  }
}

bool resolve_addresses(WarpContext& w, const Instruction& i, Space space, unsigned alignment,
                       MemoryAccess::Type type, std::byte** at, LaneMask* global_lanes) {
  compute_addresses(w, i);
  return resolve_computed(w, i, space, alignment, type, at, global_lanes);
}

bool resolve_computed(WarpContext& w, const Instruction& i, Space space, unsigned alignment,
                      MemoryAccess::Type type, std::byte** at, LaneMask* global_lanes) {
  MemoryAccess& access = w.access;
  access.type = type;
  access.bytes = i.bytes;
  access.cache = static_cast<std::uint8_t>(i.extra >> kCacheShift);
  access.bypass_l1 = (i.extra & kBypassL1) != 0;
  access.observed =
      access.bypass_l1 && (type == MemoryAccess::Type::load ||
                           (type == MemoryAccess::Type::atomic && !(i.extra & kUnread)));
  access.joined = (i.extra & kJoined) != 0;
  access.lanes = w.active;
  *global_lanes = 0;
  switch (space) {
    case Space::shared:
      return resolve_window(w, i, shared_window(w), alignment, at);
    case Space::local:
      return resolve_window(w, i, local_window(w), alignment, at);
    case Space::param:
      return resolve_window(w, i, parameter_window(w), alignment, at);
    case Space::constant:
      access.space = MemoryAccess::Space::constant;
      *global_lanes = w.active;
      return w.global->resolve(w, i, w.active, i.bytes, alignment, true, at);
    case Space::global:
      access.space = MemoryAccess::Space::global;
      *global_lanes = w.active;
      return w.global->resolve(w, i, w.active, i.bytes, alignment, false, at);
    default: {
      // Bits that the address of any active lane has, and bits that all of them have.
      Address any = 0, all = ~Address{0};
      for (unsigned l = 0; l < kWarpSize; ++l) {
        const auto in = lane_bits<Address>(w.active, l);
        any |= access.address[l] & in;
        all &= access.address[l] | ~in;
      }
      static_assert(std::has_single_bit(kSharedWindow) && std::has_single_bit(kWindowSpan));
      if (any >= kSharedWindow) {
        const Address first = any & ~(kWindowSpan - 1);
        const bool one = first == (all & ~(kWindowSpan - 1)) && begins_window(first, type);
        return one ? resolve_one_window(w, i, first, alignment, at)
                   : resolve_generic(w, i, alignment, at, global_lanes);
      }
      access.space = MemoryAccess::Space::global;
      *global_lanes = w.active;
      return w.global->resolve(w, i, w.active, i.bytes, alignment, false, at);
    }
  }
}

}  // namespace raddle::isa
