// Settings of opcode merging (irregular-control-flow, chapters 4 and 5).
#pragma once

#include "base/config.h"

namespace raddle::mechanisms::merge {

struct MergeConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> least_pairs{*this,
                              "least_pairs",
                              1,
                              "pairs",
                              {1, 1u << 16},
                              "that make it worth while to join the sides of a branch",
                              "1: irregular-control-flow, section 4.4: all that are common"};
};

}  // namespace raddle::mechanisms::merge
