// Stream-ordered allocation (CUDA runtime API, "Stream Ordered Memory Allocator"). Pools are names:
// all memory comes from the device's one store.
#include <set>

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

struct Pool {
  cudaMemPoolProps properties = {};
  unsigned long long attributes[9] = {};  // by cudaMemPoolAttr
};

std::set<Pool*>& pools() {
  static auto* all = new std::set<Pool*>{new Pool};
  return *all;
}

Pool* default_pool() {
  static Pool* const pool = *pools().begin();
  return pool;
}

Pool*& current_pool() {
  static Pool* pool = default_pool();
  return pool;
}

Pool& pool_of(cudaMemPool_t handle) {
  auto* pool = reinterpret_cast<Pool*>(handle);
  require(pools().contains(pool), cudaErrorInvalidValue);
  return *pool;
}

cudaMemPool_t handle(Pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

bool is_count(cudaMemPoolAttr attribute) { return attribute >= cudaMemPoolAttrReleaseThreshold; }

}  // namespace

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    require(runtime.stream(stream).capture == nullptr, cudaErrorStreamCaptureUnsupported);
    *pointer = bytes == 0 ? nullptr : allocate_device(runtime, bytes, "cudaMallocAsync");
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  const cudaError_t known = call(Cost::none, [&](Runtime&) {
    pool_of(pool);
    return cudaSuccess;
  });
  return known != cudaSuccess ? known : cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    require(facts(runtime, pointer).base == pointer, cudaErrorInvalidValue);
    issue(runtime, runtime.stream(stream), FreeWork{pointer});
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call(Cost::call, [&](Runtime&) {
    require(pool != nullptr && properties != nullptr, cudaErrorInvalidValue);
    auto* made = new Pool;
    made->properties = *properties;
    pools().insert(made);
    *pool = handle(made);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call(Cost::call, [&](Runtime&) {
    Pool* one = &pool_of(pool);
    require(one != default_pool(), cudaErrorInvalidValue);
    if (current_pool() == one) current_pool() = default_pool();
    pools().erase(one);
    delete one;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return call(Cost::call, [&](Runtime&) {
    pool_of(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call(Cost::call, [&](Runtime&) {
    require(attribute >= 1 && attribute <= 8 && value != nullptr, cudaErrorInvalidValue);
    pool_of(pool).attributes[attribute] = is_count(attribute)
                                              ? *static_cast<unsigned long long*>(value)
                                              : static_cast<unsigned>(*static_cast<int*>(value));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(attribute >= 1 && attribute <= 8 && value != nullptr, cudaErrorInvalidValue);
    unsigned long long got = pool_of(pool).attributes[attribute];
    if (attribute == cudaMemPoolAttrUsedMemCurrent ||
        attribute == cudaMemPoolAttrReservedMemCurrent) {
      const MemoryInfo info = memory_info(runtime);
      got = info.total - info.free;
    }
    if (is_count(attribute)) {
      *static_cast<unsigned long long*>(value) = got;
    } else {
      *static_cast<int*>(value) = static_cast<int>(got);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc*, std::size_t) {
  return cudaMemPoolTrimTo(pool, 0);
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation*) {
  return call(Cost::call, [&](Runtime&) {
    pool_of(pool);
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    require(pool != nullptr, cudaErrorInvalidValue);
    *pool = handle(default_pool());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    require(pool != nullptr, cudaErrorInvalidValue);
    *pool = handle(current_pool());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    current_pool() = &pool_of(pool);
    return cudaSuccess;
  });
}
