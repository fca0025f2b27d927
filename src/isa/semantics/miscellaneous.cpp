#include "isa/semantics/miscellaneous.h"

#include <algorithm>
#include <bit>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/semantics/lanes.h"

namespace raddle::isa {
namespace {

template <class T>
void stacksave(WarpContext& w, const Instruction& i) {
  Stored<T> results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) results[l] = w.alloca_top[l];
  store_lanes<T>(w, i.d, results);
}

template <class T>
void stackrestore(WarpContext& w, const Instruction& i) {
  const auto* s = w.source<T>(i.s[0]);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (lane_in(w.active, l)) w.alloca_top[l] = static_cast<std::uint32_t>(s[l]);
  }
}

/// The frame of the running function ends `immediate` bytes after its beginning.
template <class T>
void allocate_on_stack(WarpContext& w, const Instruction& i) {
  const auto* sizes = w.source<T>(i.s[0]);
  const auto* alignments = w.source<std::uint32_t>(i.s[1]);
  const std::uint64_t floor = w.local_frame + static_cast<std::uint64_t>(i.immediate);
  Stored<T> results[kWarpSize] = {};
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t size = sizes[l], top = w.alloca_top[l];
    const std::uint64_t alignment = std::max<std::uint32_t>(alignments[l], 8);
    if (size > top || ((top - size) & ~(alignment - 1)) < floor) {
      w.fault.kind = Fault::Kind::stack_overflow;
      w.fault.lane = static_cast<std::uint8_t>(l);
      return;
    }
    w.alloca_top[l] = static_cast<std::uint32_t>((top - size) & ~(alignment - 1));
    results[l] = w.alloca_top[l];
  }
  store_lanes<T>(w, i.d, results);
}

void nanosleep(WarpContext& w, const Instruction& i) {
  if (!w.global->order(w)) return;
  w.global->sleep();
  const auto* s = w.source<std::uint32_t>(i.s[0]);
  std::uint32_t longest = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (lane_in(w.active, l)) longest = std::max(longest, s[l]);
  }
  w.event = longest;
}

void stop(WarpContext& w, const Instruction&) {
  w.fault.kind = Fault::Kind::trap;
  w.fault.lane = static_cast<std::uint8_t>(std::countr_zero(w.active));
}

}  // namespace

Execute select_stacksave(const Form& form) {
  return ptx::bits(form.type) == 64 ? stacksave<std::uint64_t> : stacksave<std::uint32_t>;
}
Execute select_stackrestore(const Form& form) {
  return ptx::bits(form.type) == 64 ? stackrestore<std::uint64_t> : stackrestore<std::uint32_t>;
}
Execute select_alloca(const Form& form) {
  return ptx::bits(form.type) == 64 ? allocate_on_stack<std::uint64_t>
                                    : allocate_on_stack<std::uint32_t>;
}
Execute select_brkpt(const Form&) { return stop; }
Execute select_nanosleep(const Form&) { return nanosleep; }
Execute select_trap(const Form&) { return stop; }

}  // namespace raddle::isa
