#include "cuda/runtime/memory.h"

#include <fmt/core.h>

#include <algorithm>

#include "cuda/runtime/explain.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/graph_memory.h"
#include "cuda/runtime/managed.h"
#include "cuda/runtime/managed_access.h"
#include "cuda/runtime/pools.h"
#include "cuda/runtime/registered_memory.h"

namespace raddle::cuda {

namespace {

void* pointer(Runtime& runtime, Address address) {
  if (address == 0 && runtime.space().host_full()) {
    runtime.tell(
        "the process has no address space left for the simulated GPU's memory (ulimit -v)");
  }
  require(address != 0, cudaErrorMemoryAllocation);
  return reinterpret_cast<void*>(address);
}

}  // namespace

void* allocate_device(Runtime& runtime, std::size_t bytes, const char* call) {
  forbid_unsafe_call();
  return allocate_in_order(runtime, bytes, call);
}

void* allocate_in_order(Runtime& runtime, std::size_t bytes, const char* call) {
  return pointer(runtime,
                 runtime.space().allocate(bytes, memory::Kind::device, runtime.next_name(call)));
}

void* allocate_host(Runtime& runtime, std::size_t bytes, const char* call) {
  forbid_unsafe_call();
  return pointer(runtime, runtime.space().allocate_shared_with_host(bytes, memory::Kind::host,
                                                                    runtime.next_name(call)));
}

void* allocate_managed(Runtime& runtime, std::size_t bytes, const char* call, bool for_host) {
  forbid_unsafe_call();
  const Address base = runtime.space().allocate_shared_with_host(bytes, memory::Kind::managed,
                                                                 runtime.next_name(call));
  note_managed(runtime, base, bytes, for_host);
  return pointer(runtime, base);
}

std::size_t row_pitch(std::size_t width) {
  require(width <= SIZE_MAX - 511, cudaErrorInvalidValue, "no pitch can be that wide");
  return (width + 511) / 512 * 512;
}

std::size_t size_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  require(!__builtin_mul_overflow(a, b, &product), cudaErrorMemoryAllocation);
  return product;
}

cudaError_t release(Runtime& runtime, void* address, bool host) {
  if (address == nullptr) return cudaSuccess;
  forbid_unsafe_call();
  const cudaError_t waited = synchronize_all(runtime);
  if (!host && free_graph_allocation(runtime, runtime.device().legacy(), address)) return waited;
  const memory::Allocation* allocation = runtime.space().find(reinterpret_cast<Address>(address));
  const bool ours = allocation != nullptr && !allocation->freed &&
                    allocation->base == reinterpret_cast<Address>(address) &&
                    (host ? allocation->kind == memory::Kind::host
                          : allocation->kind == memory::Kind::device ||
                                allocation->kind == memory::Kind::managed);
  if (!ours && waited != cudaSuccess) return waited;
  if (!ours) refuse(cudaErrorInvalidValue, free_text(runtime, address, host));
  const Address base = allocation->base;
  if (allocation->kind == memory::Kind::managed) {
    forget_advice(base, allocation->size);
    forget_managed(base);
  }
  runtime.space().free(base);
  freed_in_order(base);
  return waited;
}

namespace {

std::map<const void*, unsigned>& flags_of_host_memory() {
  static auto* all = forgotten_at_reset(new std::map<const void*, unsigned>);
  return *all;
}

}  // namespace

void set_host_flags(void* address, unsigned flags) {
  if (address != nullptr) flags_of_host_memory()[address] = flags;
}

unsigned host_flags(Runtime& runtime, void* address) {
  const PointerFacts known = facts(runtime, address);
  require(known.type == cudaMemoryTypeHost, cudaErrorInvalidValue,
          fmt::format("{} is not host memory of CUDA", address));
  const auto found = flags_of_host_memory().find(known.base);
  // With unified addressing all pinned memory is mapped.
  return cudaHostAllocMapped | (found == flags_of_host_memory().end() ? 0 : found->second);
}

void attach(Runtime& runtime, Stream& stream, void* memory, std::size_t bytes, unsigned flags) {
  const PointerFacts known = facts(runtime, memory);
  require(known.type == cudaMemoryTypeManaged && known.base == memory &&
              (bytes == 0 || bytes == known.bytes),
          cudaErrorInvalidValue,
          fmt::format("{} bytes at {}: it must be the whole of managed memory", bytes, memory));
  require(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
              (flags == cudaMemAttachSingle && stream.id != 0),
          cudaErrorInvalidValue);
  issue(runtime, stream, EmptyWork{});
  attach_managed(reinterpret_cast<Address>(memory), stream, flags);
}

void register_host(Runtime& runtime, void* address, std::size_t bytes) {
  forbid_unsafe_call();
  require(
      address != nullptr && bytes != 0 && bytes <= SIZE_MAX - reinterpret_cast<Address>(address),
      cudaErrorInvalidValue);
  if (std::string why = access_text(address, bytes, false); !why.empty()) {
    refuse(cudaErrorInvalidValue, std::move(why));
  }
  require(runtime.space().register_host(address, bytes), cudaErrorHostMemoryAlreadyRegistered);
  note_registered(reinterpret_cast<Address>(address), bytes);
}

void unregister_host(Runtime& runtime, void* address) {
  runtime.device().wait_for_all();
  if (!runtime.space().unregister_host(address)) {
    refuse(cudaErrorHostMemoryNotRegistered,
           fmt::format("{} was not registered: {}", address, pointer_text(runtime, address, 1)));
  }
}

PointerFacts facts(Runtime& runtime, const void* address) {
  const memory::Allocation* allocation = runtime.space().find(reinterpret_cast<Address>(address));
  if (allocation == nullptr || allocation->freed) return {};
  PointerFacts facts;
  facts.base = reinterpret_cast<void*>(allocation->base);
  facts.bytes = allocation->size;
  facts.module = allocation->kind == memory::Kind::module;
  facts.type = allocation->kind == memory::Kind::host      ? cudaMemoryTypeHost
               : allocation->kind == memory::Kind::managed ? cudaMemoryTypeManaged
                                                           : cudaMemoryTypeDevice;
  return facts;
}

MemoryInfo memory_info(Runtime& runtime) {
  const auto& space = runtime.space();
  const std::uint64_t used =
      space.used() + runtime.virtual_memory().physical_bytes() + graph_memory_in_use();
  return {space.capacity() - std::min(space.capacity(), used), space.capacity()};
}

namespace {

/// One side of a 3D copy, an array or pitched memory. `at`: in elements of the array, or in bytes.
Place side(const Array* array, const cudaPitchedPtr& pointer, const cudaPos& at, Region region) {
  region.x = array != nullptr ? at.x * array->element : at.x;
  region.y = at.y;
  region.z = at.z;
  if (array != nullptr) return array->place(region);
  return place_in(pointer.ptr, pointer.pitch, pointer.ysize, region);
}

}  // namespace

CopyWork copy_of(const cudaMemcpy3DParms& p) {
  require((p.srcArray != nullptr) != (p.srcPtr.ptr != nullptr) &&
              (p.dstArray != nullptr) != (p.dstPtr.ptr != nullptr),
          cudaErrorInvalidValue, "source and target need either an array or a pointer each");
  const Array* from = p.srcArray != nullptr ? &array(p.srcArray) : nullptr;
  const Array* to = p.dstArray != nullptr ? &array(p.dstArray) : nullptr;
  require(from == nullptr || to == nullptr || from->element == to->element, cudaErrorInvalidValue,
          "the elements of the arrays have different sizes");
  const std::size_t element = from != nullptr ? from->element : to != nullptr ? to->element : 1;
  const Region region{0, 0, 0, p.extent.width * element, p.extent.height, p.extent.depth};
  return {side(to, p.dstPtr, p.dstPos, region),
          side(from, p.srcPtr, p.srcPos, region),
          region.width,
          region.height,
          region.depth,
          p.kind};
}

}  // namespace raddle::cuda
