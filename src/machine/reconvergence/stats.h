// Statistics of the schemes of lane control on a multiprocessor.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct LaneStats : StatGroup {
  using StatGroup::StatGroup;
  Counter partings{*this, "partings", "branches", "Branches at which lanes of a warp parted."};
  Counter arrivals{*this, "arrivals", "splits",
                   "Groups of lanes that came to where they met others of their warp, by the "
                   "control-flow graph."};
  Peak splits_peak{*this, "splits_peak", "splits",
                   "Maximum number of groups of lanes of a warp, with those that wait for others: "
                   "entries of the SIMT stack."};
  Counter subdivisions{*this, "subdivisions", "splits",
                       "subdivided_warps: groups of lanes that went on because they had their data "
                       "from memory and others had not."};
  Counter reunions{*this, "reunions", "splits",
                   "subdivided_warps: groups of lanes that joined others because both were at the "
                   "same instruction."};
  Counter compactions{*this, "compactions", "entries",
                      "compacted_warps: ways of branches whose lanes were compacted."};
  Counter uncompacted{*this, "uncompacted", "warps",
                      "compacted_warps: warps that had lanes on these ways."};
  Counter compacted{*this, "compacted", "warps", "compacted_warps: warps that these became."};
  Counter likely_points{*this, "likely_points", "entries",
                        "likely_points: entries of the stack for likely convergence points."};
  Counter likely_arrivals{*this, "likely_arrivals", "splits",
                          "likely_points: groups of lanes that came to one and waited there."};
  Counter likely_meetings{*this, "likely_meetings", "entries",
                          "likely_points: entries at which several groups of lanes met."};
};

}  // namespace raddle::machine
