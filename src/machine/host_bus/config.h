// Settings of accesses by kernels to host memory.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct HostBusConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<double> latency{*this,
                        "latency",
                        1300,
                        "ns",
                        {0, 1e9},
                        "from a request for mapped host memory leaving the GPU until its answer is "
                        "back, on an idle bus",
                        "S. Min et al., EMOGI, PVLDB 14(2), 2020: 1.0 to 1.6 us over PCIe 3.0"};
  Field<unsigned> reads{*this,
                        "reads",
                        256,
                        "requests",
                        {1, 65536},
                        "reads and atomics of host memory that are under way at most",
                        "S. Min et al., EMOGI: the tags of PCIe 3.0 have 8 bits"};
  Field<unsigned> queue{
      *this, "queue", 64, "packets", {1, 65536}, "requests that wait for the bus", "assumed"};
  Field<unsigned> header_bytes{*this,
                               "header_bytes",
                               24,
                               "bytes",
                               {0, 1024},
                               "of the bus that each packet takes besides its values",
                               "PCI Express Base Specification 3.0: framing 4, header 16, CRC 4"};
};

}  // namespace raddle::machine
