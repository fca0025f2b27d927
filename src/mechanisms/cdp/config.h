// CUDA Dynamic Parallelism: the cost of launches by kernels (dynamic-thread-block-launch, section
// 5.1 and Table 3), and their limits.
#pragma once

#include "base/config.h"

namespace raddle::mechanisms::cdp {

/// A call by x threads of a warp takes base + each * x SM cycles.
struct CallCost : ConfigGroup {
  CallCost(ConfigGroup& parent, const char* name, unsigned base_cycles, unsigned each_cycles,
           const char* source)
      : ConfigGroup(parent, name),
        measured_base(base_cycles),
        measured_each(each_cycles),
        base(*this, "base", base_cycles, "SM cycles", {0, 1000000}, "once per warp", source),
        each(*this, "each", each_cycles, "SM cycles", {0, 1000000},
             "for each thread of the warp that calls", source) {}
  bool is_as_measured() const { return base == measured_base && each == measured_each; }
  const unsigned measured_base, measured_each;
  Field<unsigned> base, each;
};

struct CdpConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  static constexpr const char* kTable3 = "dynamic-thread-block-launch, Table 3";
  CallCost stream_create{*this, "stream_create", 7165, 0, kTable3};
  CallCost parameter_buffer{*this, "parameter_buffer", 8023, 129, kTable3};
  CallCost launch{*this, "launch", 12187, 1592, kTable3};
  CallCost other{*this, "other", 100, 0, "assumed: calls that Table 3 does not have"};
  Field<bool> ideal{*this, "ideal", false,
                    "",    {},      "launching takes no time (CDPI), neither calls nor dispatch"};
  Field<unsigned> pending_launches{
      *this,
      "pending_launches",
      2048,
      "launches",
      {1, 1u << 24},
      "that have not ended, until the program sets another limit (cudaDeviceSetLimit)",
      "CUDA guide: Pending Kernel Launches"};
  Field<bool> virtual_pool{*this,
                           "virtual_pool",
                           false,
                           "",
                           {},
                           "launches beyond pending_launches go to a virtual pool instead of "
                           "failing; on for programs of CUDA 11 (libcudart.so.11.0)",
                           "CUDA guide 11, Pending Kernel Launches"};
  Field<unsigned> virtual_latency{*this,
                                  "virtual_latency",
                                  12187,
                                  "SM cycles",
                                  {0, 1000000},
                                  "additional latency of a launch from the virtual pool",
                                  "assumed: the base of a launch once more (Table 3)"};
  Field<unsigned> depth{*this,
                        "depth",
                        24,
                        "levels",
                        {1, 1024},
                        "of children below a grid from the host, of the first version of dynamic "
                        "parallelism; the second, of CUDA 12 and of compute capability 9.0, "
                        "nests as deep as launches may be pending",
                        "CUDA guide, CUDA Dynamic Parallelism: nesting depth; NVIDIA H200"};
  Field<unsigned> sync_depth{*this,
                             "sync_depth",
                             2,
                             "levels",
                             {0, 24},
                             "of grids that may wait for their children",
                             "CUDA guide: cudaLimitDevRuntimeSyncDepth"};
  Field<bool> swap{*this,
                   "swap",
                   true,
                   "",
                   {},
                   "a block leaves its SM when all its warps wait for its children",
                   "dynamic-thread-block-launch, section 2.4"};
  Field<unsigned> record_bytes{
      *this,
      "record_bytes",
      64,
      "bytes",
      {0, 65536},
      "of memory for a launch that has not started, in addition to its parameters",
      "assumed: entry point, sizes, stream, parameter address; not much "
      "more than for an aggregated group, since groups that wait as long "
      "save no memory (dynamic-thread-block-launch, section 5.2 B)"};
  Field<unsigned> copy_bytes{*this,
                             "copy_bytes",
                             128,
                             "bytes per cycle",
                             {1, 65536},
                             "of copies and fills in device streams",
                             "assumed: about half the bandwidth of DRAM"};
};

}  // namespace raddle::mechanisms::cdp
