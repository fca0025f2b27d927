// Gives the instructions of a joined region their places. Each stack entry covers places of one
// side or of both (irregular-control-flow, Figure 42).
#pragma once

#include <cstdint>
#include <utility>

#include "isa/passes/function_body.h"
#include "mechanisms/merge/config.h"
#include "mechanisms/merge/sides.h"

namespace raddle::mechanisms::merge {

class Sequence {
 public:
  using Side = isa::JointPlace::Side;

  /// Gives the branch the first place. `region`: the number of the region in the function, from 1.
  Sequence(isa::FunctionBody& body, const MergeConfig& config, std::uint32_t region,
           isa::InstructionId branch);

  /// Adds an instruction of one side.
  void add(const BranchSide::Step& step, Side side);
  void add_pair(isa::InstructionId jumps, isa::InstructionId falls);
  /// Call it after all instructions. Removes the jumps of the sides.
  void end(const Divergence& one);

  unsigned entries() const { return entries_; }

 private:
  isa::JointPlace& put(isa::InstructionId id, Side side);
  void enter(Side side);
  void part(Side side);
  isa::JointPlace& put_branch(Side side);

  isa::FunctionBody& body_;
  const MergeConfig& config_;
  const std::uint32_t region_;
  const isa::InstructionId branch_;
  std::uint32_t place_ = 0;
  unsigned entries_ = 0;
  Side side_ = Side::both;
  std::pair<std::uint32_t, std::uint32_t> pieces_;  // the current pieces of `jumps` and `falls`
  std::uint32_t pieces_made_ = 0;
};

}  // namespace raddle::mechanisms::merge
