// shfl and shfl.sync (PTX ISA 9.7.9.6, 9.7.9.7). s: a, b, c, member mask.
#include <cstring>

#include "isa/semantics/lanes.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

// The value that a lane reads from an inactive lane is undefined (9.7.9.6). Here it is 0: programs
// that are correct on hardware add it to their sums (the last step of the reduction in NVIDIA's
// samples), whereas the register of the inactive lane would still hold a value from an earlier
// step.
template <ShuffleMode mode>
void shuffle(WarpContext& w, const Instruction& i) {
  std::uint32_t a[kWarpSize], results[kWarpSize];
  std::memcpy(a, w.source<std::uint32_t>(i.s[0]), sizeof a);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) a[lane] = (w.active >> lane) & 1 ? a[lane] : 0;
  const auto* b = w.source<std::uint32_t>(i.s[1]);
  const auto* c = w.source<std::uint32_t>(i.s[2]);
  LaneMask in_range = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const int bval = static_cast<int>(b[lane] & 0x1f), cval = static_cast<int>(c[lane] & 0x1f);
    const int mask = static_cast<int>((c[lane] >> 8) & 0x1f), me = static_cast<int>(lane);
    const int max_lane = (me & mask) | (cval & ~mask), min_lane = me & mask;
    int from;
    bool inside;
    if constexpr (mode == ShuffleMode::up) {
      from = me - bval;
      inside = from >= max_lane;
    } else if constexpr (mode == ShuffleMode::down) {
      from = me + bval;
      inside = from <= max_lane;
    } else if constexpr (mode == ShuffleMode::bfly) {
      from = me ^ bval;
      inside = from <= max_lane;
    } else {
      from = min_lane | (bval & ~mask);
      inside = from <= max_lane;
    }
    if (!inside) from = me;
    results[lane] = a[from & 31];
    in_range |= LaneMask{inside} << lane;
  }
  store_lanes<std::uint32_t>(w, i.d, results);
  store_predicate(w, i.p, in_range);
}

}  // namespace

Execute select_shfl(const Form& form) {
  switch (form.shuffle) {
    case ShuffleMode::up:
      return shuffle<ShuffleMode::up>;
    case ShuffleMode::down:
      return shuffle<ShuffleMode::down>;
    case ShuffleMode::bfly:
      return shuffle<ShuffleMode::bfly>;
    case ShuffleMode::idx:
      return shuffle<ShuffleMode::idx>;
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
