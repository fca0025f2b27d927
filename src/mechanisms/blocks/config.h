// Settings of thread block management (thread-block-management, sections III to V).
#pragma once

#include "base/config.h"

namespace raddle::mechanisms::blocks {

struct BlocksConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  TextField scheme{
      *this,
      "scheme",
      "dynamic",
      "",
      "what is known of blocks, and what is done with it: dynamic, prediction_only, "
      "preemption_only, memory_only, fpu_only, kernel_level, static_oracle, round_robin",
      "thread-block-management, section V"};

  // The resource usage table.
  Field<unsigned> table_bytes{*this,
                              "table_bytes",
                              16384,
                              "bytes",
                              {1, 1u << 24},
                              "of the resource usage table; an entry has 3 bits for each metric",
                              "thread-block-management, section V"};
  Field<unsigned> most_fall{
      *this,
      "most_fall",
      7,
      "levels",
      {0, 7},
      "by which an update makes an entry fall at most; 7: to what it says, as in the paper. A "
      "block stalls less when others were made to leave: with less the entry remembers why they "
      "were",
      "7: thread-block-management, section IV"};
  TextField levels{*this,
                   "levels",
                   "doubling",
                   "doubling|even",
                   "what an entry's levels 0 to 7 are: 0, 1, 2, 4, 8, 16, 32 and 64 steps, or as "
                   "many steps as they say. Blocks differ a hundredfold in what they use, which "
                   "seven even steps do not span",
                   "assumed"};
  Field<double> memory_step{
      *this,
      "memory_step",
      0.01,
      "fraction",
      {1e-6, 1},
      "of an SM's scheduler cycles, lost because the load-store unit takes no "
      "more, that are one step",
      "assumed"};
  Field<double> fpu_step{*this,     "fpu_step",
                         0.01,      "fraction",
                         {1e-6, 1}, "of what an SM's floating-point units can do, that is one step",
                         "assumed"};
  Field<double> memory_capacity{*this,
                                "memory_capacity",
                                0.8,
                                "fraction",
                                {1e-6, 32},
                                "of an SM's scheduler cycles that its blocks may together lose so: "
                                "with more it is oversubscribed",
                                "assumed: with less, programs lose that run alone"};
  Field<double> fpu_capacity{*this,
                             "fpu_capacity",
                             0.8,
                             "fraction",
                             {1e-6, 32},
                             "of what its floating-point units can do that its blocks may together "
                             "use",
                             "assumed: with less, programs lose that run alone"};

  // Updates.
  Field<double> check_kilobytes{*this,
                                "check_kilobytes",
                                1.1,
                                "KB / us",
                                {1e-3, 1e6},
                                "an SM looks at the counters of a block once in its context's size "
                                "over this",
                                "thread-block-management, section V"};
  Field<unsigned> update_latency{*this,
                                 "update_latency",
                                 100,
                                 "SM cycles",
                                 {1, 100000},
                                 "from the look to the scheduler's table",
                                 "assumed: half of a round trip through the network"};
  Field<unsigned> update_bytes{*this,     "update_bytes",
                               8,         "bytes",
                               {1, 1024}, "of the message: stream, block index and levels",
                               "assumed"};

  // Leaving.
  TextField leaving{
      *this,
      "leaving",
      "switch",
      "switch|drain|flush",
      "how an oversubscribed SM is relieved of a block: its context is saved; or the SM "
      "takes no blocks until it is empty; or the block begins anew elsewhere, once and if nobody "
      "can have seen anything of what it did, and else is saved",
      "thread-block-management, section IV.A and appendix A"};
  Field<bool> cached_contexts{*this,
                              "cached_contexts",
                              false,
                              "",
                              {},
                              "contexts go through the L1 and L2 caches, instead of past them",
                              "thread-block-management, appendix B"};
  Field<unsigned> victims{*this,
                          "victims",
                          1024,
                          "blocks",
                          {0, 1u << 20},
                          "entries of the victim queue; when it is full nobody leaves",
                          "thread-block-management, section V"};
  Field<double> patience{*this,
                         "patience",
                         1000,
                         "us",
                         {1, 1e9},
                         "after which a block that waits is placed whatever is predicted, so that "
                         "blocks that wait for one another come to an end",
                         "assumed"};

  // Phases.
  Field<double> phase_window{*this,
                             "phase_window",
                             100,
                             "us",
                             {0.1, 1e9},
                             "over which a metric is averaged",
                             "thread-block-management, section III"};
  Field<double> phase_change{*this,
                             "phase_change",
                             0.05,
                             "fraction",
                             {0, 1},
                             "by which the average moves where a phase ends",
                             "thread-block-management, section III"};

  Field<unsigned> kernel_updates{*this,
                                 "kernel_updates",
                                 64,
                                 "updates",
                                 {1, 1u << 20},
                                 "over which kernel_level averages what the blocks of a kernel "
                                 "use; 1: it knows the last update alone",
                                 "assumed: about as many as blocks of a kernel run at a time"};

  TextField rehearsal_ends{
      *this,
      "rehearsal_ends",
      "",
      "",
      "the kernel whose start ends the run before, of which static_oracle knows "
      "the kernels' averages; none: it knows those of all launches so far",
      "thread-block-management, section V"};
};

}  // namespace raddle::mechanisms::blocks
