// Allocation (CUDA runtime API, "Memory Management").
#include "cuda/runtime/managed.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    *pointer = bytes == 0 ? nullptr : allocate_device(runtime, bytes, "cudaMalloc");
    return cudaSuccess;
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    *pointer = bytes == 0 ? nullptr : allocate_host(runtime, bytes, "cudaMallocHost");
    return cudaSuccess;
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(pointer != nullptr && flags <= 7, cudaErrorInvalidValue);
    *pointer = bytes == 0 ? nullptr : allocate_host(runtime, bytes, "cudaHostAlloc");
    set_host_flags(*pointer, flags);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(pointer != nullptr && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost),
            cudaErrorInvalidValue);
    *pointer = bytes == 0 ? nullptr
                          : allocate_managed(runtime, bytes, "cudaMallocManaged",
                                             flags == cudaMemAttachHost);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(pointer != nullptr && pitch != nullptr, cudaErrorInvalidValue);
    *pitch = row_pitch(width);
    const std::size_t bytes = size_product(*pitch, height);
    *pointer = bytes == 0 ? nullptr : allocate_device(runtime, bytes, "cudaMallocPitch");
    return cudaSuccess;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    const std::size_t pitch = row_pitch(extent.width);
    const std::size_t bytes = size_product(size_product(pitch, extent.height), extent.depth);
    void* base = bytes == 0 ? nullptr : allocate_device(runtime, bytes, "cudaMalloc3D");
    *pointer = {base, pitch, extent.width, extent.height};
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* pointer) {
  return call_always(Cost::allocate, [&](Runtime& runtime) {
    const cudaError_t lost = runtime.lost();
    return lost != cudaSuccess ? lost : release(runtime, pointer, false);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call_always(Cost::allocate,
                     [&](Runtime& runtime) { return release(runtime, pointer, true); });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(flags <= 0xf, cudaErrorInvalidValue);
    register_host(runtime, pointer, bytes);
    set_host_flags(pointer, flags & (cudaHostRegisterPortable | cudaHostRegisterMapped));
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    unregister_host(runtime, pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(device != nullptr && flags == 0, cudaErrorInvalidValue);
    require(facts(runtime, host).type == cudaMemoryTypeHost, cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = host_flags(runtime, host);
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call(Cost::call, [&](Runtime& runtime) {
    const MemoryInfo info = memory_info(runtime);
    if (free != nullptr) *free = info.free;
    if (total != nullptr) *total = info.total;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(attributes != nullptr, cudaErrorInvalidValue);
    const PointerFacts known = facts(runtime, pointer);
    void* address = const_cast<void*>(pointer);
    const bool unregistered = known.type == cudaMemoryTypeUnregistered;
    attributes->type = known.type;
    attributes->device = unregistered ? cudaInvalidDeviceId : 0;
    attributes->devicePointer = unregistered ? nullptr : address;
    attributes->hostPointer = known.type == cudaMemoryTypeDevice ? nullptr : address;
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    *pointer = reinterpret_cast<void*>(runtime.variable(symbol).address);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(bytes != nullptr, cudaErrorInvalidValue);
    *bytes = runtime.variable(symbol).size;
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                     cudaMemRangeAttribute attribute, const void* pointer,
                                     std::size_t bytes) {
  return call(Cost::call, [&](Runtime& runtime) {
    range_attribute(runtime, data, data_bytes, attribute, pointer, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                      const void* pointer, std::size_t bytes) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(data != nullptr && data_bytes != nullptr && attributes != nullptr && count != 0,
            cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
      range_attribute(runtime, data[i], data_bytes[i], attributes[i], pointer, bytes);
    }
    return cudaSuccess;
  });
}
