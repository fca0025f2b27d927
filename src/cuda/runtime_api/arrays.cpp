// Arrays and copies between them and memory (CUDA runtime API, "Memory Management").
#include <fmt/core.h>

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

cudaArray_t handle(Array* array) { return reinterpret_cast<cudaArray_t>(array); }

cudaError_t copy_3d(const cudaMemcpy3DParms* parameters, cudaStream_t stream, bool async) {
  return call(Cost::copy, [&](Runtime& runtime) {
    require(parameters != nullptr, cudaErrorInvalidValue);
    copy(runtime, runtime.stream(stream), copy_of(*parameters), async);
    return cudaSuccess;
  });
}

cudaMemcpy3DParms without_devices(const cudaMemcpy3DPeerParms& p) {
  return {p.srcArray, p.srcPos, p.srcPtr, p.dstArray,
          p.dstPos,   p.dstPtr, p.extent, cudaMemcpyDefault};
}

/// One side of a row-wise copy into or out of an array.
Place rows_of(cudaArray_const_t one, std::size_t x, std::size_t y, std::size_t width,
              std::size_t height) {
  return array(one).place({x, y, 0, width, height, 1});
}

/// Linear bytes that continue from row to row (the old cudaMemcpyToArray).
Place bytes_of(cudaArray_const_t one, std::size_t x, std::size_t y, std::size_t bytes) {
  const Array& a = array(one);
  if (x > a.pitch() || y >= a.rows() || bytes > (a.rows() - y) * a.pitch() - x) {
    refuse(
        cudaErrorInvalidValue,
        fmt::format("{} bytes from row {}, byte {} on reach beyond an array of {} rows of {} bytes",
                    bytes, y, x, a.rows(), a.pitch()));
  }
  return a.place({x, y, 0, 0, 1, 1});
}

/// Makes the copy that `make` describes; `make` may refuse.
template <class F>
cudaError_t copy_made(F&& make, cudaStream_t stream, bool async) {
  return call(Cost::copy, [&](Runtime& runtime) {
    copy(runtime, runtime.stream(stream), make(), async);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned flags) {
  return cudaMalloc3DArray(out, format, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && format != nullptr, cudaErrorInvalidValue);
    *out = handle(create_array(runtime, *format, extent.width, extent.height, extent.depth, flags));
    return cudaSuccess;
  });
}

cudaError_t cudaFreeArray(cudaArray_t one) {
  return call_always(Cost::allocate, [&](Runtime& runtime) {
    destroy_array(runtime, reinterpret_cast<Array*>(one));
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t one) {
  return call(Cost::call, [&](Runtime&) {
    const Array& a = array(one);
    if (format != nullptr) *format = a.format;
    if (extent != nullptr) *extent = {a.width, a.height, a.depth};
    if (flags != nullptr) *flags = a.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t one) {
  return call(Cost::call, [&](Runtime&) {
    require(format != nullptr, cudaErrorInvalidValue);
    *format = array(one).format;
    return cudaSuccess;
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copy_3d(p, nullptr, false); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy_3d(p, stream, true);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  if (p == nullptr) return invalid_value("p != nullptr");
  const cudaMemcpy3DParms plain = without_devices(*p);
  return copy_3d(&plain, nullptr, false);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  if (p == nullptr) return invalid_value("p != nullptr");
  const cudaMemcpy3DParms plain = without_devices(*p);
  return copy_3d(&plain, stream, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_made(
      [&] {
        return CopyWork{rows_of(to, x, y, width, height),
                        {const_cast<void*>(from), pitch, height},
                        width,
                        height,
                        1,
                        kind};
      },
      stream, true);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return copy_made(
      [&] {
        return CopyWork{rows_of(to, x, y, width, height),
                        {const_cast<void*>(from), pitch, height},
                        width,
                        height,
                        1,
                        kind};
      },
      nullptr, false);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_made(
      [&] {
        return CopyWork{
            {to, pitch, height}, rows_of(from, x, y, width, height), width, height, 1, kind};
      },
      stream, true);
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind) {
  return copy_made(
      [&] {
        return CopyWork{
            {to, pitch, height}, rows_of(from, x, y, width, height), width, height, 1, kind};
      },
      nullptr, false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind) {
  return copy_made(
      [&] {
        return CopyWork{rows_of(to, to_x, to_y, width, height),
                        rows_of(from, from_x, from_y, width, height),
                        width,
                        height,
                        1,
                        cudaMemcpyDeviceToDevice};
      },
      nullptr, false);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_made(
      [&] {
        return CopyWork{
            bytes_of(to, x, y, bytes), {const_cast<void*>(from), bytes, 1}, bytes, 1, 1, kind};
      },
      stream, true);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
  return copy_made(
      [&] {
        return CopyWork{
            bytes_of(to, x, y, bytes), {const_cast<void*>(from), bytes, 1}, bytes, 1, 1, kind};
      },
      nullptr, false);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_made(
      [&] { return CopyWork{{to, bytes, 1}, bytes_of(from, x, y, bytes), bytes, 1, 1, kind}; },
      stream, true);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
  return copy_made(
      [&] { return CopyWork{{to, bytes, 1}, bytes_of(from, x, y, bytes), bytes, 1, 1, kind}; },
      nullptr, false);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                   cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                   std::size_t bytes, cudaMemcpyKind) {
  return copy_made(
      [&] {
        return CopyWork{
            bytes_of(to, to_x, to_y, bytes), bytes_of(from, from_x, from_y, bytes), bytes, 1, 1,
            cudaMemcpyDeviceToDevice};
      },
      nullptr, false);
}
