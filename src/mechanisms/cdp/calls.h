// The device runtime's functions as kernels call them.
#pragma once

#include <string>
#include <vector>

#include "isa/builtins/builtins.h"

namespace raddle::mechanisms::cdp {

std::vector<isa::Builtin> launch_calls();
std::vector<isa::Builtin> stream_calls();
std::vector<isa::Builtin> copy_calls();

/// Adds a call that returns a cudaError_t, under each of its names: "cuda..." in CUDA 11, and
/// "__cudaCDP2..." in CUDA 12 and later. The suffix "_ptsz" selects the per-thread default stream.
/// In device code it is the same stream as the legacy NULL stream.
inline void add_call(std::vector<isa::Builtin>& calls, const std::string& name,
                     const std::vector<std::uint32_t>& arguments,
                     void (*carry_out)(const isa::BuiltinCall&)) {
  for (const std::string prefix : {"cuda", "__cudaCDP2"}) {
    for (const std::string suffix : {"", "_ptsz"}) {
      calls.push_back({prefix + name + suffix, arguments, 4, carry_out});
    }
  }
}

}  // namespace raddle::mechanisms::cdp
