// Wrong calls of the host in words: the request, and the memory at the address that it names.
#pragma once

#include <string>
#include <string_view>

#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// "copy of 101 bytes to 0x200000000000 from 0x7ffd12345678 (cudaMemcpyHostToDevice)".
std::string copy_text(const CopyWork& work);
/// "fill of 101 bytes at 0x200000000000".
std::string fill_text(const FillWork& work);
/// "from byte 0 to 1 bytes past the end of 'cudaMalloc #1' (device memory, 100 bytes at 0x...)".
/// For an address that CUDA does not know: the part of the host program at this address.
std::string pointer_text(Runtime& runtime, const void* address, std::uint64_t bytes);
/// Why the program cannot read (`write`: write) its own host memory there; "" when it can.
std::string access_text(const void* address, std::uint64_t bytes, bool write);

/// Why cudaFree (`host`: cudaFreeHost) cannot free `address`.
std::string free_text(Runtime& runtime, const void* address, bool host);

/// Whether a call with this name is a query, so that a refusal may be the answer that the program
/// wants ("cudaFuncGetAttributes", "cudaFuncSetAttribute", "cudaEventQuery").
bool is_probe(std::string_view entry);

}  // namespace raddle::cuda
