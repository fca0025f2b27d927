// Settings of coalescing.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct CoalescerConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> request_bytes{*this,
                                "request_bytes",
                                128,
                                "bytes",
                                {32, 1024},
                                "that the lanes coalesced together access: 128 makes 8-byte "
                                "accesses go as half warps; 1024 is always the whole warp",
                                "CUDA C Programming Guide, Compute Capability 2.x, Global Memory"};
};

}  // namespace raddle::machine
