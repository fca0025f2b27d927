// The SIMT stack.
#pragma once

#include "machine/reconvergence/split_tree.h"

namespace raddle::machine {

class SimtStack : public SplitTree {
 public:
  using SplitTree::SplitTree;
  bool let_arrived_go_on(bool asked) override;

 protected:
  Turn take_turns(unsigned path) override;
};

}  // namespace raddle::machine
