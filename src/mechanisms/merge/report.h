// What the pass says of a function: for people, both sides of each branch that is joined beside each other
// (as Figures 38 and 44 of irregular-control-flow have them), and for programs the same as JSON.
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

  /// A branch that stays.
  void stays(const Candidate& one);
  /// A branch that is joined: its sequence, one after the other; then end().
  void begin(const Candidate& one);
  void add(isa::InstructionId id, isa::JointPlace::Side side);
  void add_pair(isa::InstructionId jumps, isa::InstructionId falls);
  void end(const Candidate& one, unsigned entries);

  /// Behind the last branch: the share of the sides' instructions that are merged.
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
