#include "machine/warp/spin_watch.h"

#include <algorithm>

#include "machine/warp/warp.h"

namespace raddle::machine {

void SpinWatch::turned_back(const Warp& warp, std::uint32_t pc, LaneMask lanes) {
  std::vector<Place>& places = warps_[&warp];
  auto place = std::find_if(places.begin(), places.end(), [&](const Place& known) {
    return known.pc == pc && known.lanes == lanes;
  });
  if (place == places.end()) {
    places.push_back({.pc = pc, .lanes = lanes});
    place = places.end() - 1;
  }
  if (place->repeats) return;
  const std::uint64_t state = warp.state_hash();
  if (place->visits != 0 && state == place->state) {
    place->repeats = true;
  } else if (++place->visits == place->kept_at) {
    place->state = state;
    place->kept_at *= 2;
  }
}

LaneMask SpinWatch::repeating(const Warp& warp) const {
  LaneMask lanes = 0;
  const auto known = warps_.find(&warp);
  if (known == warps_.end()) return lanes;
  for (const Place& place : known->second) lanes |= place.repeats ? place.lanes : 0;
  return lanes;
}

}  // namespace raddle::machine
