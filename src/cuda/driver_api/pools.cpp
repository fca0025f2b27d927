// Stream-ordered allocation (CUDA driver API, "Stream Ordered Memory Allocator").
#include "cuda/runtime/pools.h"

#include <cstring>

#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

namespace {

CUmemoryPool handle(Pool* one) { return reinterpret_cast<CUmemoryPool>(one); }

CUresult give(CUmemoryPool* out, CUdevice device, Pool* (*which)()) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle(which());
    return cudaSuccess;
  });
}

CUresult only_known(CUmemoryPool which) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    pool(which);
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuMemAllocAsync(CUdeviceptr* out, std::size_t bytes, CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && bytes != 0, cudaErrorInvalidValue);
    Stream& in = runtime.stream(stream);
    *out = address(allocate_in(runtime, in, *current_pool(), bytes, "cuMemAllocAsync"));
    return cudaSuccess;
  });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* out, std::size_t bytes, CUmemoryPool which,
                                 CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && bytes != 0, cudaErrorInvalidValue);
    Stream& in = runtime.stream(stream);
    Pool& from = pool(which);
    *out = address(allocate_in(runtime, in, from, bytes, "cuMemAllocFromPoolAsync"));
    return cudaSuccess;
  });
}
CUresult cuMemFreeAsync(CUdeviceptr one, CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    free_in(runtime, runtime.stream(stream), pointer(one));
    return cudaSuccess;
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* out, const CUmemPoolProps* properties) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(out != nullptr && properties != nullptr, cudaErrorInvalidValue);
    cudaMemPoolProps same;
    static_assert(sizeof same == sizeof *properties);
    std::memcpy(&same, properties, sizeof same);
    *out = handle(create_pool(same));
    return cudaSuccess;
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool which) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    destroy_pool(&pool(which));
    return cudaSuccess;
  });
}
CUresult cuMemPoolTrimTo(CUmemoryPool which, std::size_t keep) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    trim(pool(which), keep);
    return cudaSuccess;
  });
}
CUresult cuMemPoolSetAccess(CUmemoryPool which, const CUmemAccessDesc*, std::size_t) {
  return only_known(which);
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool which, CUmemLocation*) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    pool(which);
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return cudaSuccess;
  });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool which, CUmemPool_attribute attribute, void* value) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    set_attribute(pool(which), attribute, value);
    return cudaSuccess;
  });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool which, CUmemPool_attribute attribute, void* value) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    get_attribute(pool(which), attribute, value);
    return cudaSuccess;
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* out, CUdevice device) {
  return give(out, device, [] { return default_pool(); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* out, CUdevice device) {
  return give(out, device, [] { return current_pool(); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool which) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    current_pool() = &pool(which);
    return cudaSuccess;
  });
}
