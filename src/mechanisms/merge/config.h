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
  Field<bool> memory{*this,
                     "memory",
                     false,
                     "",
                     {},
                     "loads and stores of both sides are merged, too, and coalesced together; not "
                     "those with generic "
                     "addresses",
                     "false: irregular-control-flow, section 5.1"};
  Field<bool> reorder{
      *this,
      "reorder",
      false,
      "",
      {},
      "instructions of a side that do not need one another change places where that "
      "makes more pairs",
      "false: irregular-control-flow, section 4.4"};
  Field<bool> overlapped{
      *this,
      "overlapped",
      false,
      "",
      {},
      "collectors take the operands of both sides at the same time; false: those "
      "of one side behind those of the other",
      "false: irregular-control-flow, section 5.1"};
  Field<unsigned> scoreboards{*this,
                              "scoreboards",
                              2,
                              "scoreboards",
                              {1, 2},
                              "of a warp; with two a side does not wait for the other's results",
                              "2: irregular-control-flow, section 4.6"};
  Field<unsigned> stack_entries{*this,
                                "stack_entries",
                                0,
                                "entries",
                                {0, 1u << 16},
                                "that the stack takes when lanes part at a branch whose sides are "
                                "joined: one for each stretch "
                                "of one side or of both; longer sequences have an explicit branch "
                                "between so many. 0: no limit",
                                "0: assumed; irregular-control-flow, section 4.7"};
};

}  // namespace raddle::mechanisms::merge
