// Copies and fills in device streams. They work on global memory only: pointers to shared or local
// memory, and CUDA arrays, are refused (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// Reference).
#include "mechanisms/cdp/calls.h"
#include "mechanisms/cdp/warp_call.h"

namespace raddle::mechanisms::cdp {
namespace {

/// A number of bytes that a program asks for. It may exceed 64 bits; then fit() is false.
class Bytes {
 public:
  Bytes(std::uint64_t value) : value_(value) {}
  bool fit() const { return fit_; }
  std::uint64_t value() const { return value_; }
  friend Bytes operator+(Bytes a, Bytes b) {
    Bytes sum = 0;
    sum.fit_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.fit_ && b.fit_;
    return sum;
  }
  friend Bytes operator*(Bytes a, Bytes b) {
    Bytes product = 0;
    product.fit_ = !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.fit_ && b.fit_;
    return product;
  }

 private:
  std::uint64_t value_;
  bool fit_ = true;
};

/// Bytes of a row, rows and slices that a copy or fill touches.
struct Box {
  std::uint64_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  std::uint64_t bytes() const { return width * height * depth; }
};

/// Where a box lies: its first byte, the bytes from one row to the next, and the rows from one
/// slice to the next.
struct Place {
  Bytes base = 0;
  std::uint64_t pitch = 0, rows = 0;
  std::uint64_t at(std::uint64_t row, std::uint64_t level) const {
    return (level * rows + row) * pitch;
  }
  /// Bytes from the box's first byte to its last.
  Bytes span(const Box& box) const {
    return (Bytes(box.depth - 1) * rows + (box.height - 1)) * pitch + box.width;
  }
};

/// The values of the box at that place. Returns nullptr unless one allocation of global memory
/// holds all of them, and rows and slices do not overlap.
std::byte* values_of(const WarpCall& warp, const Place& place, const Box& box) {
  if ((box.height > 1 || box.depth > 1) && place.pitch < box.width) return nullptr;
  if (box.depth > 1 && place.rows < box.height) return nullptr;
  const Bytes span = place.span(box);
  if (!place.base.fit() || !span.fit()) return nullptr;
  return warp.environment().path.services().space().values(place.base.value(), span.value());
}

/// cudaMemcpyKind: "only device-to-device memcpy is permitted"; the error code is that of an NVIDIA
/// H200, CUDA 13.0.
Error error_of_kind(std::int32_t kind) {
  constexpr std::int32_t device_to_device = 3, by_addresses = 4;
  return kind >= device_to_device && kind <= by_addresses ? Error::success
                                                          : Error::invalid_memcpy_direction;
}

// The copy does not check again when it runs. Memory that was freed in the meantime is not
// detected: an allocation stays readable after it is freed.
Error copy_box(const WarpCall& warp, const Place& to, const Place& from, const Box& box,
               std::int32_t kind, std::uint64_t stream) {
  if (const Error error = error_of_kind(kind); error != Error::success) return error;
  if (!warp.runtime().streams().exists(stream)) return Error::invalid_resource_handle;
  if (box.empty()) return Error::success;
  std::byte* target = values_of(warp, to, box);
  const std::byte* source = values_of(warp, from, box);
  if (target == nullptr || source == nullptr) return Error::invalid_value;
  return warp.runtime().copies().start(warp.block(), stream, box.bytes(), [=] {
    for (std::uint64_t level = 0; level < box.depth; ++level) {
      for (std::uint64_t row = 0; row < box.height; ++row) {
        std::memmove(target + to.at(row, level), source + from.at(row, level), box.width);
      }
    }
  });
}

Error fill_box(const WarpCall& warp, const Place& to, std::int32_t value, const Box& box,
               std::uint64_t stream) {
  if (!warp.runtime().streams().exists(stream)) return Error::invalid_resource_handle;
  if (box.empty()) return Error::success;
  std::byte* target = values_of(warp, to, box);
  if (target == nullptr) return Error::invalid_value;
  return warp.runtime().copies().start(warp.block(), stream, box.bytes(), [=] {
    for (std::uint64_t level = 0; level < box.depth; ++level) {
      for (std::uint64_t row = 0; row < box.height; ++row) {
        std::memset(target + to.at(row, level), value, box.width);
      }
    }
  });
}

// Structures with the layout that they have on the host (CUDA Runtime API, driver_types.h).
struct Position {
  std::uint64_t x, y, z;
};
struct Pitched {
  Address pointer;
  std::uint64_t pitch, width, height;
  Place place(const Position& from) const {
    const Bytes row = Bytes(from.z) * height + from.y;
    return {Bytes(pointer) + row * pitch + from.x, pitch, height};
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
                    call.argument<std::int32_t>(lane, 3), call.argument<std::uint64_t>(lane, 4));
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
                    call.argument<std::int32_t>(lane, 6), call.argument<std::uint64_t>(lane, 7));
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
                    what.source.place(what.source_position), what.extent.box(), what.kind,
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
