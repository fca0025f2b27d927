// Streams, events, copies and errors of device code.
#include "mechanisms/cdp/calls.h"
#include "mechanisms/cdp/warp_call.h"

namespace raddle::mechanisms::cdp {
namespace {

/// cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
void stream_create(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::stream_create);
  warp.for_lanes_with_error(
      [&](unsigned lane) { return warp.give(lane, 0, warp.runtime().create_stream()); });
}

void stream_destroy(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().destroy_stream(call.argument<std::uint64_t>(lane, 0));
  });
}

/// cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
void stream_wait_event(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().wait_event(warp.block(), call.argument<std::uint64_t>(lane, 0),
                                     call.argument<std::uint64_t>(lane, 1));
  });
}

/// cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
void event_create(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error(
      [&](unsigned lane) { return warp.give(lane, 0, warp.runtime().streams().create_event()); });
}

void event_destroy(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const auto event = call.argument<std::uint64_t>(lane, 0);
    return warp.runtime().streams().destroy_event(event) ? Error::success
                                                         : Error::invalid_resource_handle;
  });
}

/// cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
void event_record(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return warp.runtime().record_event(warp.block(), call.argument<std::uint64_t>(lane, 0),
                                       call.argument<std::uint64_t>(lane, 1));
  });
}

/// Rows of bytes that a copy or fill touches.
struct Rows {
  Address base = 0;
  std::uint64_t pitch = 0;
};

/// Where the rows are; nullptr when one of them is outside of its allocation.
std::byte* values_of(const isa::BuiltinCall& call, unsigned lane, const Rows& rows,
                     std::uint64_t width, std::uint64_t height) {
  return call.values(lane, rows.base, rows.pitch * (height - 1) + width);
}

Error copy_rows(const WarpCall& warp, const isa::BuiltinCall& call, unsigned lane, const Rows& to,
                const Rows& from, std::uint64_t width, std::uint64_t height, std::uint64_t stream) {
  if (width == 0 || height == 0) return Error::success;
  std::byte* target = values_of(call, lane, to, width, height);
  const std::byte* source = values_of(call, lane, from, width, height);
  if (target == nullptr || source == nullptr) return Error::invalid_value;
  return warp.runtime().copy(warp.block(), stream, width * height, [=] {
    for (std::uint64_t row = 0; row < height; ++row) {
      std::memmove(target + row * to.pitch, source + row * from.pitch, width);
    }
  });
}

Error fill_rows(const WarpCall& warp, const isa::BuiltinCall& call, unsigned lane, const Rows& to,
                std::int32_t value, std::uint64_t width, std::uint64_t height,
                std::uint64_t stream) {
  if (width == 0 || height == 0) return Error::success;
  std::byte* target = values_of(call, lane, to, width, height);
  if (target == nullptr) return Error::invalid_value;
  return warp.runtime().copy(warp.block(), stream, width * height, [=] {
    for (std::uint64_t row = 0; row < height; ++row) {
      std::memset(target + row * to.pitch, value, width);
    }
  });
}

/// cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
/// cudaStream_t stream)
void copy(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Rows to{call.argument<std::uint64_t>(lane, 0)};
    const Rows from{call.argument<std::uint64_t>(lane, 1)};
    return copy_rows(warp, call, lane, to, from, call.argument<std::uint64_t>(lane, 2), 1,
                     call.argument<std::uint64_t>(lane, 4));
  });
}

/// cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
/// size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
void copy_2d(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Rows to{call.argument<std::uint64_t>(lane, 0), call.argument<std::uint64_t>(lane, 1)};
    const Rows from{call.argument<std::uint64_t>(lane, 2), call.argument<std::uint64_t>(lane, 3)};
    return copy_rows(warp, call, lane, to, from, call.argument<std::uint64_t>(lane, 4),
                     call.argument<std::uint64_t>(lane, 5), call.argument<std::uint64_t>(lane, 7));
  });
}

/// cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream)
void fill(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Rows to{call.argument<std::uint64_t>(lane, 0)};
    return fill_rows(warp, call, lane, to, call.argument<std::int32_t>(lane, 1),
                     call.argument<std::uint64_t>(lane, 2), 1,
                     call.argument<std::uint64_t>(lane, 3));
  });
}

/// cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
/// cudaStream_t stream)
void fill_2d(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Rows to{call.argument<std::uint64_t>(lane, 0), call.argument<std::uint64_t>(lane, 1)};
    return fill_rows(warp, call, lane, to, call.argument<std::int32_t>(lane, 2),
                     call.argument<std::uint64_t>(lane, 3), call.argument<std::uint64_t>(lane, 4),
                     call.argument<std::uint64_t>(lane, 5));
  });
}

void peek_at_last_error(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes([&](unsigned lane) {
    const Error error = warp.runtime().last_error(warp.block(), warp.thread(lane));
    call.set_result(lane, static_cast<std::int32_t>(error));
  });
}

void get_last_error(const isa::BuiltinCall& call) {
  peek_at_last_error(call);
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes(
      [&](unsigned lane) { warp.runtime().clear_error(warp.block(), warp.thread(lane)); });
}

}  // namespace

std::vector<isa::Builtin> stream_calls() {
  std::vector<isa::Builtin> calls;
  const auto add = [&](const std::string& name, std::vector<std::uint32_t> arguments,
                       void (*carry_out)(const isa::BuiltinCall&)) {
    for (const std::string prefix : {"cuda", "__cudaCDP2"}) {
      for (const std::string suffix : {"", "_ptsz"}) {
        calls.push_back({prefix + name + suffix, arguments, kInt, carry_out});
      }
    }
  };
  add("StreamCreateWithFlags", {kPointer, kInt}, stream_create);
  add("StreamDestroy", {kPointer}, stream_destroy);
  add("StreamWaitEvent", {kPointer, kPointer, kInt}, stream_wait_event);
  add("EventCreateWithFlags", {kPointer, kInt}, event_create);
  add("EventDestroy", {kPointer}, event_destroy);
  add("EventRecord", {kPointer, kPointer}, event_record);
  add("EventRecordWithFlags", {kPointer, kPointer, kInt}, event_record);
  add("MemcpyAsync", {kPointer, kPointer, 8, kInt, kPointer}, copy);
  add("Memcpy2DAsync", {kPointer, 8, kPointer, 8, 8, 8, kInt, kPointer}, copy_2d);
  add("MemsetAsync", {kPointer, kInt, 8, kPointer}, fill);
  add("Memset2DAsync", {kPointer, 8, kInt, 8, 8, kPointer}, fill_2d);
  add("GetLastError", {}, get_last_error);
  add("PeekAtLastError", {}, peek_at_last_error);
  return calls;
}

}  // namespace raddle::mechanisms::cdp
