// Stream-ordered allocation (CUDA runtime API, "Stream Ordered Memory Allocator").
#include "cuda/runtime/pools.h"

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {
cudaMemPool_t handle(Pool* one) { return reinterpret_cast<cudaMemPool_t>(one); }
}  // namespace

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    Stream& in = runtime.stream(stream);
    *pointer =
        bytes == 0 ? nullptr : allocate_in(runtime, in, *current_pool(), bytes, "cudaMallocAsync");
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t which,
                                    cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    Stream& in = runtime.stream(stream);
    Pool& from = pool(which);
    *pointer =
        bytes == 0 ? nullptr : allocate_in(runtime, in, from, bytes, "cudaMallocFromPoolAsync");
    return cudaSuccess;
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    Stream& in = runtime.stream(stream);
    if (pointer != nullptr) free_in(runtime, in, pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* properties) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr && properties != nullptr, cudaErrorInvalidValue);
    *out = handle(create_pool(*properties));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t which) {
  return call(Cost::call, [&](Runtime&) {
    destroy_pool(&pool(which));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t which, std::size_t keep) {
  return call(Cost::call, [&](Runtime&) {
    trim(pool(which), keep);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t which, cudaMemPoolAttr attribute, void* value) {
  return call(Cost::call, [&](Runtime&) {
    set_attribute(pool(which), attribute, value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t which, cudaMemPoolAttr attribute, void* value) {
  return call(Cost::call, [&](Runtime&) {
    get_attribute(pool(which), attribute, value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t which, const cudaMemAccessDesc*, std::size_t) {
  return call(Cost::call, [&](Runtime&) {
    pool(which);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t which, cudaMemLocation*) {
  return call(Cost::call, [&](Runtime&) {
    pool(which);
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle(default_pool());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle(current_pool());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t which) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    current_pool() = &pool(which);
    return cudaSuccess;
  });
}
