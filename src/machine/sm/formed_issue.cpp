#include "machine/sm/formed_issue.h"

#include <bit>

#include "machine/sm/resident_block.h"

namespace raddle::machine {
namespace {

using Space = isa::MemoryAccess::Space;

bool can_be_joint(const isa::MemoryAccess& access) {
  return access.space == Space::global || access.space == Space::shared ||
         access.space == Space::constant || access.space == Space::parameter;
}

bool can_join(const isa::MemoryAccess& joint, const isa::MemoryAccess& one) {
  return joint.space == one.space && joint.type == one.type && joint.bytes == one.bytes &&
         (joint.lanes & one.lanes) == 0;
}

void join(isa::MemoryAccess& joint, const isa::MemoryAccess& one) {
  for (LaneMask rest = one.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    joint.address[lane] = one.address[lane];
  }
  joint.lanes |= one.lanes;
  joint.bypass_l1 |= one.bypass_l1;
}

}  // namespace

/// Lists all ready paths of the multiprocessor.
void FormedIssue::find_ready(unsigned scheduler) {
  ready_.clear();
  for (WarpMask rest = warps_.in(PathState::ready); rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    const WarpSlot& slot = warps_[warp];
    warps_.for_each_path(warp, [&](PathId id) {
      if (warps_.state(id) != PathState::ready || others_turn(id, scheduler)) return;
      const unsigned path = path_of(id);
      ready_.push_back({id, slot.warp.pc(path), slot.warp.lanes(path), warps_.ages()[warp],
                        slot.block, slot.warp.group(path)});
    });
  }
}

/// Whether another part of the path's group is at the same instruction, and cannot issue yet.
bool FormedIssue::lacks_parts(PathId id, unsigned scheduler) const {
  if (!formation_->whole_groups()) return false;
  const WarpSlot& slot = warps_.of(id);
  const unsigned path = path_of(id);
  const std::uint32_t pc = slot.warp.pc(path), group = slot.warp.group(path);
  if ((group & LaneControl::kSharedGroup) == 0) return false;
  if (slot.warp.lacks_parts(path)) return true;
  unsigned parts = 0;
  for (const std::uint8_t warp : slot.block->warps) {
    const Warp& home = warps_[warp].warp;
    for (unsigned one = 0; one < warps_.paths(); ++one) {
      if (home.next(one) == nullptr || home.pc(one) != pc || home.group(one) != group) continue;
      const PathId part = path_id(warp, one);
      if (warps_.state(part) != PathState::ready || others_turn(part, scheduler)) return true;
      ++parts;
    }
  }
  // Each part needs a place in the load-store unit's queue.
  return slot.warp.next(path)->kind == isa::Kind::memory && parts > memory_.free() &&
         !memory_.queue_empty();
}

/// The same, where all ready paths are asked: evaluated once for each group.
bool FormedIssue::group_lacks_parts(const ReadyPath& path, unsigned scheduler) {
  if ((path.group & LaneControl::kSharedGroup) == 0) return false;
  for (const Asked& one : asked_) {
    if (one.block == path.block && one.group == path.group && one.pc == path.pc) return one.lacks;
  }
  asked_.push_back({path.block, path.group, path.pc, lacks_parts(path.id, scheduler)});
  return asked_.back().lacks;
}

/// Lists the ready paths of the leader's block that are at its instruction.
void FormedIssue::find_companions(PathId leader, unsigned scheduler) {
  companions_.clear();
  const WarpSlot& slot = warps_.of(leader);
  const std::uint32_t pc = slot.warp.pc(path_of(leader));
  for (const std::uint8_t warp : slot.block->warps) {
    if ((warps_.in(PathState::ready)&warp_bit(warp)) == 0) continue;
    const Warp& home = warps_[warp].warp;
    warps_.for_each_path(warp, [&](PathId id) {
      const unsigned path = path_of(id);
      const bool fits = id != leader && warps_.state(id) == PathState::ready &&
                        home.pc(path) == pc && !others_turn(id, scheduler);
      if (!fits) return;
      companions_.push_back(
          {id, pc, home.lanes(path), warps_.ages()[warp], slot.block, home.group(path)});
    });
  }
}

const IssueGroup& FormedIssue::form(PathId leader, unsigned scheduler) {
  const Warp& warp = warps_.of(leader).warp;
  const unsigned path = path_of(leader);
  group_ = {};
  written_ = kNever;
  const isa::Instruction& next = *warp.next(path);
  group_.add({leader, warp.pc(path), warp.lanes(path), 0});
  group_.group = warp.group(path);
  // A unit takes the lanes of only one warp at a time.
  issued_by_[warp_of(leader)] = static_cast<std::uint8_t>(scheduler);
  if (next.kind == isa::Kind::unit) return group_;
  find_companions(leader, scheduler);
  if (!companions_.empty()) formation_->form(companions_, group_);
  // If their accesses cannot be merged, each needs a place in the load-store unit's queue.
  if (next.kind == isa::Kind::memory) group_.size = std::min(group_.size, memory_.free());
  for (unsigned n = 0; n < group_.size; ++n) {
    issued_by_[warp_of(group_.paths[n])] = static_cast<std::uint8_t>(scheduler);
  }
  return group_;
}

void FormedIssue::begin(std::span<const Step> steps) {
  joint_members_ = 0;
  unsigned first = kWarpSize;
  for (unsigned n = 0; n < group_.size; ++n) {
    if (steps[n].instruction == nullptr || steps[n].instruction->kind != isa::Kind::memory)
      continue;
    if (steps[n].then == Step::Then::fault) continue;
    const isa::MemoryAccess& one = warps_.of(group_.paths[n]).warp.context().access;
    if (one.lanes == 0 || !can_be_joint(one)) continue;
    if (first == kWarpSize) {
      first = n;
      joint_members_ = 1u << n;
      continue;
    }
    isa::MemoryAccess& joint = warps_.of(group_.paths[first]).warp.context().access;
    if (!can_join(joint, one)) continue;
    join(joint, one);
    joint_members_ |= 1u << n;
  }
  if (std::popcount(joint_members_) < 2) joint_members_ = 0;
}

bool FormedIssue::issue_access(PathId id, std::uint32_t code, LoadStore::Cost& cost) {
  if ((joint_members_ & member(id)) == 0) return false;
  if (rides_along(id)) {
    memory_.expect(id);
    return true;
  }
  std::uint32_t index = 0;
  while (index < joints_.size() && joints_[index].size != 0) ++index;
  if (index == joints_.size()) joints_.emplace_back();
  Joint& joint = joints_[index];
  joint.code = code;
  for (unsigned m = 0; m < group_.size; ++m) {
    if ((joint_members_ >> m & 1) != 0) joint.paths[joint.size++] = group_.paths[m];
  }
  cost = memory_.issue(id, kJoint | index, warps_.of(id).warp.context());
  return true;
}

FormedIssue::Joint FormedIssue::take_joint(PathId id, std::uint32_t code) {
  const Joint joint = std::exchange(joints_[code & ~kJoint], {});
  for (unsigned n = 0; n < joint.size; ++n) {
    if (joint.paths[n] != id) memory_.expected(joint.paths[n]);
  }
  return joint;
}

}  // namespace raddle::machine
