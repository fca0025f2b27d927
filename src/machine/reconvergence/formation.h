// Issues that lanes of several warps share: dynamic warps.
//
// Lanes keep their home: values stay in the registers of their own warp, in their own lane, and
// each warp's control goes on by itself. A formation only decides which ready paths issue together.
// The group takes one issue slot, one pass of its functional unit and one read of operands; its
// accesses to global, shared and constant memory are one access, so that coalescer and banks see
// its lanes side by side (local memory and textures: an access for each warp).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/instruction.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// A path whose next instruction can issue.
struct ReadyPath {
  PathId id = 0;
  std::uint32_t pc = 0;
  LaneMask lanes = 0;
  std::uint64_t age = 0;        // of its warp: the smaller, the older
  const void* block = nullptr;  // of its warp: to be compared, nothing else
  std::uint32_t group = 0;      // LaneControl::group()
  bool can_lead = false;        // the scheduler can issue it now
};

/// Paths that issue together: each lane has one place in a dynamic warp, and each warp executes one
/// instruction at a time.
struct IssueGroup {
  std::array<PathId, kWarpSize> paths{};
  unsigned size = 0;
  LaneMask lanes = 0;
  WarpMask warps = 0;
  std::uint32_t group = 0;  // of the first of them

  void add(const ReadyPath& path) {
    paths[size++] = path.id;
    lanes |= path.lanes;
    warps |= warp_bit(warp_of(path.id));
  }
  bool has_room_for(const ReadyPath& path) const {
    return size < kWarpSize && (lanes & path.lanes) == 0 &&
           (warps & warp_bit(warp_of(path.id))) == 0;
  }
};

class Formation {
 public:
  virtual ~Formation() = default;
  /// `group` has the path that the scheduler has picked. Adds those of `others` that issue with it:
  /// they are ready paths of the same block, at the same instruction.
  virtual void form(std::span<const ReadyPath> others, IssueGroup& group) = 0;

  /// Whether a path can lead only when no other of its group waits at its instruction for results, or
  /// to be fetched.
  virtual bool whole_groups() const { return false; }

  /// Whether lead() says who issues next, and not the policy of the warp scheduler.
  virtual bool leads() const { return false; }
  /// One of `ready`, all ready paths of the multiprocessor in order of their ids, that can_lead;
  /// nullptr if none can.
  virtual const ReadyPath* lead(unsigned /*scheduler*/, std::span<const ReadyPath> /*ready*/) {
    return nullptr;
  }
};

}  // namespace raddle::machine
