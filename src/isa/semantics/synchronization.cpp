#include "isa/semantics/synchronization.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

using u32 = std::uint32_t;

void fill(WarpContext& w, Slot slot, u32 value) {
  u32 results[kWarpSize];
  for (auto& result : results) result = value;
  store_lanes<u32>(w, slot, results);
}

/// Calls f(lane, members): members = the active lanes that the lane's member mask names. Lanes with
/// different masks may execute together (tiles of a warp).
template <class F>
void for_members(const WarpContext& w, const Instruction& i, F f) {
  const auto* masks = w.source<u32>(i.s[3]);
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    f(l, masks[l] & w.active);
  }
}

template <Operation operation>
bool vote_of(LaneMask yes, LaneMask members) {
  if constexpr (operation == Operation::all) return (yes & members) == members;
  if constexpr (operation == Operation::any) return (yes & members) != 0;
  return (yes & members) == 0 || (yes & members) == members;  // uni
}

template <Operation operation>
void vote_among_members(WarpContext& w, const Instruction& i) {
  const LaneMask yes = source_predicate(w, i);
  LaneMask result = 0;
  for_members(w, i, [&](unsigned l, LaneMask members) {
    result |= LaneMask{vote_of<operation>(yes, members)} << l;
  });
  store_predicate(w, i.p, result);
}

void ballot_among_members(WarpContext& w, const Instruction& i) {
  const LaneMask yes = source_predicate(w, i);
  u32 results[kWarpSize] = {};
  for_members(w, i, [&](unsigned l, LaneMask members) { results[l] = yes & members; });
  store_lanes<u32>(w, i.d, results);
}

/// Without .sync there is no member mask: all active lanes vote.
template <Operation operation>
void vote_among_active(WarpContext& w, const Instruction& i) {
  const bool result = vote_of<operation>(source_predicate(w, i), w.active);
  store_predicate(w, i.p, result ? kAllLanes : 0);
}

void ballot_among_active(WarpContext& w, const Instruction& i) {
  fill(w, i.d, source_predicate(w, i) & w.active);
}

template <Operation operation>
Execute vote_of_form(const Form& form) {
  return form.sync ? vote_among_members<operation> : vote_among_active<operation>;
}

template <class T>
void match_any(WarpContext& w, const Instruction& i) {
  const auto* a = w.source<T>(i.s[0]);
  u32 results[kWarpSize] = {};
  for_members(w, i, [&](unsigned l, LaneMask members) {
    for (LaneMask rest = members; rest != 0; rest &= rest - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(rest));
      results[l] |= u32{a[other] == a[l]} << other;
    }
  });
  store_lanes<u32>(w, i.d, results);
}

template <class T>
void match_all(WarpContext& w, const Instruction& i) {
  const auto* a = w.source<T>(i.s[0]);
  u32 results[kWarpSize] = {};
  LaneMask same = 0;
  for_members(w, i, [&](unsigned l, LaneMask members) {
    bool all = true;
    for (LaneMask rest = members; rest != 0; rest &= rest - 1) {
      all &= a[std::countr_zero(rest)] == a[l];
    }
    results[l] = all ? members : 0;
    same |= LaneMask{all} << l;
  });
  store_lanes<u32>(w, i.d, results);
  store_predicate(w, i.p, same);
}

struct SumOf {
  u32 operator()(u32 a, u32 b) const { return a + b; }
};
struct AndOf {
  u32 operator()(u32 a, u32 b) const { return a & b; }
};
struct OrOf {
  u32 operator()(u32 a, u32 b) const { return a | b; }
};
struct XorOf {
  u32 operator()(u32 a, u32 b) const { return a ^ b; }
};
template <class T, bool maximum>
struct ExtremumOf {
  u32 operator()(u32 a, u32 b) const {
    const T x = static_cast<T>(a), y = static_cast<T>(b);
    return static_cast<u32>((maximum ? x < y : y < x) ? y : x);
  }
};
/// .f32: a number wins over a NaN, unless `nan`; -0 is below +0.
template <bool maximum, bool nan, bool absolute>
struct FloatExtremumOf {
  u32 operator()(u32 a, u32 b) const {
    if (absolute) a &= 0x7fff'ffff, b &= 0x7fff'ffff;
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    if (x != x || y != y) return nan || (x != x && y != y) ? 0x7fff'ffff : (x != x ? b : a);
    if (x == y) return maximum ? a & b : a | b;
    return (maximum ? x < y : y < x) ? b : a;
  }
};

template <class Reduce>
void redux(WarpContext& w, const Instruction& i) {
  const auto* a = w.source<u32>(i.s[0]);
  u32 results[kWarpSize] = {};
  LaneMask known_members = 0;
  u32 known = 0;
  for_members(w, i, [&](unsigned l, LaneMask members) {
    if (members != known_members) {
      known = a[std::countr_zero(members)];
      for (LaneMask rest = members & (members - 1); rest != 0; rest &= rest - 1) {
        known = Reduce{}(known, a[std::countr_zero(rest)]);
      }
      known_members = members;
    }
    results[l] = known;
  });
  store_lanes<u32>(w, i.d, results);
}

template <bool maximum>
Execute select_float_redux(const Form& form) {
  if (form.nan) {
    return form.abs ? redux<FloatExtremumOf<maximum, true, true>>
                    : redux<FloatExtremumOf<maximum, true, false>>;
  }
  return form.abs ? redux<FloatExtremumOf<maximum, false, true>>
                  : redux<FloatExtremumOf<maximum, false, false>>;
}

void activemask(WarpContext& w, const Instruction& i) { fill(w, i.d, w.active); }

void elect(WarpContext& w, const Instruction& i) {
  u32 results[kWarpSize] = {};
  LaneMask leaders = 0;
  for_members(w, i, [&](unsigned l, LaneMask members) {
    results[l] = static_cast<u32>(std::countr_zero(members));
    leaders |= LaneMask{results[l] == l} << l;
  });
  store_lanes<u32>(w, i.d, results);
  store_predicate(w, i.p, leaders);
}

void fence(WarpContext& w, const Instruction&) { w.global->order(w); }

}  // namespace

Execute select_vote(const Form& form) {
  switch (form.operation) {
    case Operation::all:
      return vote_of_form<Operation::all>(form);
    case Operation::any:
      return vote_of_form<Operation::any>(form);
    case Operation::uni:
      return vote_of_form<Operation::uni>(form);
    case Operation::ballot:
      return form.sync ? ballot_among_members : ballot_among_active;
    default:
      return nullptr;
  }
}

Execute select_match(const Form& form) {
  const bool wide = ptx::bits(form.type) == 64;
  if (form.operation == Operation::any) {
    return wide ? match_any<std::uint64_t> : match_any<u32>;
  }
  return wide ? match_all<std::uint64_t> : match_all<u32>;
}

Execute select_redux(const Form& form) {
  const bool bare = form.type == Type::b32, is_signed = form.type == Type::s32;
  switch (form.operation) {
    case Operation::op_and:
      return bare ? redux<AndOf> : nullptr;
    case Operation::op_or:
      return bare ? redux<OrOf> : nullptr;
    case Operation::op_xor:
      return bare ? redux<XorOf> : nullptr;
    case Operation::add:
      return bare || form.type == Type::f32 ? nullptr : redux<SumOf>;
    case Operation::min:
      if (form.type == Type::f32) return select_float_redux<false>(form);
      return bare        ? nullptr
             : is_signed ? redux<ExtremumOf<std::int32_t, false>>
                         : redux<ExtremumOf<u32, false>>;
    case Operation::max:
      if (form.type == Type::f32) return select_float_redux<true>(form);
      return bare        ? nullptr
             : is_signed ? redux<ExtremumOf<std::int32_t, true>>
                         : redux<ExtremumOf<u32, true>>;
    default:
      return nullptr;
  }
}

Execute select_activemask(const Form&) { return activemask; }
Execute select_elect(const Form&) { return elect; }
Execute select_fence(const Form& form) {
  const bool within_block = form.scope == Scope::cta || form.scope == Scope::cluster;
  return within_block ? execute_nothing : fence;
}

}  // namespace raddle::isa
