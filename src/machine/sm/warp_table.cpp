// Warps with several paths: the state of each path, and the path that the warp offers to its
// scheduler.
#include "machine/sm/warp_table.h"

namespace raddle::machine {

bool WarpTable::has_path_in(unsigned warp, PathState state) const {
  bool any = false;
  for_each_path(warp, [&](PathId id) { any |= states_[id] == state; });
  return any;
}

void WarpTable::enter_on_path(PathId id, PathState state) {
  const unsigned warp = warp_of(id);
  const PathState before = std::exchange(states_[id], state);
  moved |= warp_bit(warp);
  if (!has_path_in(warp, before)) masks_[index(before)] &= ~warp_bit(warp);
  masks_[index(state)] |= warp_bit(warp);
  if (before == PathState::ready || state == PathState::ready) offer(warp);
}

void WarpTable::enter_ready_on_path(PathId id, bool load_store, bool past) {
  set(load_store_[path_of(id)], warp_of(id), load_store);
  set(past_collectors_[path_of(id)], warp_of(id), past);
  enter_on_path(id, PathState::ready);
}

/// Another path has become the first ready one, or no path is ready.
void WarpTable::offer(unsigned warp) {
  bool first = true, past = false;
  for_each_path(warp, [&](PathId id) {
    if (states_[id] != PathState::ready) return;
    past |= past_collectors_of(id);
    if (!std::exchange(first, false)) return;
    offered_.next[warp] = next_[id];
    set(offered_.load_store, warp, (load_store_[path_of(id)] & warp_bit(warp)) != 0);
  });
  set(past_collectors, warp, past);
}

}  // namespace raddle::machine
