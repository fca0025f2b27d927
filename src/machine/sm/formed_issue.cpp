// An issue that lanes of several warps share (reconvergence/formation.h).
#include <bit>

#include "machine/sm/sm.h"

namespace raddle::machine {
namespace {

/// Of a memory instruction of several warps: Program::code's indices are far below it.
constexpr std::uint32_t kJoint = 1u << 31;

using Space = isa::MemoryAccess::Space;

bool can_be_joint(const isa::MemoryAccess& access) {
  return access.space == Space::global || access.space == Space::shared ||
         access.space == Space::constant || access.space == Space::parameter;
}

bool can_join(const isa::MemoryAccess& joint, const isa::MemoryAccess& one) {
  return joint.space == one.space && joint.type == one.type && joint.bytes == one.bytes &&
         (joint.lanes & one.lanes) == 0;
}

}  // namespace

/// The ready paths of the leader's block that are at its instruction.
void Sm::find_companions(PathId leader) {
  companions_.clear();
  const WarpSlot& slot = slot_of(leader);
  const std::uint32_t pc = slot.warp.pc(path_of(leader));
  for (const std::uint8_t warp : slot.block->warps) {
    if ((in(State::ready)&warp_bit(warp)) == 0) continue;
    for_each_path(warp, [&](PathId id) {
      const Warp& home = slots_[warp]->warp;
      const unsigned path = path_of(id);
      const bool fits = id != leader && path_slot(id).state == State::ready && home.pc(path) == pc;
      if (fits) companions_.push_back({id, pc, home.lanes(path), ages_[warp]});
    });
  }
}

void Sm::issue_formed(PathId leader, unsigned scheduler, Cycle now) {
  WarpSlot& slot = slot_of(leader);
  const unsigned path = path_of(leader);
  // Units take the lanes of one warp at a time.
  const isa::Instruction& next = *slot.warp.next(path);
  if (next.kind == isa::Kind::unit) return issue(leader, scheduler, now);
  group_ = {};
  group_.add({leader, slot.warp.pc(path), slot.warp.lanes(path), 0});
  find_companions(leader);
  if (!companions_.empty()) formation_->form(companions_, group_);
  // Where their accesses turn out not to be one, each needs a place in the load-store unit's queue.
  if (next.kind == isa::Kind::memory) group_.size = std::min(group_.size, memory_.free());
  if (group_.size == 1) return issue(leader, scheduler, now);

  units_.issue(next.klass, scheduler, now, ExecuteUnits::steps(next));
  const Cycle delay =
      operands_.read(scheduler, warp_of(leader), slot.program->sources[slot.warp.pc(path)],
                     units_.fixed_latency(next.klass), now);
  ++stats_.formed_issues;
  ++stats_.warp_instructions;
  ++slot.block->warp_instructions;
  std::array<Step, kWarpSize> steps;
  unsigned active = 0;
  for (unsigned n = 0; n < group_.size; ++n) {
    WarpSlot& home = slot_of(group_.paths[n]);
    home.warp.context().now = now;
    steps[n] = execute(home.warp, path_of(group_.paths[n]));
    const auto lanes = static_cast<unsigned>(std::popcount(steps[n].lanes));
    active += lanes;
    stats_.thread_instructions += lanes;
    slot.block->thread_instructions += lanes;
    if (charges_) [[unlikely]]
      charge_step(home, path_of(group_.paths[n]), steps[n]);
  }
  stats_.active_lanes.add(active);
  join_accesses(steps);
  group_written_ = kNever;
  // What follows may form no other group.
  const IssueGroup group = group_;
  for (unsigned n = 0; n < group.size; ++n) after_step(group.paths[n], steps[n], delay, now);
  joint_members_ = 0;
  group_.size = 0;
}

/// Accesses of the group that can be one are issued as one, under the first of its paths.
void Sm::join_accesses(std::span<const Step> steps) {
  joint_members_ = 0;
  unsigned first = kWarpSize;
  for (unsigned n = 0; n < group_.size; ++n) {
    if (steps[n].instruction == nullptr || steps[n].instruction->kind != isa::Kind::memory)
      continue;
    if (steps[n].then == Step::Then::fault) continue;
    const isa::MemoryAccess& one = slot_of(group_.paths[n]).warp.context().access;
    if (one.lanes == 0 || !can_be_joint(one)) continue;
    if (first == kWarpSize) {
      first = n;
      joint_members_ = 1u << n;
      continue;
    }
    isa::MemoryAccess& joint = slot_of(group_.paths[first]).warp.context().access;
    if (!can_join(joint, one)) continue;
    for (LaneMask rest = one.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      joint.address[lane] = one.address[lane];
    }
    joint.lanes |= one.lanes;
    joint.bypass_l1 |= one.bypass_l1;
    joint_members_ |= 1u << n;
  }
  if (std::popcount(joint_members_) < 2) joint_members_ = 0;
}

/// A member of the group has made its part of a joint access; the first issues all of it.
bool Sm::issue_joint(PathId id, std::uint32_t code, LoadStore::Cost& cost) {
  unsigned n = 0;
  while (n < group_.size && group_.paths[n] != id) ++n;
  if (n == group_.size || (joint_members_ >> n & 1) == 0) return false;
  const auto first = static_cast<unsigned>(std::countr_zero(joint_members_));
  if (n != first) {
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
  cost = memory_.issue(id, kJoint | index, slot_of(id).warp.context());
  return true;
}

/// True: what has completed was an access of several paths, all of which have their results now.
bool Sm::joint_completed(PathId id, std::uint32_t code, Cycle now) {
  if ((code & kJoint) == 0) return false;
  const Joint joint = std::exchange(joints_[code & ~kJoint], {});
  for (unsigned n = 0; n < joint.size; ++n) {
    if (joint.paths[n] != id) memory_.expected(joint.paths[n]);
  }
  const isa::RegisterSet& writes = slot_of(id).program->writes[joint.code];
  const Cycle written =
      writes.empty() ? now : operands_.write(scheduler_of(warp_of(id)), false, now, now);
  for (unsigned n = 0; n < joint.size; ++n) {
    if (written == now) {
      scoreboard_.release_memory(joint.paths[n], writes);
      reconsider(joint.paths[n], now);
    } else {
      events_.put({WarpEvent::Kind::memory_write, joint.paths[n], joint.code}, written);
    }
  }
  return true;
}

}  // namespace raddle::machine
