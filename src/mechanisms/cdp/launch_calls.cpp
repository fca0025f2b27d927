// Parameter buffers and launches (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism",
// Device-side Launch from PTX).
#include "mechanisms/cdp/calls.h"
#include "mechanisms/cdp/warp_call.h"

namespace raddle::mechanisms::cdp {
namespace {

/// void* cudaGetParameterBuffer(size_t alignment, size_t bytes)
void get_parameter_buffer(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::parameter_buffer);
  warp.for_lanes([&](unsigned lane) {
    const bool aligned = call.argument<std::uint64_t>(lane, 0) <= ParameterPool::kAlignment;
    const auto bytes = call.argument<std::uint64_t>(lane, 1);
    const Address buffer = aligned ? warp.runtime().launches().parameter_buffer(bytes) : 0;
    call.set_result(lane, buffer);
    if (buffer != 0) return;
    warp.fail(lane, warp.runtime().launches().refused(aligned ? Error::memory_allocation
                                                              : Error::invalid_value));
  });
}

/// `second`: see Request.
/// void* cudaGetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared_bytes)
template <bool second>
void get_parameter_buffer_v2(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::parameter_buffer);
  warp.for_lanes([&](unsigned lane) {
    Request request;
    request.second = second;
    request.kernel = call.argument<std::uint64_t>(lane, 0);
    request.grid = call.argument<Dim3>(lane, 1);
    request.block = call.argument<Dim3>(lane, 2);
    request.shared_bytes = call.argument<std::uint32_t>(lane, 3);
    Address buffer = 0;
    warp.fail(lane, warp.runtime().launches().parameter_buffer(warp.block(), request, buffer));
    call.set_result(lane, buffer);
  });
}

/// The launches of a warp reach the kernel management unit one after the other. The n-th arrives
/// after base + each * n cycles, and the last when the call ends.
class Arrivals {
 public:
  explicit Arrivals(const Environment& environment)
      : environment_(environment), now_(environment.path.now()) {}
  Cycle next() { return now_ + environment_.time.of(environment_.config.launch, ++launches_); }

 private:
  const Environment& environment_;
  Cycle now_;
  unsigned launches_ = 0;
};

/// cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
/// unsigned shared_bytes, cudaStream_t stream)
template <bool second>
void launch_device(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::launch);
  if (!warp.attached()) return;
  Arrivals arrivals(warp.environment());
  warp.for_lanes_with_error([&](unsigned lane) {
    Request request = request_of(call, lane);
    request.second = second;
    request.stream = call.argument<std::uint64_t>(lane, 5);
    return warp.runtime().launches().launch(warp.block(), request, arrivals.next());
  });
  warp.runtime().turns().launched(call.warp);
}

/// cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream)
void launch_device_v2(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::launch);
  if (!warp.attached()) return;
  Arrivals arrivals(warp.environment());
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().launches().launch_prepared(
        warp.block(), call.argument<std::uint64_t>(lane, 0), call.argument<std::uint64_t>(lane, 1),
        arrivals.next());
  });
  warp.runtime().turns().launched(call.warp);
}

/// cudaError_t cudaLaunchAggGroup(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned
/// shared_bytes). Without the hardware for aggregated groups it is a device kernel that waits for
/// nothing.
void launch_group_as_kernel(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::launch);
  if (!warp.attached()) return;
  Arrivals arrivals(warp.environment());
  warp.for_lanes_with_error([&](unsigned lane) {
    Request request = request_of(call, lane);
    request.stream = kFireAndForget;
    return warp.runtime().launches().launch(warp.block(), request, arrivals.next());
  });
  warp.runtime().turns().launched(call.warp);
}

/// cudaError_t cudaDeviceSynchronize(void)
void device_synchronize(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  if (!warp.attached()) return;
  const Error error = warp.runtime().families().synchronize(warp.block(), call.warp, warp.end());
  warp.for_lanes_with_error([&](unsigned) { return error; });
}

}  // namespace

std::vector<isa::Builtin> launch_calls() {
  const std::vector<std::uint32_t> launch = {kPointer, kPointer, kDim3, kDim3, kInt, kPointer};
  std::vector<isa::Builtin> calls;
  for (const bool second : {false, true}) {
    const std::string prefix = second ? "__cudaCDP2" : "cuda";
    calls.push_back({prefix + "GetParameterBuffer", {8, 8}, kPointer, get_parameter_buffer});
    calls.push_back({prefix + "GetParameterBufferV2",
                     {kPointer, kDim3, kDim3, kInt},
                     kPointer,
                     second ? get_parameter_buffer_v2<true> : get_parameter_buffer_v2<false>});
    for (const std::string suffix : {"", "_ptsz"}) {
      calls.push_back({prefix + "LaunchDevice" + suffix, launch, kInt,
                       second ? launch_device<true> : launch_device<false>});
      calls.push_back(
          {prefix + "LaunchDeviceV2" + suffix, {kPointer, kPointer}, kInt, launch_device_v2});
    }
  }
  calls.push_back({"cudaLaunchAggGroup",
                   {kPointer, kPointer, kDim3, kDim3, kInt},
                   kInt,
                   launch_group_as_kernel});
  calls.push_back({"cudaDeviceSynchronize", {}, kInt, device_synchronize});
  calls.push_back({"__cudaDeviceSynchronizeDeprecationAvoidance", {}, kInt, device_synchronize});
  return calls;
}

}  // namespace raddle::mechanisms::cdp
