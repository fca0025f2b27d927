// The one door through which blocks leave their multiprocessors before their end. Policies of
// placement have it in sample(), mechanisms by LaunchPath, which is one; the machine's own reasons
// (a setting, blocks that wait for others) use it too. Who asks is answered at once, and told later
// what became of it:
//
//   const Departure answer = departures.request(block, {
//       .left = [this](const PlacedBlock&) { /* its place is free */ },
//       .restored = [this](const PlacedBlock& back) { /* it goes on, at back.sm */ }});
#pragma once

#include <cstdint>
#include <functional>

#include "machine/sm_view.h"

namespace raddle::machine {

/// What becomes of a block that is asked to leave its multiprocessor.
enum class Departure : std::uint8_t {
  leaves,    // for certain
  asked,     // it leaves as soon as it may, unless it ends before
  ending,    // all its warps have exited: it ends where it is
  moving,    // it leaves already, or has come back and its state is still being restored
  not_here,  // on no multiprocessor: not yet placed, ended, or away; or the machine has no time
};

/// How much the one who asks insists.
enum class Insistence : std::uint8_t {
  /// The request stands until the block has left or ended. A block leaves for the n-th time only
  /// when it has issued n instructions since it came, so that it comes to its end however often it is
  /// asked. Asking again changes nothing.
  when_it_may,
  /// At once, or not at all: the answer says why.
  at_once,
  /// At once; it stays if one of its warps is woken (LaunchPath::wake_warp) before its state is
  /// saved.
  unless_woken,
};

/// Where the state of a block that leaves goes, and comes from.
enum class StatePath : std::uint8_t {
  l2,      // past the first-level caches to the L2 cache
  memory,  // past all caches (thread-block-management, appendix B), except an L2 cache of two halves
  cached,  // through the L1 data cache too, whose lines it takes
};

struct DepartureRequest {
  Insistence insistence = Insistence::when_it_may;
  StatePath state = StatePath::l2;
  /// Its state is dropped, and it begins anew where it is placed (thread-block-management, appendix A,
  /// "flushing"): only a block that has done nothing yet that others can see, and has not left before.
  /// Another one is saved.
  bool drop = false;
  /// Called at the end of the cycle in which it happens; all may be empty. Its place becomes free at
  /// the end of this cycle; the state is what it was when it was last there.
  std::function<void(const PlacedBlock&)> left = {};
  /// Its state has come, or it has begun anew, and it goes on, there.
  std::function<void(const PlacedBlock&)> restored = {};
};

/// A block leaves, goes on where there is a place for it, when its turn comes
/// (Dispatcher::swapped_out), and a policy of placement decides where.
class DepartureRequests {
 public:
  virtual ~DepartureRequests() = default;
  virtual Departure request(const PlacedBlock& block, DepartureRequest request) = 0;
  Departure request(const PlacedBlock& block) { return this->request(block, {}); }
};

}  // namespace raddle::machine
