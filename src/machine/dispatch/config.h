// Settings of the path from a launch to blocks on multiprocessors.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct DispatchConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> concurrent_kernels{
      *this, "concurrent_kernels", 32, "grids", {1, 65536}, "entries of the kernel distributor"};
  Field<unsigned> hardware_queues{*this,
                                  "hardware_queues",
                                  32,
                                  "queues",
                                  {1, 1024},
                                  "hardware work queues to which host streams are mapped in turn",
                                  "dynamic-thread-block-launch, section 2.2"};
  Field<bool> queue_waits{*this,
                          "queue_waits",
                          true,
                          "",
                          {},
                          "the next grid of a hardware queue waits for the end of the one before "
                          "it, not only for its dispatch",
                          "dynamic-thread-block-launch, section 2.2"};
  Field<unsigned> kernel_latency{*this,
                                 "kernel_latency",
                                 283,
                                 "SM cycles",
                                 {1, 100000},
                                 "from the kernel management unit to the kernel distributor",
                                 "dynamic-thread-block-launch, Table 3"};
  Field<unsigned> counted_before{
      *this,
      "counted_before",
      0,
      "SM cycles",
      {0, 100000},
      "before a kernel of the host starts that a launch's `cycles` count, as Nsight Compute counts "
      "them. They are not in its `time_us`, which is that of a time line (CUPTI, Nsight Systems), "
      "and take no time of their own: the host's launch latencies have them"};
  Field<unsigned> end_latency{
      *this,
      "end_latency",
      0,
      "SM cycles",
      {0, 100000},
      "from the end of the last block to that of a kernel of the host, if its stores have arrived "
      "by then"};
  Field<double> blocks_per_cycle{*this,    "blocks_per_cycle", 1,
                                 "blocks", {0.01, 64},         "blocks placed in one SM cycle"};
  Field<unsigned> block_latency{
      *this,
      "block_latency",
      20,
      "SM cycles",
      {1, 10000},
      "from placing a block, as soon as another one has left, to the first issue of its warps"};
  TextField placement{
      *this, "placement", "round_robin", "",
      "which block is placed next, and where: round_robin (SMs in turn), most_room "
      "(the SM on which most warps still fit), first_fit (a grid that does not fit "
      "holds up none behind it), spatial (the SMs are divided among the kernels), "
      "throttle (fewer blocks than fit), or a policy of a mechanism; \"throttle/spatial\": one "
      "around another; unused while a mechanism that is on places blocks in its own way"};
};

}  // namespace raddle::machine
