#include <cstring>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/movement.h"
#include "memory/address_space.h"

namespace raddle::isa {
namespace {

template <class T>
void move(WarpContext& w, const Instruction& i) {
  store_lanes<T>(w, i.d, w.source<Stored<T>>(i.s[0]));
}

void move_quad(WarpContext& w, const Instruction& i) {
  const auto* s = w.source<std::uint64_t>(i.s[0]);
  store_lanes<std::uint64_t>(w, i.d, s);
  store_lanes<std::uint64_t>(w, i.d + 2 * kRowBytes, s + kWarpSize);
}

void move_predicate(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, source_predicate(w, i));
}

template <class Element, class Whole, unsigned n>
void pack_elements(WarpContext& w, const Instruction& i) {
  Stored<Whole> results[kWarpSize] = {};
  for (unsigned e = 0; e < n; ++e) {
    const auto* s = w.source<Stored<Element>>(i.s[e]);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      results[l] |= Stored<Whole>{static_cast<Element>(s[l])} << (8 * sizeof(Element) * e);
    }
  }
  store_lanes<Whole>(w, i.d, results);
}

template <class Element, class Whole, unsigned n>
void unpack_elements(WarpContext& w, const Instruction& i) {
  Stored<Whole> whole[kWarpSize];
  std::memcpy(whole, w.source<Stored<Whole>>(i.s[0]), sizeof whole);
  const Slot slots[4] = {i.d, i.s[1], i.s[2], i.s[3]};
  for (unsigned e = 0; e < n; ++e) {
    Stored<Element> results[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) {
      results[l] = static_cast<Element>(whole[l] >> (8 * sizeof(Element) * e));
    }
    store_lanes<Element>(w, slots[e], results);
  }
}

void pack_quad(WarpContext& w, const Instruction& i) {
  std::uint64_t low[kWarpSize], high[kWarpSize];
  std::memcpy(low, w.source<std::uint64_t>(i.s[0]), sizeof low);
  std::memcpy(high, w.source<std::uint64_t>(i.s[1]), sizeof high);
  store_lanes<std::uint64_t>(w, i.d, low);
  store_lanes<std::uint64_t>(w, i.d + 2 * kRowBytes, high);
}

void unpack_quad(WarpContext& w, const Instruction& i) {
  std::uint64_t both[2 * kWarpSize];
  std::memcpy(both, w.source<std::uint64_t>(i.s[0]), sizeof both);
  store_lanes<std::uint64_t>(w, i.d, both);
  store_lanes<std::uint64_t>(w, i.s[1], both + kWarpSize);
}

/// 128 bits from four words; the two halves of such a value are in separate rows (pack_quad).
void pack_words(WarpContext& w, const Instruction& i) {
  std::uint64_t halves[2][kWarpSize];
  for (const unsigned half : {0u, 1u}) {
    const auto *low = w.source<std::uint32_t>(i.s[2 * half]),
               *high = w.source<std::uint32_t>(i.s[2 * half + 1]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      halves[half][lane] = std::uint64_t{high[lane]} << 32 | low[lane];
    }
  }
  store_lanes<std::uint64_t>(w, i.d, halves[0]);
  store_lanes<std::uint64_t>(w, i.d + 2 * kRowBytes, halves[1]);
}

void unpack_words(WarpContext& w, const Instruction& i) {
  std::uint32_t words[4][kWarpSize];
  const auto* halves = w.source<std::uint64_t>(i.s[0]);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (const unsigned half : {0u, 1u}) {
      const std::uint64_t both = halves[half * kWarpSize + lane];
      words[2 * half][lane] = static_cast<std::uint32_t>(both);
      words[2 * half + 1][lane] = static_cast<std::uint32_t>(both >> 32);
    }
  }
  store_lanes<std::uint32_t>(w, i.d, words[0]);
  for (const unsigned e : {1u, 2u, 3u}) store_lanes<std::uint32_t>(w, i.s[e], words[e]);
}

template <class T>
void fill(WarpContext& w, Slot slot, T value) {
  Stored<T> results[kWarpSize];
  for (auto& result : results) result = value;
  store_lanes<T>(w, slot, results);
}

template <class T>
void local_address(WarpContext& w, const Instruction& i) {
  fill<T>(w, i.d, static_cast<T>(w.local_frame + i.immediate));
}

template <class T>
void dynamic_shared_address(WarpContext& w, const Instruction& i) {
  const BlockContext& block = *w.block;
  fill<T>(w, i.d,
          static_cast<T>(block.shared_begin + block.shared_bytes -
                         block.grid->dynamic_shared_bytes + i.immediate));
}

template <Address window, bool to>
void convert_address(WarpContext& w, const Instruction& i) {
  map_lanes<std::uint64_t, std::uint64_t>(
      w, i, [](std::uint64_t a) { return to ? a - window : a + window; });
}

template <Address window>
void is_in_window(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, test_lanes<std::uint64_t>(w, i, [](std::uint64_t a) {
                    return a >= window && a - window < memory::kWindowSpan;
                  }));
}

/// Constant memory shares generic addresses with global memory: only the allocation shows which it
/// is.
bool is_constant_address(const WarpContext& w, Address address) {
  const memory::Allocation* holder = w.global->space().find(address);
  return holder != nullptr && !holder->freed && holder->kind == memory::Kind::constant;
}

/// The window of kernel parameters lies in that of global memory (PTX ISA 9.7.9.19), and so does
/// every address outside all windows (NVIDIA H200).
void is_global(WarpContext& w, const Instruction& i) {
  static_assert(memory::kLocalWindow == memory::kSharedWindow + memory::kWindowSpan);
  store_predicate(w, i.p, test_lanes<std::uint64_t>(w, i, [&](std::uint64_t a) {
                    return a < memory::kSharedWindow
                               ? !is_constant_address(w, a)
                               : a - memory::kSharedWindow >= 2 * memory::kWindowSpan;
                  }));
}

void is_constant(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, test_lanes<std::uint64_t>(w, i, [&](std::uint64_t a) {
                    return is_constant_address(w, a);
                  }));
}

}  // namespace

void execute_nothing(WarpContext&, const Instruction&) {}

Execute select_mov(const Form& form) {
  switch (ptx::bits(form.type)) {
    case 1:
      return move_predicate;
    case 16:
      return move<std::uint16_t>;
    case 32:
      return move<std::uint32_t>;
    case 64:
      return move<std::uint64_t>;
    case 128:
      return move_quad;
    default:
      return nullptr;
  }
}

Execute select_pack(unsigned element_bytes, unsigned n) {
  using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
  if (element_bytes == 1 && n == 2) return pack_elements<uint8_t, uint16_t, 2>;
  if (element_bytes == 1 && n == 4) return pack_elements<uint8_t, uint32_t, 4>;
  if (element_bytes == 2 && n == 2) return pack_elements<uint16_t, uint32_t, 2>;
  if (element_bytes == 2 && n == 4) return pack_elements<uint16_t, uint64_t, 4>;
  if (element_bytes == 4 && n == 2) return pack_elements<uint32_t, uint64_t, 2>;
  if (element_bytes == 4 && n == 4) return pack_words;
  if (element_bytes == 8 && n == 2) return pack_quad;
  return nullptr;
}

Execute select_unpack(unsigned element_bytes, unsigned n) {
  using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
  if (element_bytes == 1 && n == 2) return unpack_elements<uint8_t, uint16_t, 2>;
  if (element_bytes == 1 && n == 4) return unpack_elements<uint8_t, uint32_t, 4>;
  if (element_bytes == 2 && n == 2) return unpack_elements<uint16_t, uint32_t, 2>;
  if (element_bytes == 2 && n == 4) return unpack_elements<uint16_t, uint64_t, 4>;
  if (element_bytes == 4 && n == 2) return unpack_elements<uint32_t, uint64_t, 2>;
  if (element_bytes == 4 && n == 4) return unpack_words;
  if (element_bytes == 8 && n == 2) return unpack_quad;
  return nullptr;
}

Execute select_local_address(unsigned bytes) {
  return bytes == 4 ? local_address<std::uint32_t> : local_address<std::uint64_t>;
}

Execute select_dynamic_shared_address(unsigned bytes) {
  return bytes == 4 ? dynamic_shared_address<std::uint32_t> : dynamic_shared_address<std::uint64_t>;
}

Execute select_cvta(const Form& form) {
  switch (form.space) {
    case Space::global:
    case Space::constant:  // constant memory has its own generic addresses
      return move<std::uint64_t>;
    case Space::shared:
      return form.to ? convert_address<memory::kSharedWindow, true>
                     : convert_address<memory::kSharedWindow, false>;
    case Space::local:
      return form.to ? convert_address<memory::kLocalWindow, true>
                     : convert_address<memory::kLocalWindow, false>;
    case Space::param:
      return form.to ? convert_address<memory::kParamWindow, true>
                     : convert_address<memory::kParamWindow, false>;
    default:
      return nullptr;
  }
}

Execute select_isspacep(const Form& form) {
  switch (form.space) {
    case Space::global:
      return is_global;
    case Space::shared:
      return is_in_window<memory::kSharedWindow>;
    case Space::local:
      return is_in_window<memory::kLocalWindow>;
    case Space::param:
      return is_in_window<memory::kParamWindow>;
    case Space::constant:
      return is_constant;
    default:
      return nullptr;
  }
}

Execute select_mapa(const Form& form) {
  // A cluster has one block, so the memory is the executing block's own.
  return ptx::bits(form.type) == 64 ? move<std::uint64_t> : move<std::uint32_t>;
}

Execute select_zero_policy(const Form&) {
  return [](WarpContext& w, const Instruction& i) { fill<std::uint64_t>(w, i.d, 0); };
}

}  // namespace raddle::isa
