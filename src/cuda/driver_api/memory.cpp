// Memory (CUDA driver API, "Memory Management").
#include <fmt/core.h>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/managed.h"

using namespace raddle::cuda;

namespace {

CUresult copy_call(const CopyWork& work, CUstream stream, bool async) {
  return driver(Cost::copy, [&](Runtime& runtime) {
    copy(runtime, runtime.stream(stream), work, async);
    return cudaSuccess;
  });
}

CopyWork linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return {{to, bytes, 1}, {const_cast<void*>(from), bytes, 1}, bytes, 1, 1, kind};
}

CUresult fill_call(CUdeviceptr to, std::size_t pitch, unsigned value, unsigned element,
                   std::size_t width, std::size_t height, CUstream stream) {
  return driver(Cost::copy, [&](Runtime& runtime) {
    if (to % element != 0) {
      refuse(cudaErrorInvalidValue, fmt::format("{:#x} is no multiple of {} bytes", to, element));
    }
    fill(runtime, runtime.stream(stream),
         {{pointer(to), pitch, height}, width * element, height, 1, value, element});
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuMemAlloc_v2(CUdeviceptr* out, std::size_t bytes) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && bytes != 0, cudaErrorInvalidValue);
    *out = address(allocate_device(runtime, bytes, "cuMemAlloc"));
    return cudaSuccess;
  });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* out, std::size_t* pitch, std::size_t width,
                            std::size_t height, unsigned element) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && pitch != nullptr && width != 0 && height != 0 &&
                (element == 4 || element == 8 || element == 16),
            cudaErrorInvalidValue);
    *pitch = row_pitch(width);
    *out = address(allocate_device(runtime, *pitch * height, "cuMemAllocPitch"));
    return cudaSuccess;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* out, std::size_t bytes, unsigned flags) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && bytes != 0, cudaErrorInvalidValue);
    *out =
        address(allocate_managed(runtime, bytes, "cuMemAllocManaged", flags == CU_MEM_ATTACH_HOST));
    return cudaSuccess;
  });
}

CUresult cuMemHostAlloc(void** out, std::size_t bytes, unsigned flags) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && bytes != 0 && flags <= 7, cudaErrorInvalidValue);
    *out = allocate_host(runtime, bytes, "cuMemHostAlloc");
    set_host_flags(*out, flags);
    return cudaSuccess;
  });
}
CUresult cuMemAllocHost_v2(void** out, std::size_t bytes) { return cuMemHostAlloc(out, bytes, 0); }

CUresult cuMemFree_v2(CUdeviceptr one) {
  return driver_always(Cost::allocate,
                       [&](Runtime& runtime) { return release(runtime, pointer(one), false); });
}
CUresult cuMemFreeHost(void* one) {
  return driver_always(Cost::allocate,
                       [&](Runtime& runtime) { return release(runtime, one, true); });
}

CUresult cuMemHostRegister_v2(void* one, std::size_t bytes, unsigned flags) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(flags <= 0xf, cudaErrorInvalidValue);
    register_host(runtime, one, bytes);
    set_host_flags(one, flags & (CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP));
    return cudaSuccess;
  });
}
CUresult cuMemHostUnregister(void* one) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    unregister_host(runtime, one);
    return cudaSuccess;
  });
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* out, void* host, unsigned) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && facts(runtime, host).type == cudaMemoryTypeHost,
            cudaErrorInvalidValue);
    *out = address(host);
    return cudaSuccess;
  });
}

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return driver(Cost::call, [&](Runtime& runtime) {
    const MemoryInfo info = memory_info(runtime);
    if (free != nullptr) *free = info.free;
    if (total != nullptr) *total = info.total;
    return cudaSuccess;
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr one) {
  return driver(Cost::call, [&](Runtime& runtime) {
    const PointerFacts known = facts(runtime, pointer(one));
    require(known.type != cudaMemoryTypeUnregistered, cudaErrorSymbolNotFound);
    if (base != nullptr) *base = address(known.base);
    if (bytes != nullptr) *bytes = known.bytes;
    return cudaSuccess;
  });
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy_call(linear(pointer(to), from, bytes, cudaMemcpyHostToDevice), nullptr, false);
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy_call(linear(to, pointer(from), bytes, cudaMemcpyDeviceToHost), nullptr, false);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_call(linear(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice), nullptr,
                   false);
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_call(linear(pointer(to), pointer(from), bytes, cudaMemcpyDefault), nullptr, false);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes,
                              CUstream stream) {
  return copy_call(linear(pointer(to), from, bytes, cudaMemcpyHostToDevice), stream, true);
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_call(linear(to, pointer(from), bytes, cudaMemcpyDeviceToHost), stream, true);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                              CUstream stream) {
  return copy_call(linear(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice), stream,
                   true);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_call(linear(pointer(to), pointer(from), bytes, cudaMemcpyDefault), stream, true);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t n, CUstream stream) {
  return fill_call(to, n, value, 1, n, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t n, CUstream stream) {
  return fill_call(to, 2 * n, value, 2, n, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t n, CUstream stream) {
  return fill_call(to, 4 * n, value, 4, n, 1, stream);
}
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, std::size_t n) {
  return cuMemsetD8Async(to, value, n, nullptr);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, std::size_t n) {
  return cuMemsetD16Async(to, value, n, nullptr);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, std::size_t n) {
  return cuMemsetD32Async(to, value, n, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, std::size_t pitch, unsigned char value,
                           std::size_t width, std::size_t height, CUstream stream) {
  return fill_call(to, pitch, value, 1, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return fill_call(to, pitch, value, 4, width, height, stream);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                         std::size_t height) {
  return cuMemsetD2D8Async(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                          std::size_t height) {
  return cuMemsetD2D32Async(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, std::size_t pitch, unsigned short value,
                            std::size_t width, std::size_t height, CUstream stream) {
  return fill_call(to, pitch, value, 2, width, height, stream);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, std::size_t pitch, unsigned short value,
                          std::size_t width, std::size_t height) {
  return cuMemsetD2D16Async(to, pitch, value, width, height, nullptr);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  return cuMemcpy(to, from, bytes);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                           std::size_t bytes, CUstream stream) {
  return cuMemcpyAsync(to, from, bytes, stream);
}

CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = host_flags(runtime, host);
    return cudaSuccess;
  });
}

namespace {

cudaMemLocation plain(const CUmemLocation& where) {
  return {static_cast<cudaMemLocationType>(where.type), where.id};
}

CUresult prefetch_call(CUdeviceptr one, std::size_t bytes, cudaMemLocation where, unsigned flags,
                       CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    prefetch(runtime, runtime.stream(stream), pointer(one), bytes, where, flags);
    return cudaSuccess;
  });
}

CUresult advise_call(CUdeviceptr one, std::size_t bytes, CUmem_advise advice,
                     cudaMemLocation where) {
  return driver(Cost::call, [&](Runtime& runtime) {
    advise(runtime, pointer(one), bytes, advice, where);
    return cudaSuccess;
  });
}

}  // namespace

// Advice, attributes and devices have the runtime API's numbers.
CUresult cuMemAdvise(CUdeviceptr one, std::size_t bytes, CUmem_advise advice, CUdevice device) {
  return advise_call(one, bytes, advice, location_of(device));
}
CUresult cuMemAdvise_v2(CUdeviceptr one, std::size_t bytes, CUmem_advise advice,
                        CUmemLocation where) {
  return advise_call(one, bytes, advice, plain(where));
}
CUresult cuMemPrefetchAsync(CUdeviceptr one, std::size_t bytes, CUdevice device, CUstream stream) {
  return prefetch_call(one, bytes, location_of(device), 0, stream);
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr one, std::size_t bytes, CUmemLocation where,
                               unsigned flags, CUstream stream) {
  return prefetch_call(one, bytes, plain(where), flags, stream);
}
CUresult cuMemRangeGetAttribute(void* data, std::size_t data_bytes, CUmem_range_attribute attribute,
                                CUdeviceptr one, std::size_t bytes) {
  return driver(Cost::call, [&](Runtime& runtime) {
    range_attribute(runtime, data, data_bytes, attribute, pointer(one), bytes);
    return cudaSuccess;
  });
}
CUresult cuMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                 CUmem_range_attribute* attributes, std::size_t count,
                                 CUdeviceptr one, std::size_t bytes) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(data != nullptr && data_bytes != nullptr && attributes != nullptr && count != 0,
            cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
      range_attribute(runtime, data[i], data_bytes[i], attributes[i], pointer(one), bytes);
    }
    return cudaSuccess;
  });
}
