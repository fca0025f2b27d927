// Allocations of the program, and arrays.
#pragma once

#include "cuda/runtime/arrays.h"
#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Each refuses with cudaErrorMemoryAllocation when there is no room, and while a capture forbids
/// it. `call` names the allocation in reports.
void* allocate_device(Runtime& runtime, std::size_t bytes, const char* call);
/// The same for stream-ordered memory, which can also be had while streams are captured.
void* allocate_in_order(Runtime& runtime, std::size_t bytes, const char* call);
void* allocate_host(Runtime& runtime, std::size_t bytes, const char* call);
/// `for_host`: cudaMemAttachHost.
void* allocate_managed(Runtime& runtime, std::size_t bytes, const char* call,
                       bool for_host = false);

/// Rows of `width` bytes at a pitch that suits the memory: a multiple of 512. Refuses with
/// cudaErrorMemoryAllocation what no size_t holds.
std::size_t row_pitch(std::size_t width);
/// `a` times `b`; refuses with cudaErrorMemoryAllocation what no size_t holds.
std::size_t size_product(std::size_t a, std::size_t b);

/// Waits for the device, then frees. `host`: as cudaFreeHost, else as cudaFree.
cudaError_t release(Runtime& runtime, void* address, bool host);

void register_host(Runtime& runtime, void* address, std::size_t bytes);
void unregister_host(Runtime& runtime, void* address);

/// cudaHostAlloc's flags, and cudaHostRegister's: what cudaHostGetFlags tells. Refuses memory that
/// is not the program's pinned one.
void set_host_flags(void* address, unsigned flags);
unsigned host_flags(Runtime& runtime, void* address);

/// cudaStreamAttachMemAsync: managed memory is wherever it is needed, so that it is only checked.
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
