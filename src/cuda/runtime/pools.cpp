#include "cuda/runtime/pools.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "cuda/runtime/explain.h"
#include "cuda/runtime/graph_memory.h"

namespace raddle::cuda {

namespace {

std::set<const void*>& pools() {
  static auto* all = new std::set<const void*>{default_pool()};
  return *all;
}

void check(int attribute, const void* value) {
  require(attribute >= cudaMemPoolReuseFollowEventDependencies &&
              attribute <= cudaMemPoolAttrUsedMemHigh && value != nullptr,
          cudaErrorInvalidValue);
}
bool is_count(int attribute) { return attribute >= cudaMemPoolAttrReleaseThreshold; }

struct Taken {
  const void* pool = nullptr;
  std::size_t bytes = 0;
  bool being_freed = false;
};
/// Memory that cudaMallocAsync has returned, by address, and other memory that cudaFreeAsync frees.
std::map<Address, Taken>& taken() {
  static auto* all = forgotten_at_reset(new std::map<Address, Taken>);
  return *all;
}

unsigned long long& count(Pool& pool, int attribute) { return pool.attributes[attribute]; }

/// Sets the bytes in use; the pool keeps back as many as its release threshold allows.
void set_used(Pool& pool, unsigned long long bytes) {
  count(pool, cudaMemPoolAttrUsedMemCurrent) = bytes;
  auto& reserved = count(pool, cudaMemPoolAttrReservedMemCurrent);
  reserved = std::max(bytes, std::min(reserved, count(pool, cudaMemPoolAttrReleaseThreshold)));
  auto& most = count(pool, cudaMemPoolAttrUsedMemHigh);
  most = std::max(most, bytes);
  auto& most_reserved = count(pool, cudaMemPoolAttrReservedMemHigh);
  most_reserved = std::max(most_reserved, reserved);
}

cudaMemPoolProps device_memory() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  return properties;
}

Pool fresh_pool(const cudaMemPoolProps& properties) {
  Pool made;
  made.properties = properties;
  for (const int on : {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
                       cudaMemPoolReuseAllowInternalDependencies}) {
    made.attributes[on] = 1;
  }
  return made;
}

}  // namespace

Pool* default_pool() {
  static Pool* const pool = new Pool(fresh_pool(device_memory()));
  return pool;
}

Pool*& current_pool() {
  static Pool* pool = [] {
    Runtime::instance().at_reset([] {
      *default_pool() = fresh_pool(device_memory());
      pools() = {default_pool()};
      current_pool() = default_pool();
    });
    return default_pool();
  }();
  return pool;
}

Pool* create_pool(const cudaMemPoolProps& properties) {
  current_pool();
  require(properties.allocType == cudaMemAllocationTypePinned &&
              properties.location.type == cudaMemLocationTypeDevice,
          cudaErrorInvalidValue);
  require(properties.location.id == 0, cudaErrorInvalidDevice);
  require(properties.handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
  auto* made = new Pool(fresh_pool(properties));
  pools().insert(made);
  return made;
}

void destroy_pool(Pool* pool) {
  require(pool != default_pool(), cudaErrorInvalidValue, "the default pool cannot be destroyed");
  if (current_pool() == pool) current_pool() = default_pool();
  pools().erase(pool);
  delete pool;
}

Pool& pool(const void* handle) {
  require(pools().contains(handle), cudaErrorInvalidValue,
          fmt::format("{} is not a memory pool, or was destroyed", handle));
  return *static_cast<Pool*>(const_cast<void*>(handle));
}

void set_attribute(Pool& pool, int attribute, const void* value) {
  check(attribute, value);
  if (!is_count(attribute)) {
    count(pool, attribute) = static_cast<unsigned>(*static_cast<const int*>(value));
    return;
  }
  const auto wanted = *static_cast<const unsigned long long*>(value);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    count(pool, attribute) = wanted;
    return;
  }
  // A program can set only the high-water marks, and only to zero, which means the bytes in use.
  const bool used = attribute == cudaMemPoolAttrUsedMemHigh;
  require((used || attribute == cudaMemPoolAttrReservedMemHigh) && wanted == 0,
          cudaErrorInvalidValue);
  count(pool, attribute) =
      count(pool, used ? cudaMemPoolAttrUsedMemCurrent : cudaMemPoolAttrReservedMemCurrent);
}

void get_attribute(const Pool& pool, int attribute, void* value) {
  check(attribute, value);
  const unsigned long long got = pool.attributes[attribute];
  if (is_count(attribute)) {
    *static_cast<unsigned long long*>(value) = got;
  } else {
    *static_cast<int*>(value) = static_cast<int>(got);
  }
}

void trim(Pool& pool, std::size_t keep) {
  auto& reserved = count(pool, cudaMemPoolAttrReservedMemCurrent);
  reserved = std::max<unsigned long long>(count(pool, cudaMemPoolAttrUsedMemCurrent),
                                          std::min<unsigned long long>(reserved, keep));
}

void* allocate_in(Runtime& runtime, Stream& stream, Pool& pool, std::size_t bytes,
                  const char* call) {
  if (stream.capture != nullptr) {
    const auto memory = make_graph_allocation(runtime, bytes, pool.properties);
    issue(runtime, stream, AllocateWork{memory});
    return memory->address();
  }
  const auto used = count(pool, cudaMemPoolAttrUsedMemCurrent);
  const std::size_t most = pool.properties.maxSize;
  require(most == 0 || bytes <= most - std::min<std::size_t>(most, used),
          cudaErrorMemoryAllocation);
  void* made = allocate_in_order(runtime, bytes, call);
  taken()[reinterpret_cast<Address>(made)] = {&pool, bytes, false};
  set_used(pool, used + bytes);
  return made;
}

void free_in(Runtime& runtime, Stream& stream, void* address) {
  if (free_graph_allocation(runtime, stream, address)) return;
  require(stream.capture == nullptr, cudaErrorInvalidValue,
          "a capture can only free memory that it allocates");  // a graph frees only graphs' memory
  const PointerFacts known = facts(runtime, address);
  if (known.base != address || known.type != cudaMemoryTypeDevice || known.module) {
    refuse(cudaErrorInvalidValue, free_text(runtime, address, false));
  }
  Taken& one = taken()[reinterpret_cast<Address>(address)];
  require(!one.being_freed, cudaErrorInvalidValue,
          fmt::format("free of {}: a stream frees it already", address));
  one.being_freed = true;
  issue(runtime, stream, FreeWork{address});
}

void freed_in_order(Address address) {
  const auto found = taken().find(address);
  if (found == taken().end()) return;
  const Taken one = found->second;
  taken().erase(found);
  if (!pools().contains(one.pool)) return;
  Pool& from = pool(one.pool);
  set_used(from, count(from, cudaMemPoolAttrUsedMemCurrent) - one.bytes);
}

}  // namespace raddle::cuda
