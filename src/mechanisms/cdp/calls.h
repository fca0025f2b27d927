// The device runtime's functions as kernels call them.
#pragma once

#include <string>
#include <vector>

#include "isa/builtins/builtins.h"

namespace raddle::mechanisms::cdp {

std::vector<isa::Builtin> launch_calls();
std::vector<isa::Builtin> stream_calls();
std::vector<isa::Builtin> copy_calls();

/// A call that returns a cudaError_t, as CUDA 11 ("cuda...") and CUDA 12 and later spell it, with
/// the NULL stream of the legacy or the per-thread default ("_ptsz"): on the device they are one.
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
