// Allocations of the program, and arrays.
#pragma once

#include "cuda/runtime/arrays.h"
#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Each refuses with cudaErrorMemoryAllocation when there is no room, and while a capture forbids
/// the call. `call` names the allocation in reports.
void* allocate_device(Runtime& runtime, std::size_t bytes, const char* call);
/// The same for stream-ordered memory, which can be allocated while streams are captured, too.
void* allocate_in_order(Runtime& runtime, std::size_t bytes, const char* call);
void* allocate_host(Runtime& runtime, std::size_t bytes, const char* call);
/// `for_host`: cudaMemAttachHost.
void* allocate_managed(Runtime& runtime, std::size_t bytes, const char* call,
                       bool for_host = false);

/// The bytes from row to row for rows of `width` bytes: a multiple of 512, which suits the memory.
/// Refuses with cudaErrorMemoryAllocation a pitch that no size_t holds.
std::size_t row_pitch(std::size_t width);
/// `a` times `b`; refuses with cudaErrorMemoryAllocation a product that no size_t holds.
std::size_t size_product(std::size_t a, std::size_t b);

/// Waits for the device, then frees. `host`: as cudaFreeHost, else as cudaFree.
cudaError_t release(Runtime& runtime, void* address, bool host);

void register_host(Runtime& runtime, void* address, std::size_t bytes);
void unregister_host(Runtime& runtime, void* address);

/// The flags of cudaHostAlloc and cudaHostRegister, which cudaHostGetFlags returns. Refuses memory
/// that is not pinned memory of the program.
void set_host_flags(void* address, unsigned flags);
unsigned host_flags(Runtime& runtime, void* address);

/// cudaStreamAttachMemAsync. Only checks its arguments: managed memory is available everywhere.
void attach(Runtime& runtime, Stream& stream, void* memory, std::size_t bytes, unsigned flags);

struct PointerFacts {
  cudaMemoryType type = cudaMemoryTypeUnregistered;
  void* base = nullptr;
  std::size_t bytes = 0;
  bool module = false;  // a variable
};
PointerFacts facts(Runtime& runtime, const void* address);

struct MemoryInfo {
  std::size_t free = 0, total = 0;
};
MemoryInfo memory_info(Runtime& runtime);

/// The copy that 3D parameters describe.
CopyWork copy_of(const cudaMemcpy3DParms& parameters);

}  // namespace raddle::cuda
