// Pools of stream-ordered memory. All of it comes from the device's one store; a pool counts the
// bytes taken from it, and the bytes that it would keep back.
#pragma once

#include "cuda/runtime/memory.h"

namespace raddle::cuda {

struct Pool {
  cudaMemPoolProps properties = {};
  unsigned long long attributes[9] = {};  // by cudaMemPoolAttr, whose numbers the driver API shares
};

Pool* default_pool();
/// The pool from which cudaMallocAsync allocates.
Pool*& current_pool();
/// Refuses memory that is not on this device.
Pool* create_pool(const cudaMemPoolProps& properties);
void destroy_pool(Pool* pool);
/// The pool behind a handle. Refuses unknown handles.
Pool& pool(const void* handle);
/// `value` points at an int or at 64 bits, as the attribute demands.
void set_attribute(Pool& pool, int attribute, const void* value);
void get_attribute(const Pool& pool, int attribute, void* value);
/// Gives unused memory back until `keep` bytes are left.
void trim(Pool& pool, std::size_t keep);

/// cudaMallocAsync: memory that exists in the stream's order. While the stream is captured, a node
/// of the graph allocates it. `call` names the allocation.
void* allocate_in(Runtime& runtime, Stream& stream, Pool& pool, std::size_t bytes,
                  const char* call);
/// cudaFreeAsync. Refuses memory that is not allocated, or that another call frees already.
void free_in(Runtime& runtime, Stream& stream, void* address);
/// Called when the stream has reached the cudaFreeAsync of this address.
void freed_in_order(Address address);

}  // namespace raddle::cuda
