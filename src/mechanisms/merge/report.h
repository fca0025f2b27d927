// The report of the pass on a function. For people: the two sides of each joined branch next to
// each other (as in Figures 38 and 44 of irregular-control-flow). For programs: the same as JSON.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "isa/passes/pass.h"
#include "mechanisms/merge/choice.h"

namespace raddle::mechanisms::merge {

class Report {
 public:
  Report(const isa::FunctionBody& body, isa::PassNotes& notes) : body_(body), notes_(notes) {}

  /// Reports a branch that is not joined.
  void stays(const Candidate& one);
  /// Reports a branch that is joined: begin(), then its instructions and pairs in order, then
  /// end().
  void begin(const Candidate& one);
  void add(isa::InstructionId id, isa::JointPlace::Side side);
  void add_pair(isa::InstructionId jumps, isa::InstructionId falls);
  void end(const Candidate& one, unsigned entries);

  /// Call it after the last branch. Reports the share of merged instructions in the instructions of
  /// both sides.
  void finish();

 private:
  void count(const Candidate& one);

  const isa::FunctionBody& body_;
  isa::PassNotes& notes_;
  std::vector<std::string> lines_;  // of the branch that is being joined
  std::string steps_;               // the same as JSON
  std::string branches_;            // JSON
  std::set<isa::InstructionId> in_sides_;
  std::size_t merged_ = 0;
};

}  // namespace raddle::mechanisms::merge
