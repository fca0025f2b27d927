// Dynamic warps: issues that lanes of several warps share.
//
// Lanes keep their home: values stay in the registers of their own warp, in their own lane, and
// each warp's control flow continues by itself. A formation only decides which ready paths issue
// together. The group takes one issue slot, one pass of its functional unit and one read of
// operands. Its accesses to global, shared and constant memory are one access, so that coalescer
// and banks see its lanes together (local memory and textures: an access for each warp).
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
  std::uint64_t age = 0;        // of its warp: a smaller number is older
  const void* block = nullptr;  // of its warp; only for comparison
  std::uint32_t group = 0;      // LaneControl::group()
  bool can_lead = false;        // the scheduler can issue it now
};

/// Paths that issue together. Each lane occurs once in a dynamic warp, and each warp executes one
/// instruction at a time.
struct IssueGroup {
  std::array<PathId, kWarpSize> paths{};
  unsigned size = 0;
  LaneMask lanes = 0;
  WarpMask warps = 0;
  std::uint32_t group = 0;  // group of the first path

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
  /// `group` has the path that the scheduler has picked. Adds the paths of `others` that issue with
  /// it. All are ready paths of the same block, at the same instruction.
  virtual void form(std::span<const ReadyPath> others, IssueGroup& group) = 0;

  /// Whether a path can lead only when no other path of its group waits at its instruction, for
  /// results or for its fetch.
  virtual bool whole_groups() const { return false; }

  /// Whether lead(), and not the policy of the warp scheduler, chooses the path that issues.
  virtual bool leads() const { return false; }
  /// Returns one of `ready` with can_lead, or nullptr if there is none. `ready` has all ready paths
  /// of the multiprocessor in order of their ids.
  virtual const ReadyPath* lead(unsigned /*scheduler*/, std::span<const ReadyPath> /*ready*/) {
    return nullptr;
  }
};

}  // namespace raddle::machine
