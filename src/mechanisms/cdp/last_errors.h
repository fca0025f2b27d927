// The last error of each thread (cudaGetLastError in device code).
#pragma once

#include "isa/builtins/builtins.h"
#include "mechanisms/cdp/errors.h"
#include "mechanisms/cdp/per_block.h"

namespace raddle::mechanisms::cdp {

/// `thread` is a linear index in its block.
class LastErrors : public isa::LastErrors {
 public:
  Error of(const isa::BlockContext& block, std::uint32_t thread) {
    const auto& errors = errors_.of(block);
    const auto found = errors.find(thread);
    return found == errors.end() ? Error::success : found->second;
  }
  void set(const isa::BlockContext& block, std::uint32_t thread, Error error) {
    errors_.of(block)[thread] = error;
  }
  void clear(const isa::BlockContext& block, std::uint32_t thread) {
    errors_.of(block).erase(thread);
  }
  void block_ended(const isa::BlockContext& block) { errors_.take(block); }

  /// For calls that other parts of the simulator carry out.
  void record(const isa::WarpContext& warp, unsigned lane, std::int32_t error) override {
    set(*warp.block, warp.warp_in_block * kWarpSize + lane, static_cast<Error>(error));
  }

 private:
  PerBlock<std::map<std::uint32_t, Error>> errors_;  // by thread; none: success
};

}  // namespace raddle::mechanisms::cdp
