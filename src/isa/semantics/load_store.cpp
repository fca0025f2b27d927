// ld, ldu and st in every state space; cp.async.
#include <bit>
#include <cstring>

#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/store_order.h"

namespace raddle::isa {
namespace {

struct Quad {
  std::uint64_t low, high;
};

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Calls f(lane) for each lane in the mask.
template <class F>
[[gnu::always_inline]] inline void for_lanes(LaneMask lanes, F f) {
  if (lanes == kAllLanes) {
    for (unsigned l = 0; l < kWarpSize; ++l) f(l);
  } else {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      f(static_cast<unsigned>(std::countr_zero(rest)));
    }
  }
}

bool contiguous(std::byte* const* at, std::size_t size) {
  std::uintptr_t differs = 0;
  const auto first = reinterpret_cast<std::uintptr_t>(at[0]);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    differs |= reinterpret_cast<std::uintptr_t>(at[l]) ^ (first + l * size);
  }
  return differs == 0;
}

/// Loads a T from memory into a register of type D (an unsigned type of the register's size),
/// sign-extended when T is signed.
template <class T, class D>
void load_element(WarpContext& w, Slot slot, std::byte* const* at, unsigned offset) {
  auto* d = w.destination<Stored<D>>(slot);
  if constexpr (sizeof(T) == sizeof(Stored<D>)) {
    if (w.active == kAllLanes && offset == 0 && contiguous(at, sizeof(T))) {
      std::memcpy(d, at[0], sizeof(T) * kWarpSize);
      return;
    }
  }
  for_lanes(w.active, [&](unsigned l) {
    d[l] = static_cast<D>(read<T>(at[l] + offset));  // converts modulo 2^n: sign-extends a signed T
  });
}

Slot element_slot(const Instruction& i, unsigned element) {
  return element == 0 ? i.d : i.s[element];
}

template <Space space, class T, class D>
void load(WarpContext& w, const Instruction& i) {
  std::byte* at[kWarpSize];
  LaneMask global;
  if (!resolve_addresses(w, i, space, i.bytes, MemoryAccess::Type::load, at, &global)) return;
  for (unsigned e = 0; e < i.elements; ++e) {
    if constexpr (sizeof(T) == sizeof(Quad)) {
      load_element<std::uint64_t, std::uint64_t>(w, i.d, at, 0);
      load_element<std::uint64_t, std::uint64_t>(w, i.d + 2 * kRowBytes, at, 8);
    } else {
      load_element<T, D>(w, element_slot(i, e), at, e * sizeof(T));
    }
  }
  if (i.extra & kUncounted) w.access.lanes = 0;
}

/// The bytes that a lane stores, in their order in memory: low[l], then high[l].
template <class T>
void gather_stored(const WarpContext& w, const Instruction& i, std::uint64_t* low,
                   std::uint64_t* high) {
  if constexpr (sizeof(T) == sizeof(Quad)) {
    std::memcpy(low, w.source<std::uint64_t>(i.d), kWarpSize * sizeof *low);
    std::memcpy(high, w.source<std::uint64_t>(i.d) + kWarpSize, kWarpSize * sizeof *high);
  } else {
    constexpr unsigned kPerWord = 8 / sizeof(T);
    for (unsigned e = 0; e < i.elements; ++e) {
      const auto* s = w.source<Stored<T>>(element_slot(i, e));
      std::uint64_t* word = e < kPerWord ? low : high;
      const unsigned shift = 8 * sizeof(T) * (e % kPerWord);
      if (shift == 0) {
        for (unsigned l = 0; l < kWarpSize; ++l) word[l] = static_cast<T>(s[l]);
      } else {
        for (unsigned l = 0; l < kWarpSize; ++l) {
          word[l] |= std::uint64_t{static_cast<T>(s[l])} << shift;
        }
      }
    }
  }
}

/// `pass`: number of lanes in a pass (store_order.h).
template <class T, unsigned elements, unsigned pass>
void store_to(WarpContext& w, const Instruction& i, LaneMask global, std::byte* const* at) {
  constexpr unsigned kBytes = elements * sizeof(T);
  if (global != 0) {
    GlobalUpdate& update = w.global->next_update();
    gather_stored<T>(w, i, update.a, update.b);
    update.lanes = global;
    update.carry_out = carry_out_store<kBytes, pass>;
    std::memcpy(update.at, at, sizeof update.at);
    w.global->commit();
  }
  const LaneMask near = w.active & ~global;
  if (near == 0) return;
  std::uint64_t low[kWarpSize], high[kWarpSize];
  gather_stored<T>(w, i, low, high);
  write_lanes<kBytes, pass>(near, at, low, high);
}

/// `part`: 1, or 2 if this is one half of the program's store.
template <class T, unsigned part>
void store_elements(WarpContext& w, const Instruction& i, LaneMask global, std::byte* const* at) {
  if (i.elements == 1) {
    store_to<T, 1, lanes_per_pass(part * sizeof(T))>(w, i, global, at);
  } else if constexpr (sizeof(T) <= 8) {
    if (i.elements == 2) {
      store_to<T, 2, lanes_per_pass(part * 2 * sizeof(T))>(w, i, global, at);
    } else if constexpr (sizeof(T) <= 4) {
      store_to<T, 4, lanes_per_pass(part * 4 * sizeof(T))>(w, i, global, at);
    }
  }
}

template <Space space, class T>
void store(WarpContext& w, const Instruction& i) {
  std::byte* at[kWarpSize];
  LaneMask global;
  if (!resolve_addresses(w, i, space, i.bytes, MemoryAccess::Type::store, at, &global)) return;
  if (i.extra & kHalved) {
    store_elements<T, 2>(w, i, global, at);
  } else {
    store_elements<T, 1>(w, i, global, at);
  }
  if (i.extra & kUncounted) w.access.lanes = 0;
}

template <Space space, class T>
Execute load_to_register(unsigned register_bytes) {
  switch (register_bytes) {
    case 2:
      if constexpr (sizeof(T) <= 2) return load<space, T, std::uint16_t>;
      return nullptr;
    case 4:
      if constexpr (sizeof(T) <= 4) return load<space, T, std::uint32_t>;
      return nullptr;
    default:
      return load<space, T, std::uint64_t>;
  }
}

template <Space space>
Execute load_from(Type type, unsigned register_bytes) {
  const bool is_signed = ptx::is_signed(type);
  switch (ptx::bits(type)) {
    case 8:
      return is_signed ? load_to_register<space, std::int8_t>(register_bytes)
                       : load_to_register<space, std::uint8_t>(register_bytes);
    case 16:
      return is_signed ? load_to_register<space, std::int16_t>(register_bytes)
                       : load_to_register<space, std::uint16_t>(register_bytes);
    case 32:
      return is_signed ? load_to_register<space, std::int32_t>(register_bytes)
                       : load_to_register<space, std::uint32_t>(register_bytes);
    case 64:
      return register_bytes == 8 ? load<space, std::uint64_t, std::uint64_t> : nullptr;
    case 128:
      return load<space, Quad, std::uint64_t>;
    default:
      return nullptr;
  }
}

template <Space space>
Execute store_into(Type type) {
  switch (ptx::bits(type)) {
    case 8:
      return store<space, std::uint8_t>;
    case 16:
      return store<space, std::uint16_t>;
    case 32:
      return store<space, std::uint32_t>;
    case 64:
      return store<space, std::uint64_t>;
    case 128:
      return store<space, Quad>;
    default:
      return nullptr;
  }
}

}  // namespace

Execute select_load(Space space, Type type, unsigned register_bytes) {
  switch (space) {
    case Space::global:
      return load_from<Space::global>(type, register_bytes);
    case Space::shared:
      return load_from<Space::shared>(type, register_bytes);
    case Space::local:
      return load_from<Space::local>(type, register_bytes);
    case Space::param:
      return load_from<Space::param>(type, register_bytes);
    case Space::constant:
      return load_from<Space::constant>(type, register_bytes);
    default:
      return load_from<Space::generic>(type, register_bytes);
  }
}

Execute select_store(Space space, Type type) {
  switch (space) {
    case Space::global:
      return store_into<Space::global>(type);
    case Space::shared:
      return store_into<Space::shared>(type);
    case Space::local:
      return store_into<Space::local>(type);
    case Space::generic:
      return store_into<Space::generic>(type);
    default:
      return nullptr;
  }
}

namespace {

/// The source of cp.async in the form of a load's.
Instruction source_of_copy(const Instruction& i) {
  Instruction source = i;
  source.s[0] = i.s[1];
  source.immediate = static_cast<std::int32_t>(i.reconverge);
  source.extra = i.extra & static_cast<std::uint16_t>(~kAddress32);
  return source;
}

/// Checks that sources of which no byte is read are aligned like the others.
bool check_empty_sources(WarpContext& w, const Instruction& i, LaneMask lanes) {
  compute_addresses(w, source_of_copy(i));
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const Address address = w.access.address[lane];
    if (address % i.bytes == 0) continue;
    w.fault = {Fault::Kind::misaligned,  static_cast<std::uint8_t>(lane), i.bytes,
               MemoryAccess::Type::load, MemoryAccess::Space::global,     address};
    return false;
  }
  return true;
}

/// Reads the first wanted[l] bytes of each lane's source, and no byte more, to values[l]. Returns
/// false when one of them faults. Lanes with the same number of bytes are looked up together.
bool read_copy_sources(WarpContext& w, const Instruction& i, LaneMask reads,
                       const std::uint32_t* wanted, std::byte (*values)[16]) {
  const auto size_of = [&](unsigned l) { return std::min<std::uint32_t>(wanted[l], i.bytes); };
  Instruction source = source_of_copy(i);
  const LaneMask all = w.active;
  bool found = true;
  for (LaneMask left = reads; left != 0 && found;) {
    const std::uint32_t size = size_of(static_cast<unsigned>(std::countr_zero(left)));
    LaneMask alike = 0;
    for_lanes(left, [&](unsigned l) { alike |= LaneMask{size_of(l) == size} << l; });
    source.bytes = static_cast<std::uint8_t>(size);
    w.active = alike;
    std::byte* from[kWarpSize];
    LaneMask global;
    found = resolve_addresses(w, source, Space::global, i.bytes, MemoryAccess::Type::load, from,
                              &global);
    w.active = all;
    if (found) for_lanes(alike, [&](unsigned l) { std::memcpy(values[l], from[l], size); });
    left &= ~alike;
  }
  // The whole copy has to be aligned, even if only a part of it is read.
  if (!found && w.fault.kind == Fault::Kind::misaligned) w.fault.bytes = i.bytes;
  if (!found) return false;
  w.access.lanes = reads;
  w.access.bytes = i.bytes;
  return true;
}

void write_copies(LaneMask lanes, std::byte* const* to, const std::byte (*values)[16],
                  unsigned bytes) {
  const auto write = [&](unsigned l) { std::memcpy(to[l], values[l], bytes); };
  if (bytes == 16) return for_storing_lanes<lanes_per_pass(16)>(lanes, write);
  if (bytes == 8) return for_storing_lanes<lanes_per_pass(8)>(lanes, write);
  for_storing_lanes<lanes_per_pass(4)>(lanes, write);
}

}  // namespace

/// Reads global memory and writes shared memory at once, so the copy is complete before any wait.
void execute_cp_async(WarpContext& w, const Instruction& i) {
  const LaneMask all = w.active, ignored = source_predicate(w, i) & all & i.target;
  std::byte* to[kWarpSize];
  LaneMask global;
  if (!resolve_addresses(w, i, Space::shared, i.bytes, MemoryAccess::Type::store, to, &global)) {
    return;
  }
  alignas(16) std::byte values[kWarpSize][16] = {};
  const auto* wanted = w.source<std::uint32_t>(i.s[2]);
  LaneMask reads = 0;
  for_lanes(all & ~ignored, [&](unsigned l) { reads |= LaneMask{wanted[l] != 0} << l; });
  const LaneMask empty = all & ~ignored & ~reads;
  if (empty != 0 && !check_empty_sources(w, i, empty)) return;
  w.access.lanes = 0;
  if (reads != 0 && !read_copy_sources(w, i, reads, wanted, values)) return;
  write_copies(all, to, values, i.bytes);
}

namespace {

void check_line(WarpContext& w, const Instruction& i, MemoryAccess::Type type) {
  std::byte* at[kWarpSize];
  LaneMask global;
  if (resolve_addresses(w, i, Space::global, i.bytes, type, at, &global)) w.access.lanes = 0;
}

}  // namespace

void execute_discard(WarpContext& w, const Instruction& i) {
  check_line(w, i, MemoryAccess::Type::store);
}

void execute_applypriority(WarpContext& w, const Instruction& i) {
  check_line(w, i, MemoryAccess::Type::load);
}

}  // namespace raddle::isa
