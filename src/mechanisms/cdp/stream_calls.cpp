// Streams, events and errors of device code.
#include "mechanisms/cdp/calls.h"
#include "mechanisms/cdp/warp_call.h"

namespace raddle::mechanisms::cdp {
namespace {

// Flags that device code must pass, because device streams never wait for the NULL stream and
// device events have no time (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// Reference).
constexpr std::uint32_t kStreamNonBlocking = 1, kEventDisableTiming = 2;

/// cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
void stream_create(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::stream_create);
  warp.for_lanes_with_error([&](unsigned lane) {
    // cudaStreamDefault is accepted, too (NVIDIA H200, CUDA 13.0).
    if (call.argument<std::uint32_t>(lane, 1) > kStreamNonBlocking) return Error::invalid_value;
    ++warp.environment().stats.streams;
    return warp.give(lane, 0, warp.runtime().streams().create());
  });
}

void stream_destroy(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().streams().destroy(call.argument<std::uint64_t>(lane, 0));
  });
}

/// cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
void stream_wait_event(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().streams().wait(warp.block(), call.argument<std::uint64_t>(lane, 0),
                                         call.argument<std::uint64_t>(lane, 1));
  });
}

/// cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
void event_create(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    if ((call.argument<std::uint32_t>(lane, 1) & kEventDisableTiming) == 0) {
      return Error::invalid_value;
    }
    return warp.give(lane, 0, warp.runtime().streams().create_event());
  });
}

void event_destroy(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().streams().destroy_event(call.argument<std::uint64_t>(lane, 0));
  });
}

/// cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
void event_record(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().streams().record(warp.block(), call.argument<std::uint64_t>(lane, 0),
                                           call.argument<std::uint64_t>(lane, 1));
  });
}

void answer_last_error(const isa::BuiltinCall& call, bool forget) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes([&](unsigned lane) {
    const Error error = warp.runtime().errors().of(warp.block(), warp.thread(lane));
    call.set_result(lane, static_cast<std::int32_t>(error));
    if (forget) warp.runtime().errors().clear(warp.block(), warp.thread(lane));
  });
}
void peek_at_last_error(const isa::BuiltinCall& call) { answer_last_error(call, false); }
void get_last_error(const isa::BuiltinCall& call) { answer_last_error(call, true); }

}  // namespace

std::vector<isa::Builtin> stream_calls() {
  std::vector<isa::Builtin> calls;
  const auto add = [&](const char* name, const std::vector<std::uint32_t>& arguments,
                       void (*carry_out)(const isa::BuiltinCall&)) {
    add_call(calls, name, arguments, carry_out);
  };
  add("StreamCreateWithFlags", {kPointer, kInt}, stream_create);
  add("StreamDestroy", {kPointer}, stream_destroy);
  add("StreamWaitEvent", {kPointer, kPointer, kInt}, stream_wait_event);
  add("EventCreateWithFlags", {kPointer, kInt}, event_create);
  add("EventDestroy", {kPointer}, event_destroy);
  add("EventRecord", {kPointer, kPointer}, event_record);
  add("EventRecordWithFlags", {kPointer, kPointer, kInt}, event_record);
  add("GetLastError", {}, get_last_error);
  add("PeekAtLastError", {}, peek_at_last_error);
  return calls;
}

}  // namespace raddle::mechanisms::cdp
