// The warp schedulers of a multiprocessor.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct SchedulerConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> count{*this,  "count",
                        4,      "schedulers",
                        {1, 8}, "warp schedulers; warp w belongs to scheduler w modulo count"};
  Field<unsigned> dispatch_width{
      *this,          "dispatch_width", 2,
      "instructions", {1, 2},           "independent instructions of one warp issued in one cycle"};
  TextField policy{*this, "policy", "gto", "",
                   "which ready warp issues: gto (greedy then oldest), lrr (loose round robin), "
                   "two_level (loose round robin within a group of active warps), or a policy of a "
                   "mechanism"};
  Field<unsigned> active_warps{*this,   "active_warps",
                               8,       "warps",
                               {1, 64}, "size of the active group of the two-level policy"};
  TextField divergence{*this, "divergence", "stack", "",
                       "how the lanes of a warp diverge and reconverge: stack (SIMT stack), "
                       "independent (thread scheduling as on compute capability 7.0 and later), "
                       "dual_path (both ways of a branch are scheduled), or a scheme of a "
                       "mechanism"};
};

}  // namespace raddle::machine
