// The state of an issue that lanes of several warps share (reconvergence/formation.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "machine/load_store/load_store.h"
#include "machine/reconvergence/formation.h"
#include "machine/sm/warp_table.h"

namespace raddle::machine {

/// A group shares an issue slot, a read of operands and the bus of its result. Accesses that can be
/// merged also share one access.
class FormedIssue {
 public:
  /// `formation`: nullptr if every path issues by itself; then only is_joint() and book_once() are
  /// called.
  FormedIssue(WarpTable& warps, LoadStore& memory, std::unique_ptr<Formation> formation)
      : warps_(warps), memory_(memory), formation_(std::move(formation)) {}

  bool forms() const { return formation_ != nullptr; }
  Formation* formation() const { return formation_.get(); }
  /// Whether leader(), and not the policy of the warp scheduler, chooses the warp that issues.
  bool leads() const { return formation_ != nullptr && formation_->leads(); }
  /// Call it before a scheduler uses this object in cycle `now`.
  void begin_cycle(Cycle now) {
    if (std::exchange(now_, now) != now) issued_by_.fill(kNobody);
  }
  /// Warps whose instructions other schedulers have issued in this cycle.
  WarpMask issued_by_others(unsigned scheduler) const {
    WarpMask warps = 0;
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      if (others_turn(path_id(warp, 0), scheduler)) warps |= warp_bit(warp);
    }
    return warps;
  }
  /// False: no ready path can lead. can_lead(id): whether the scheduler can issue the path now.
  template <class CanLead>
  bool leader(unsigned scheduler, PathId& id, CanLead can_lead) {
    find_ready(scheduler);
    asked_.clear();
    for (ReadyPath& path : ready_)
      path.can_lead = can_lead(path.id) && !group_lacks_parts(path, scheduler);
    const ReadyPath* leader = formation_->lead(scheduler, ready_);
    if (leader != nullptr) id = leader->id;
    return leader != nullptr;
  }
  /// The path has to wait for other paths that must issue with it (Formation::whole_groups).
  bool lacks_parts(PathId id, unsigned scheduler) const;
  /// The paths that issue together with `leader`, starting with `leader`.
  const IssueGroup& form(PathId leader, unsigned scheduler);
  /// The paths of the group have made their steps. Accesses that can be one become one, under the
  /// first of their paths.
  void begin(std::span<const Step> steps);
  void end() { group_.size = 0, joint_members_ = 0; }

  /// The cycle in which the group's result is written, for all of its paths; `book()` finds it.
  template <class Book>
  Cycle book_once(Book book) {
    if (group_.size > 1 && written_ != kNever) return written_;
    return written_ = book();
  }
  /// Adds the path's part to a joint access; the first path of it issues all of it. False: the path
  /// has an access of its own.
  bool issue_access(PathId id, std::uint32_t code, LoadStore::Cost& cost);

  /// The path's access is part of one that another path of the group issues.
  bool rides_along(PathId id) const {
    return joint_members_ != 0 && (joint_members_ & member(id)) != 0 &&
           (joint_members_ & (member(id) - 1)) != 0;
  }

  /// A memory access that several paths wait for.
  struct Joint {
    std::uint32_t code = 0;
    unsigned size = 0;
    std::array<PathId, kWarpSize> paths{};
  };
  /// Whether LoadStore's `code` is a joint access; indices in Program::code are far below kJoint.
  static constexpr bool is_joint(std::uint32_t code) { return (code & kJoint) != 0; }
  /// The joint access has completed.
  Joint take_joint(PathId id, std::uint32_t code);

 private:
  static constexpr std::uint32_t kJoint = 1u << 31;
  /// The path's bit in joint_members_; 0: it is not in the group.
  std::uint32_t member(PathId id) const {
    for (unsigned n = 0; n < group_.size; ++n) {
      if (group_.paths[n] == id) return 1u << n;
    }
    return 0;
  }
  /// Only one scheduler issues a warp's instructions in a cycle, so that others can load its stores
  /// in the next cycle.
  bool others_turn(PathId id, unsigned scheduler) const {
    const std::uint8_t by = issued_by_[warp_of(id)];
    return by != kNobody && by != scheduler;
  }
  void find_ready(unsigned scheduler);
  bool group_lacks_parts(const ReadyPath& path, unsigned scheduler);
  void find_companions(PathId leader, unsigned scheduler);

  WarpTable& warps_;
  LoadStore& memory_;
  std::unique_ptr<Formation> formation_;
  std::vector<ReadyPath> ready_, companions_;
  /// The first path of a group that was asked; other paths of the group get the same answer.
  struct Asked {
    const void* block = nullptr;
    std::uint32_t group = 0, pc = 0;
    bool lacks = false;
  };
  std::vector<Asked> asked_;
  static constexpr std::uint8_t kNobody = 255;
  Cycle now_ = kNever;
  std::array<std::uint8_t, kMaxWarps> issued_by_{};  // [warp]: issuing scheduler in this cycle
  IssueGroup group_;                                 // the group that is being issued
  Cycle written_ = kNever;                           // when its result is written, once booked
  std::uint32_t joint_members_ = 0;                  // a bit for each path of the joint access
  std::vector<Joint> joints_;
};

}  // namespace raddle::machine
