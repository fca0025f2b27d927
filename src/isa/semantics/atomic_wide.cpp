// atom.exch.b128 and atom.cas.b128 (PTX ISA 9.7.13.5): registers of two 64-bit halves.
#include "isa/semantics/atomic_lanes.h"

namespace raddle::isa {
namespace {

constexpr unsigned kBytes = 16;

void take_halves(const WarpContext& w, Slot slot, std::uint64_t* low, std::uint64_t* high) {
  const auto* s = w.source<std::uint64_t>(slot);
  std::memcpy(low, s, sizeof(std::uint64_t) * kWarpSize);
  std::memcpy(high, s + kWarpSize, sizeof(std::uint64_t) * kWarpSize);
}

template <bool compares>
void carry_out_wide(const GlobalUpdate& u, Services&) {
  auto* d = reinterpret_cast<std::uint64_t*>(u.destination);
  for (LaneMask rest = u.lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    std::uint64_t old[2];
    std::memcpy(old, u.at[l], kBytes);
    const bool equal = old[0] == u.a[l] && old[1] == u.a_high[l];
    if (!compares || equal) {
      const std::uint64_t next[2] = {compares ? u.b[l] : u.a[l],
                                     compares ? u.b_high[l] : u.a_high[l]};
      std::memcpy(u.at[l], next, kBytes);
    }
    d[l] = old[0];
    d[kWarpSize + l] = old[1];
  }
}

template <Space space, bool compares>
void atomic_wide(WarpContext& w, const Instruction& i) {
  perform(w, i, space, MemoryAccess::Type::atomic, kBytes, [&](GlobalUpdate& update) {
    take_halves(w, i.s[1], update.a, update.a_high);
    if (compares) take_halves(w, i.s[2], update.b, update.b_high);
    update.destination = w.rows + i.d;
    update.carry_out = carry_out_wide<compares>;
  });
}

template <bool compares>
Execute in_space_wide(Space space) {
  switch (space) {
    case Space::global:
      return atomic_wide<Space::global, compares>;
    case Space::shared:
      return atomic_wide<Space::shared, compares>;
    case Space::generic:
      return atomic_wide<Space::generic, compares>;
    default:
      return nullptr;
  }
}

}  // namespace

Execute select_wide_atomic(const Form& form, bool result) {
  if (!result) return nullptr;
  if (form.operation == Operation::exch) return in_space_wide<false>(form.space);
  if (form.operation == Operation::cas) return in_space_wide<true>(form.space);
  return nullptr;
}

}  // namespace raddle::isa
