// Copies and fills in device streams. Only device memory takes part: pointers to shared or local
// memory, and CUDA arrays, are refused (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// Reference).
#include "mechanisms/cdp/calls.h"
#include "mechanisms/cdp/warp_call.h"

namespace raddle::mechanisms::cdp {
namespace {

/// Bytes, rows and slices that a copy or fill touches.
struct Box {
  std::uint64_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  std::uint64_t bytes() const { return width * height * depth; }
};

/// Where a box lies: its first byte, and from a row and a slice to the next.
struct Place {
  Address base = 0;
  std::uint64_t pitch = 0, slice = 0;
  std::uint64_t at(std::uint64_t row, std::uint64_t level) const {
    return row * pitch + level * slice;
  }
};

/// The values there; nullptr unless one allocation of global memory holds all of them.
std::byte* values_of(const WarpCall& warp, const Place& place, const Box& box) {
  if (box.height > 1 && place.pitch < box.width) return nullptr;
  const std::uint64_t span = place.at(box.height - 1, box.depth - 1) + box.width;
  return warp.runtime().path().services().space().values(place.base, span);
}

// Program errors that do not show before the copy's turn, such as memory freed by then, are not
// looked for: what was handed out once stays readable.
Error copy_box(const WarpCall& warp, const Place& to, const Place& from, const Box& box,
               std::uint64_t stream) {
  if (box.empty()) return Error::success;
  std::byte* target = values_of(warp, to, box);
  const std::byte* source = values_of(warp, from, box);
  if (target == nullptr || source == nullptr) return Error::invalid_value;
  return warp.runtime().copy(warp.block(), stream, box.bytes(), [=] {
    for (std::uint64_t level = 0; level < box.depth; ++level) {
      for (std::uint64_t row = 0; row < box.height; ++row) {
        std::memmove(target + to.at(row, level), source + from.at(row, level), box.width);
      }
    }
  });
}

Error fill_box(const WarpCall& warp, const Place& to, std::int32_t value, const Box& box,
               std::uint64_t stream) {
  if (box.empty()) return Error::success;
  std::byte* target = values_of(warp, to, box);
  if (target == nullptr) return Error::invalid_value;
  return warp.runtime().copy(warp.block(), stream, box.bytes(), [=] {
    for (std::uint64_t level = 0; level < box.depth; ++level) {
      for (std::uint64_t row = 0; row < box.height; ++row) {
        std::memset(target + to.at(row, level), value, box.width);
      }
    }
  });
}

// Structures as the host has them (CUDA Runtime API, driver_types.h).
struct Position {
  std::uint64_t x, y, z;
};
struct Pitched {
  Address pointer;
  std::uint64_t pitch, width, height;
  Place place(const Position& from) const {
    const std::uint64_t slice = pitch * height;
    return {pointer + from.x + from.y * pitch + from.z * slice, pitch, slice};
  }
};
struct Extent {
  std::uint64_t width, height, depth;
  Box box() const { return {width, height, depth}; }
};
struct Copy3D {
  std::uint64_t source_array;
  Position source_position;
  Pitched source;
  std::uint64_t target_array;
  Position target_position;
  Pitched target;
  Extent extent;
  std::int32_t kind;
};

/// cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
/// cudaStream_t stream)
void copy(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Place to{call.argument<std::uint64_t>(lane, 0)};
    const Place from{call.argument<std::uint64_t>(lane, 1)};
    return copy_box(warp, to, from, {call.argument<std::uint64_t>(lane, 2)},
                    call.argument<std::uint64_t>(lane, 4));
  });
}

/// cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
/// size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
void copy_2d(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Place to{call.argument<std::uint64_t>(lane, 0), call.argument<std::uint64_t>(lane, 1)};
    const Place from{call.argument<std::uint64_t>(lane, 2), call.argument<std::uint64_t>(lane, 3)};
    return copy_box(warp, to, from,
                    {call.argument<std::uint64_t>(lane, 4), call.argument<std::uint64_t>(lane, 5)},
                    call.argument<std::uint64_t>(lane, 7));
  });
}

/// cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream)
void copy_3d(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    Copy3D what;
    const std::byte* at = call.values(lane, call.argument<std::uint64_t>(lane, 0), sizeof what);
    if (at == nullptr) return Error::invalid_value;
    std::memcpy(&what, at, sizeof what);
    if (what.source_array != 0 || what.target_array != 0) return Error::invalid_value;
    return copy_box(warp, what.target.place(what.target_position),
                    what.source.place(what.source_position), what.extent.box(),
                    call.argument<std::uint64_t>(lane, 1));
  });
}

/// cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream)
void fill(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Place to{call.argument<std::uint64_t>(lane, 0)};
    return fill_box(warp, to, call.argument<std::int32_t>(lane, 1),
                    {call.argument<std::uint64_t>(lane, 2)}, call.argument<std::uint64_t>(lane, 3));
  });
}

/// cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
/// cudaStream_t stream)
void fill_2d(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    const Place to{call.argument<std::uint64_t>(lane, 0), call.argument<std::uint64_t>(lane, 1)};
    return fill_box(warp, to, call.argument<std::int32_t>(lane, 2),
                    {call.argument<std::uint64_t>(lane, 3), call.argument<std::uint64_t>(lane, 4)},
                    call.argument<std::uint64_t>(lane, 5));
  });
}

/// cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
/// cudaStream_t stream)
void fill_3d(const isa::BuiltinCall& call) {
  const WarpCall warp(call, &CdpConfig::other);
  warp.for_lanes_with_error([&](unsigned lane) {
    return fill_box(warp, call.argument<Pitched>(lane, 0).place({}),
                    call.argument<std::int32_t>(lane, 1), call.argument<Extent>(lane, 2).box(),
                    call.argument<std::uint64_t>(lane, 3));
  });
}

}  // namespace

std::vector<isa::Builtin> copy_calls() {
  std::vector<isa::Builtin> calls;
  add_call(calls, "MemcpyAsync", {kPointer, kPointer, 8, kInt, kPointer}, copy);
  add_call(calls, "Memcpy2DAsync", {kPointer, 8, kPointer, 8, 8, 8, kInt, kPointer}, copy_2d);
  add_call(calls, "Memcpy3DAsync", {kPointer, kPointer}, copy_3d);
  add_call(calls, "MemsetAsync", {kPointer, kInt, 8, kPointer}, fill);
  add_call(calls, "Memset2DAsync", {kPointer, 8, kInt, 8, 8, kPointer}, fill_2d);
  add_call(calls, "Memset3DAsync", {sizeof(Pitched), kInt, sizeof(Extent), kPointer}, fill_3d);
  return calls;
}

}  // namespace raddle::mechanisms::cdp
