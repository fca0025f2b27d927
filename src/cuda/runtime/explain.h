// Wrong calls of the host in words: what was asked for, and what lies where it points.
#pragma once

#include <string>
#include <string_view>

#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// "copy of 101 bytes to 0x200000000000 from 0x7ffd12345678 (cudaMemcpyHostToDevice)".
std::string copy_text(const CopyWork& work);
/// "fill of 101 bytes at 0x200000000000".
std::string fill_text(const FillWork& work);
/// "from byte 0 to 1 bytes past the end of 'cudaMalloc #1' (device memory, 100 bytes at 0x...)";
/// of addresses that CUDA does not know, what of the host program is there.
std::string pointer_text(Runtime& runtime, const void* address, std::uint64_t bytes);
/// Why the host program's own memory there can not be read (written); "" when it can.
std::string access_text(const void* address, std::uint64_t bytes, bool write);

/// Why `address` is nothing that cudaFree (`host`: cudaFreeHost) frees.
std::string free_text(Runtime& runtime, const void* address, bool host);

/// Whether a call with that name asks for something, so that a refusal may be the answer that the
/// program wants ("cudaFuncGetAttributes", "cudaFuncSetAttribute", "cudaEventQuery").
bool is_probe(std::string_view entry);

}  // namespace raddle::cuda
