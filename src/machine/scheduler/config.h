// The warp schedulers of a multiprocessor.
#pragma once

#include "base/config.h"
#include "base/types.h"

namespace raddle::machine {

struct SchedulerConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> count{*this,  "count",
                        4,      "schedulers",
                        {1, 8}, "warp schedulers; warp w belongs to scheduler w modulo count"};
  Field<bool> rotate{
      *this,
      "rotate",
      false,
      "",
      {},
      "the first warp of each block placed goes to the scheduler behind that of the "
      "block before it, as far as there is room; false: the lowest vacant warp slots",
      "assumed"};
  Field<unsigned> dispatch_width{
      *this,          "dispatch_width", 2,
      "instructions", {1, 2},           "independent instructions of one warp issued in one cycle"};
  TextField policy{
      *this, "policy", "gto", "",
      "which ready warp issues: gto (greedy then oldest), gty (greedy then youngest), lrr (loose "
      "round robin), "
      "two_level (loose round robin within a group of active warps), ccws (cache-conscious: "
      "fewer warps load where warps lose lines of the L1 cache), or a policy of a "
      "mechanism"};
  Field<unsigned> active_warps{*this,   "active_warps",
                               8,       "warps",
                               {1, 64}, "size of the active group of the two-level policy"};
  Field<Cycle> patience{
      *this,
      "patience",
      100'000,
      "SM cycles",
      {0, 1'000'000'000},
      "a warp that was ready for so many cycles, from one multiple of them to the next, and did "
      "not "
      "issue goes before others for as many; 0: never, so that warps that spin may keep it for "
      "ever "
      "from what they wait for, as policies are published",
      "assumed: compute capability 7.0 and later guarantee that every thread gets on, not how"};
  TextField divergence{
      *this, "divergence", "stack", "",
      "how the lanes of a warp diverge and reconverge: stack (SIMT stack), "
      "independent (thread scheduling as on compute capability 7.0 and later), "
      "dual_path (both ways of a branch are scheduled), multi_path (up to four "
      "ways), dynamic_warps (lanes of "
      "several warps issue as one), likely_points (stack; lanes that stay in a "
      "loop meet before those that leave it), subdivided_warps (lanes "
      "that have their data run ahead), compacted_warps (the lanes of a block that go one "
      "way become as few warps as they fill), or a scheme of a mechanism"};
  TextField formation_leader{
      *this,
      "formation_leader",
      "majority",
      "majority|minority|pc|policy",
      "of dynamic_warps: which instruction issues. majority: the one at which most lanes of a "
      "block wait, until none is left there; minority: the fewest; pc: the first in the program; "
      "policy: "
      "that of the warp which `policy` picks",
      "Fung et al., MICRO 2007 (DMaj, DMin, DPC)"};
  Field<unsigned> formation_turn{
      *this,
      "formation_turn",
      16,
      "issues",
      {1, 1'000'000},
      "of dynamic_warps: after so many issues chosen by formation_leader (but for policy) comes "
      "one "
      "of the next warp in turn, since others may spin for what its lanes have to do",
      "assumed: it is published that lanes starve, not what is done about it"};
  TextField subdivision{
      *this,
      "subdivision",
      "revive",
      "none|aggressive|lazy|revive",
      "of subdivided_warps: when lanes that have their data from memory go on without the others. "
      "aggressive: at once; lazy: if no warp is ready when data come; revive: also later, as soon "
      "as none is",
      "Meng et al., ISCA 2010 (AggressSplit, LazySplit, ReviveSplit)"};
  TextField subdivision_meeting{
      *this,
      "subdivision_meeting",
      "post_dominator",
      "post_dominator|pc",
      "of subdivided_warps: where ways of a branch meet. post_dominator: they wait there; pc: they "
      "run past it, and meet where one comes to where another waits for memory",
      "Meng et al., ISCA 2010, has both; irregular-control-flow, section 3.9"};
};

}  // namespace raddle::machine
