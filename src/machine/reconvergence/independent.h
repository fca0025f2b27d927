// Independent thread scheduling: every way of a branch gets its turn, so that lanes may wait for
// other lanes of their warp (CUDA C++ Programming Guide, "Independent Thread Scheduling").
#pragma once

#include "machine/reconvergence/split_tree.h"

namespace raddle::machine {

class IndependentThreads : public SplitTree {
 public:
  using SplitTree::SplitTree;
  bool let_arrived_go_on(bool) override { return let_all_arrived_go_on(); }

 protected:
  Turn take_turns(unsigned path) override;

 private:
  std::uint32_t turn_ = 0;  // length of a turn, in backward jumps
};

}  // namespace raddle::machine
