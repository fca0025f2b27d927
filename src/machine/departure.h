// The only way in which blocks leave their multiprocessors before their end. Placement policies get
// it in sample(); for mechanisms it is part of LaunchPath. The machine uses it too: for a setting,
// and for blocks that wait for others. A request returns an answer at once, and calls back later
// when the block has left and when it continues:
//
//   const Departure answer = departures.request(block, {
//       .left = [this](const PlacedBlock&) { /* its place is free */ },
//       .restored = [this](const PlacedBlock& back) { /* it continues, at back.sm */ }});
#pragma once

#include <cstdint>
#include <functional>

#include "machine/sm_view.h"

namespace raddle::machine {

/// The answer to a request that a block leaves its multiprocessor.
enum class Departure : std::uint8_t {
  leaves,    // it will certainly leave
  asked,     // it leaves as soon as it may, unless it ends before
  ending,    // all its warps have exited: it ends where it is
  moving,    // it is leaving already, or its state is still being restored
  not_here,  // on no multiprocessor: not yet placed, ended, or away; or the machine has no timing
};

/// How strongly the caller insists.
enum class Insistence : std::uint8_t {
  /// The request stands until the block has left or ended. A block leaves for the n-th time only
  /// after it has issued n instructions since it came. Therefore it makes progress however often it
  /// is asked. A repeated request changes nothing.
  when_it_may,
  /// At once, or not at all: the answer gives the reason.
  at_once,
  /// At once; it stays if one of its warps is woken (LaunchPath::wake_warp) before its state is
  /// saved.
  unless_woken,
};

/// The path on which the state of a leaving block is stored and later loaded.
enum class StatePath : std::uint8_t {
  l2,      // past the first-level caches to the L2 cache
  memory,  // past all caches (thread-block-management, appendix B), except an L2 cache of two halves
  cached,  // through the L1 data cache too, where it occupies lines
};

struct DepartureRequest {
  Insistence insistence = Insistence::when_it_may;
  StatePath state = StatePath::l2;
  /// Drops its state; the block begins anew where it is placed (thread-block-management, appendix
  /// A, "flushing"). Only for a block that has no effect visible to others and has not left before.
  /// The state of any other block is saved.
  bool drop = false;
  /// Called at the end of the cycle in which the block leaves; both functions may be empty. Its
  /// place becomes free at the end of this cycle. The PlacedBlock has the state of its last cycle
  /// there.
  std::function<void(const PlacedBlock&)> left = {};
  /// Called when its state has been loaded, or it has begun anew, and it continues there.
  std::function<void(const PlacedBlock&)> restored = {};
};

/// A block that has left continues when it has its turn and there is a place for it
/// (Dispatcher::swapped_out). The placement policy decides where.
class DepartureRequests {
 public:
  virtual ~DepartureRequests() = default;
  virtual Departure request(const PlacedBlock& block, DepartureRequest request) = 0;
  Departure request(const PlacedBlock& block) { return this->request(block, {}); }
};

}  // namespace raddle::machine
