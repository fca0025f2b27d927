// A warp's call of the device runtime: its lanes, its cost and its errors.
#pragma once

#include <bit>

#include "isa/block_context.h"
#include "isa/builtins/builtins.h"
#include "mechanisms/cdp/device_runtime.h"

namespace raddle::mechanisms::cdp {

/// Sizes in bytes of arguments; a handle has the size of a pointer.
inline constexpr std::uint32_t kPointer = 8, kInt = 4, kDim3 = 12;

/// The request in a lane's arguments (kernel, parameters, grid, block, shared_bytes).
inline Request request_of(const isa::BuiltinCall& call, unsigned lane) {
  Request request;
  request.kernel = call.argument<std::uint64_t>(lane, 0);
  request.parameters = call.argument<std::uint64_t>(lane, 1);
  request.grid = call.argument<Dim3>(lane, 2);
  request.block = call.argument<Dim3>(lane, 3);
  request.shared_bytes = call.argument<std::uint32_t>(lane, 4);
  return request;
}

class WarpCall {
 public:
  /// The warp waits as long as the call costs. With nullptr it does not wait.
  WarpCall(const isa::BuiltinCall& call, const CallCost CdpConfig::* cost)
      : call_(call), runtime_(call.services.offered<DeviceRuntime>()) {
    if (runtime_ == nullptr) {
      refuse();
      return;
    }
    Environment& environment = runtime_->environment();
    const Cycle now = end_ = environment.path.now();
    if (cost == nullptr) return;
    const auto threads = static_cast<unsigned>(std::popcount(call.lanes));
    end_ = now + environment.time.of(environment.config.*cost, threads);
    environment.stats.call_cycles += end_ - now;
    call.wait(end_);
  }

  /// Calls f(lane) for each calling lane.
  template <class F>
  void for_lanes(F f) const {
    if (runtime_ == nullptr) return;
    for (LaneMask rest = call_.lanes; rest != 0; rest &= rest - 1) {
      f(static_cast<unsigned>(std::countr_zero(rest)));
    }
  }
  /// Calls f(lane) for each calling lane. It returns a cudaError_t, which is the call's result. An
  /// error also becomes the last error of the thread.
  template <class F>
  void for_lanes_with_error(F f) const {
    for_lanes([&](unsigned lane) {
      const Error error = f(lane);
      call_.set_result(lane, static_cast<std::int32_t>(error));
      fail(lane, error);
    });
  }
  /// Makes `error` the last error of the lane's thread, unless it is success.
  void fail(unsigned lane, Error error) const {
    if (error != Error::success) runtime_->errors().set(block(), thread(lane), error);
  }

  /// Whether the machine has the mechanism. Without it the program has faulted.
  bool attached() const { return runtime_ != nullptr; }
  DeviceRuntime& runtime() const { return *runtime_; }
  Environment& environment() const { return runtime_->environment(); }
  const isa::BlockContext& block() const { return *call_.warp.block; }
  std::uint32_t thread(unsigned lane) const { return call_.warp.warp_in_block * kWarpSize + lane; }
  /// The cycle in which the call ends.
  Cycle end() const { return end_; }
  /// Writes a value to the address in the lane's n-th argument.
  template <class T>
  Error give(unsigned lane, unsigned n, T value) const {
    std::byte* to = call_.values(lane, call_.argument<std::uint64_t>(lane, n), sizeof value);
    if (to == nullptr) return Error::invalid_value;
    std::memcpy(to, &value, sizeof value);
    return Error::success;
  }

 private:
  /// The program was loaded while the mechanism was on, and runs on a machine where it is off.
  void refuse() const {
    isa::Fault fault;
    fault.kind = isa::Fault::Kind::illegal_instruction;
    fault.lane = static_cast<std::uint8_t>(std::countr_zero(call_.lanes));
    call_.fail(fault);
  }

  const isa::BuiltinCall& call_;
  DeviceRuntime* runtime_;
  Cycle end_ = 0;
};

}  // namespace raddle::mechanisms::cdp
