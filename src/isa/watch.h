// Record of a watched warp, to find warps that wait for ever: machine/warp/spin_watch.h.
#pragma once

namespace raddle::isa {

struct Watch {
  /// An event that others may see, or that does not repeat in the same way: a store, an atomic that
  /// changed memory, an arrival at a barrier, a read of a clock.
  bool changed = false;
  /// The warp read memory of the host, or managed memory.
  bool of_host = false, of_managed = false;
};

}  // namespace raddle::isa
