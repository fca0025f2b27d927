// What is noted of warps while it is watched whether they wait for ever: machine/warp/spin_watch.h.
#pragma once

namespace raddle::isa {

struct Watch {
  /// Something happened that others may see, or that does not happen again in the same way: a store, an
  /// atomic that changed memory, an arrival at a barrier, a look at a clock.
  bool changed = false;
  /// Memory of the host was read, or managed memory.
  bool of_host = false, of_managed = false;
};

}  // namespace raddle::isa
