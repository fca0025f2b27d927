// Costs of CUDA calls and copies on the host's virtual clock, and the bus between host and GPU.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct HostConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<double> call{*this, "call",   200,
                     "ns",  {0, 1e9}, "host time of an API call that only queries or records"};
  Field<double> launch_call{*this, "launch_call", 2500,
                            "ns",  {0, 1e9},      "host time of a kernel launch call"};
  Field<double> graph_call{*this,
                           "graph_call",
                           0,
                           "ns",
                           {0, 1e9},
                           "host time of a call that launches a graph; 0: "
                           "launch_call"};
  Field<double> stream_change{*this,
                              "stream_change",
                              0,
                              "ns",
                              {0, 1e9},
                              "host time by which a call takes longer that gives work to another "
                              "stream than the call before"};
  Field<double> launch_latency{*this,    "launch_latency",
                               2500,     "ns",
                               {0, 1e9}, "from a launch call's end to the GPU's launch unit"};
  Field<double> follow_latency{*this,
                               "follow_latency",
                               2500,
                               "ns",
                               {0, 1e9},
                               "from the end of what a kernel waits for in its stream to the GPU's "
                               "launch unit, which has had the launch before"};
  Field<double> copy_call{*this, "copy_call", 1500,
                          "ns",  {0, 1e9},    "host time of a copy or memset call"};
  Field<double> synchronize_call{*this,    "synchronize_call",
                                 1500,     "ns",
                                 {0, 1e9}, "host time to notice that awaited work has ended"};
  Field<double> allocate_call{*this, "allocate_call", 50000,
                              "ns",  {0, 1e9},        "host time of an allocation or free call"};
  Field<double> patience{*this,
                         "patience",
                         1000,
                         "ms",
                         {0, 1e9},
                         "processor time of the real host without a CUDA call, while the GPU "
                         "works, after which simulated time advances automatically; 0: never"};
  Field<double> stuck_notice{*this,
                             "stuck_notice",
                             30,
                             "s",
                             {0, 1e9},
                             "wall time without the end of a block, and without one in a million "
                             "SM cycles, after which a message says where the warps are; 0: never"};
  Field<double> pcie_latency{*this, "pcie_latency", 8000,
                             "ns",  {0, 1e9},       "start of a copy over the bus"};
  Field<double> copy_setup{*this,
                           "copy_setup",
                           8000,
                           "ns",
                           {0, 1e9},
                           "time for which a copy over the bus holds its engine besides its bytes; "
                           "what pcie_latency has beyond it passes from the call on, while the "
                           "engine serves other copies"};
  Field<double> pcie_to_device{*this,  "pcie_to_device", 6.0,
                               "GB/s", {0.001, 10000},   "copies from the host"};
  Field<double> pcie_to_host{*this,  "pcie_to_host", 6.0,
                             "GB/s", {0.001, 10000}, "copies to the host"};
  Field<double> pageable_to_device{*this,
                                   "pageable_to_device",
                                   3.0,
                                   "GB/s",
                                   {0.001, 10000},
                                   "the same from memory that is not pinned: the host moves it "
                                   "into a pinned buffer first, which "
                                   "takes it that long"};
  Field<double> pageable_to_host{
      *this,  "pageable_to_host", 3.0,
      "GB/s", {0.001, 10000},     "the same to memory that is not pinned"};
  Field<unsigned> staged_bytes{
      *this,
      "staged_bytes",
      65536,
      "bytes",
      {0, 1u << 30},
      "a copy from memory that is not pinned and no larger returns when it is in the pinned buffer",
      "CUDA driver API, API synchronization behavior: 64 KB"};
  Field<unsigned> copy_engines{*this,     "copy_engines", 2,
                               "engines", {1, 8},         "copies that run concurrently"};
  Field<double> device_copy{*this,  "device_copy",   80,
                            "GB/s", {0.001, 100000}, "copies within device memory (bytes copied)"};
  Field<double> memset_bandwidth{*this, "memset_bandwidth", 150, "GB/s", {0.001, 100000}, "memset"};
  Field<double> device_latency{*this,    "device_latency",
                               2000,     "ns",
                               {0, 1e9}, "start of a memset or of a copy within device memory"};
};

}  // namespace raddle::machine
