// Virtual memory management (CUDA driver API, "Virtual Memory Management").
#include "cuda/runtime/virtual_memory.h"

#include <fmt/core.h>

#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

namespace {

/// A counted handle: cuMemRetainAllocationHandle returns it again.
struct Handle {
  std::shared_ptr<Physical> physical;
  CUmemAllocationProp properties = {};
  unsigned users = 1;
};

std::map<CUmemGenericAllocationHandle, Handle>& handles() {
  static auto* all = forgotten_at_reset(new std::map<CUmemGenericAllocationHandle, Handle>);
  return *all;
}

Handle& handle_of(CUmemGenericAllocationHandle handle) {
  const auto found = handles().find(handle);
  require(found != handles().end(), cudaErrorInvalidValue,
          fmt::format("{:#x} is not a handle of memory, or was released", handle));
  return found->second;
}

void check(const CUmemAllocationProp* properties) {
  require(properties != nullptr && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED,
          cudaErrorInvalidValue);
  require(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE, cudaErrorNotSupported);
  require(properties->location.id == 0, cudaErrorInvalidDevice);
}

}  // namespace

CUresult cuMemGetAllocationGranularity(std::size_t* granularity,
                                       const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(granularity != nullptr, cudaErrorInvalidValue);
    check(properties);
    *granularity = VirtualMemory::kGranularity;
    return cudaSuccess;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* out, std::size_t bytes, std::size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags) {
  return driver_anywhere(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && flags == 0, cudaErrorInvalidValue);
    *out = runtime.virtual_memory().reserve(bytes, alignment, wanted);
    return cudaSuccess;
  });
}
CUresult cuMemAddressFree(CUdeviceptr base, std::size_t bytes) {
  return driver_anywhere(Cost::allocate, [&](Runtime& runtime) {
    runtime.virtual_memory().free(base, bytes);
    return cudaSuccess;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* out, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  static CUmemGenericAllocationHandle next = 1;
  return driver_anywhere(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && flags == 0, cudaErrorInvalidValue);
    check(properties);
    handles()[next] = {runtime.virtual_memory().create(bytes), *properties, 1};
    *out = next++;
    return cudaSuccess;
  });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return driver_anywhere(Cost::allocate, [&](Runtime&) {
    if (--handle_of(handle).users == 0) handles().erase(handle);
    return cudaSuccess;
  });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* out, void* address) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    const auto at = reinterpret_cast<raddle::Address>(address);
    const auto physical = runtime.virtual_memory().physical_at(at);
    for (auto& [number, one] : handles()) {
      if (one.physical != physical) continue;
      ++one.users;
      *out = number;
      return cudaSuccess;
    }
    refuse(cudaErrorInvalidValue, fmt::format("nothing is mapped at {}", address));
  });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(properties != nullptr, cudaErrorInvalidValue);
    *properties = handle_of(handle).properties;
    return cudaSuccess;
  });
}

CUresult cuMemMap(CUdeviceptr at, std::size_t bytes, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return driver_anywhere(Cost::allocate, [&](Runtime& runtime) {
    require(flags == 0, cudaErrorInvalidValue);
    runtime.virtual_memory().map(at, bytes, offset, handle_of(handle).physical);
    return cudaSuccess;
  });
}
CUresult cuMemUnmap(CUdeviceptr at, std::size_t bytes) {
  return driver_anywhere(Cost::allocate, [&](Runtime& runtime) {
    const cudaError_t waited = synchronize_all(runtime);
    runtime.virtual_memory().unmap(at, bytes);
    return waited;
  });
}

CUresult cuMemSetAccess(CUdeviceptr at, std::size_t bytes, const CUmemAccessDesc* descriptions,
                        std::size_t count) {
  return driver_anywhere(Cost::allocate, [&](Runtime& runtime) {
    require(descriptions != nullptr && count != 0, cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
      const CUmemAccessDesc& one = descriptions[i];
      require(one.location.type == CU_MEM_LOCATION_TYPE_DEVICE, cudaErrorNotSupported);
      require(one.location.id == 0, cudaErrorInvalidDevice);
      using Access = VirtualMemory::Access;
      runtime.virtual_memory().set_access(
          at, bytes,
          one.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? Access::read_write
          : one.flags == CU_MEM_ACCESS_FLAGS_PROT_READ    ? Access::read
                                                          : Access::none);
    }
    return cudaSuccess;
  });
}
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr at) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(flags != nullptr && location != nullptr &&
                location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id == 0,
            cudaErrorInvalidValue);
    switch (runtime.virtual_memory().access(at)) {
      case VirtualMemory::Access::read_write:
        *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        break;
      case VirtualMemory::Access::read:
        *flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
        break;
      case VirtualMemory::Access::none:
        *flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    }
    return cudaSuccess;
  });
}
