// Pools of stream-ordered memory: names, for all memory comes from the device's one store.
#pragma once

#include "cuda/runtime/memory.h"

namespace raddle::cuda {

struct Pool {
  cudaMemPoolProps properties = {};
  unsigned long long attributes[9] = {};  // by cudaMemPoolAttr, whose numbers the driver API shares
};

Pool* default_pool();
/// From which cudaMallocAsync takes.
Pool*& current_pool();
Pool* create_pool(const cudaMemPoolProps& properties);
void destroy_pool(Pool* pool);
/// The pool behind a handle. Refuses unknown ones.
Pool& pool(const void* handle);
/// `value` points at an int or at 64 bits, as the attribute demands.
void set_attribute(Pool& pool, int attribute, const void* value);
void get_attribute(Runtime& runtime, const Pool& pool, int attribute, void* value);

}  // namespace raddle::cuda
