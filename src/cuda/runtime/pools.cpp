#include "cuda/runtime/pools.h"

#include <set>

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

}  // namespace

Pool* default_pool() {
  static Pool* const pool = new Pool;
  return pool;
}

Pool*& current_pool() {
  static Pool* pool = [] {
    Runtime::instance().at_reset([] {
      *default_pool() = {};
      pools() = {default_pool()};
      current_pool() = default_pool();
    });
    return default_pool();
  }();
  return pool;
}

Pool* create_pool(const cudaMemPoolProps& properties) {
  current_pool();
  auto* made = new Pool;
  made->properties = properties;
  pools().insert(made);
  return made;
}

void destroy_pool(Pool* pool) {
  require(pool != default_pool(), cudaErrorInvalidValue);
  if (current_pool() == pool) current_pool() = default_pool();
  pools().erase(pool);
  delete pool;
}

Pool& pool(const void* handle) {
  require(pools().contains(handle), cudaErrorInvalidValue);
  return *static_cast<Pool*>(const_cast<void*>(handle));
}

void set_attribute(Pool& pool, int attribute, const void* value) {
  check(attribute, value);
  pool.attributes[attribute] = is_count(attribute)
                                   ? *static_cast<const unsigned long long*>(value)
                                   : static_cast<unsigned>(*static_cast<const int*>(value));
}

void get_attribute(Runtime& runtime, const Pool& pool, int attribute, void* value) {
  check(attribute, value);
  unsigned long long got = pool.attributes[attribute];
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
}

}  // namespace raddle::cuda
