// What an issue that lanes of several warps share has in common (reconvergence/formation.h).
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

/// Beside one issue slot and one read of operands a group shares the bus of its result, and, where
/// its accesses can be one, the access.
class FormedIssue {
 public:
  /// `formation`: nullptr when every path issues by itself; then only is_joint() and book_once() are
  /// called.
  FormedIssue(WarpTable& warps, LoadStore& memory, std::unique_ptr<Formation> formation)
      : warps_(warps), memory_(memory), formation_(std::move(formation)) {}

  bool forms() const { return formation_ != nullptr; }
  Formation* formation() const { return formation_.get(); }
  /// Whether leader(), and not the policy of the warp scheduler, says who issues next.
  bool leads() const { return formation_ != nullptr && formation_->leads(); }
  /// Before a scheduler asks for anything in cycle `now`.
  void begin_cycle(Cycle now) {
    if (std::exchange(now_, now) != now) issued_by_.fill(kNobody);
  }
  /// Warps whose instructions others have issued in this cycle.
  WarpMask issued_by_others(unsigned scheduler) const {
    WarpMask warps = 0;
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      if (others_turn(path_id(warp, 0), scheduler)) warps |= warp_bit(warp);
    }
    return warps;
  }
  /// False: of the ready paths none can. can_lead(id): whether the scheduler can issue the path now.
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
  /// The path has to wait for others that are to issue with it (Formation::whole_groups).
  bool lacks_parts(PathId id, unsigned scheduler) const;
  /// The paths that issue with `leader`, which is the first of them.
  const IssueGroup& form(PathId leader, unsigned scheduler);
  /// The steps of the group's paths have been taken: accesses that can be one become one, under the
  /// first of their paths.
  void begin(std::span<const Step> steps);
  void end() { group_.size = 0, joint_members_ = 0; }

  /// The cycle in which the group's result is written, for all of its paths: `book()` finds it.
  template <class Book>
  Cycle book_once(Book book) {
    if (group_.size > 1 && written_ != kNever) return written_;
    return written_ = book();
  }
  /// A path of the group has made its part of a joint access; the first of them issues all of it.
  /// False: the path's access is its own.
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
  /// Whether what LoadStore calls `code` is one; indices in Program::code are far below kJoint.
  static constexpr bool is_joint(std::uint32_t code) { return (code & kJoint) != 0; }
  /// It has completed.
  Joint take_joint(PathId id, std::uint32_t code);

 private:
  static constexpr std::uint32_t kJoint = 1u << 31;
  /// Its bit in joint_members_; 0: it is not of the group.
  std::uint32_t member(PathId id) const {
    for (unsigned n = 0; n < group_.size; ++n) {
      if (group_.paths[n] == id) return 1u << n;
    }
    return 0;
  }
  /// A warp executes one scheduler's instructions in a cycle: what it stores others can load in the next one.
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
  /// Of the paths of one group the first that was asked, and what it lacks the others do.
  struct Asked {
    const void* block = nullptr;
    std::uint32_t group = 0, pc = 0;
    bool lacks = false;
  };
  std::vector<Asked> asked_;
  static constexpr std::uint8_t kNobody = 255;
  Cycle now_ = kNever;
  std::array<std::uint8_t, kMaxWarps> issued_by_{};  // [warp] in this cycle: the scheduler
  IssueGroup group_;                                 // that is being issued
  Cycle written_ = kNever;                           // once that is booked
  std::uint32_t joint_members_ = 0;                  // a bit for each of its paths
  std::vector<Joint> joints_;
};

}  // namespace raddle::machine
