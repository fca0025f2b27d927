// Pools of stream-ordered memory. All of it comes from the device's one store; a pool counts what
// was taken from it, and how much it would keep back.
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
/// Refuses memory that is not this device's.
Pool* create_pool(const cudaMemPoolProps& properties);
void destroy_pool(Pool* pool);
/// The pool behind a handle. Refuses unknown ones.
Pool& pool(const void* handle);
/// `value` points at an int or at 64 bits, as the attribute demands.
void set_attribute(Pool& pool, int attribute, const void* value);
void get_attribute(const Pool& pool, int attribute, void* value);
/// What is not in use is given back until `keep` bytes are left.
void trim(Pool& pool, std::size_t keep);

/// cudaMallocAsync: memory that is there in the stream's order; while the stream is captured, a
/// node of the graph that allocates it. `call` names it.
void* allocate_in(Runtime& runtime, Stream& stream, Pool& pool, std::size_t bytes,
                  const char* call);
/// cudaFreeAsync. Refuses what is not allocated, or is being freed already.
void free_in(Runtime& runtime, Stream& stream, void* address);
/// Freed for good.
void freed_in_order(Address address);

}  // namespace raddle::cuda
