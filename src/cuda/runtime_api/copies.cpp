// Copies and memset (CUDA runtime API, "Memory Management").
#include <fmt/core.h>

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

cudaError_t copy_call(const CopyWork& work, cudaStream_t stream, bool async) {
  return call(Cost::copy, [&](Runtime& runtime) {
    copy(runtime, runtime.stream(stream), work, async);
    return cudaSuccess;
  });
}

CopyWork linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return {{to, bytes, 1}, {const_cast<void*>(from), bytes, 1}, bytes, 1, 1, kind};
}

CopyWork rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
              std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return {{to, to_pitch, height},
          {const_cast<void*>(from), from_pitch, height},
          width,
          height,
          1,
          kind};
}

cudaError_t fill_call(const FillWork& work, cudaStream_t stream) {
  return call(Cost::copy, [&](Runtime& runtime) {
    fill(runtime, runtime.stream(stream), work);
    return cudaSuccess;
  });
}

cudaError_t symbol_copy(const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, bool to_symbol, cudaStream_t stream, bool async) {
  return call(Cost::copy, [&](Runtime& runtime) {
    const auto& variable = runtime.variable(symbol);
    if (offset > variable.size || bytes > variable.size - offset) {
      refuse(cudaErrorInvalidValue,
             fmt::format("bytes {} to {} of the variable '{}', which has {} bytes", offset,
                         offset + bytes, variable.name, variable.size));
    }
    void* inside = reinterpret_cast<void*>(variable.address + offset);
    copy(runtime, runtime.stream(stream),
         to_symbol ? linear(inside, other, bytes, kind) : linear(other, inside, bytes, kind),
         async);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_call(linear(to, from, bytes, kind), nullptr, false);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_call(linear(to, from, bytes, kind), stream, true);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_call(rows(to, to_pitch, from, from_pitch, width, height, kind), nullptr, false);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_call(rows(to, to_pitch, from, from_pitch, width, height, kind), stream, true);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind) {
  return symbol_copy(symbol, const_cast<void*>(from), bytes, offset, kind, true, nullptr, false);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return symbol_copy(symbol, const_cast<void*>(from), bytes, offset, kind, true, stream, true);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind) {
  return symbol_copy(symbol, to, bytes, offset, kind, false, nullptr, false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return symbol_copy(symbol, to, bytes, offset, kind, false, stream, true);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_call({{to, bytes, 1}, bytes, 1, 1, static_cast<unsigned>(value), 1}, stream);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return cudaMemsetAsync(to, value, bytes, nullptr);
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill_call({{to, pitch, height}, width, height, 1, static_cast<unsigned>(value), 1},
                   stream);
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return fill_call({{to.ptr, to.pitch, to.ysize},
                    extent.width,
                    extent.height,
                    extent.depth,
                    static_cast<unsigned>(value),
                    1},
                   stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return cudaMemset3DAsync(to, value, extent, nullptr);
}
