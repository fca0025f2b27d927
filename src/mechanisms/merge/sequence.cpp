#include "mechanisms/merge/sequence.h"

namespace raddle::mechanisms::merge {

using isa::InstructionId;
using isa::JointPlace;

Sequence::Sequence(isa::FunctionBody& body, const MergeConfig& config, std::uint32_t region,
                   InstructionId branch)
    : body_(body), config_(config), region_(region), branch_(branch) {
  JointPlace& joint = put(branch, Side::both);
  joint.own_hazards = config.scoreboards == 2u;
  ++place_;
}

void Sequence::add(const BranchSide::Step& step, Side side) {
  enter(side);
  std::uint32_t& piece = side == Side::jumps ? pieces_.first : pieces_.second;
  if (step.piece != piece) {
    piece = step.piece;
    if (piece != 0) part(side);
  }
  put(step.id, side).piece = piece == 0 ? 0 : pieces_made_;
  ++place_;
}

void Sequence::add_pair(InstructionId jumps, InstructionId falls) {
  enter(Side::both);
  pieces_ = {};
  for (const auto& [id, side] : {std::pair(jumps, Side::jumps), std::pair(falls, Side::falls)}) {
    put(id, side).operands_apart = !config_.overlapped;
  }
  ++place_;
}

void Sequence::end(const Divergence& one) {
  for (const BranchSide* side : {&one.falls, &one.jumps}) {
    for (const InstructionId id : side->jumps) put(id, Side::none);
  }
  if (one.meets_elsewhere) put_branch(Side::both).last = true;
  body_.change(branch_).joint.entries = entries_;
}

JointPlace& Sequence::put(InstructionId id, Side side) {
  JointPlace& joint = body_.change(id).joint;
  joint = {region_, place_, side};
  return joint;
}

/// Begins another entry of the stack, if `side` differs from the side of the current entry. If the
/// stack is at its limit, puts an explicit branch before the new entry.
void Sequence::enter(Side side) {
  if (entries_ != 0 && side == side_) return;
  side_ = side;
  ++entries_;
  const unsigned most = config_.stack_entries;
  if (most == 0 || entries_ == 1 || (entries_ - 1) % most != 0) return;
  put_branch(Side::both);
}

/// Puts in a branch by which lanes of the other side skip a piece with branches of its own.
void Sequence::part(Side side) {
  ++pieces_made_;
  JointPlace& joint = put_branch(side == Side::jumps ? Side::falls : Side::jumps);
  joint.piece = pieces_made_;
  joint.parting = true;
}

JointPlace& Sequence::put_branch(Side side) {
  const isa::BlockId block = body_.block_of(branch_);
  isa::LirInstruction idle = body_.make_idle_branch(body_[branch_]);
  JointPlace& joint = put(body_.insert(block, body_.position(branch_), std::move(idle)), side);
  joint.inserted = true;
  ++place_;
  return joint;
}

}  // namespace raddle::mechanisms::merge
