// A program's fault in words: the error, the source line, the thread, and nearby memory.
#pragma once

#include <string>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"
#include "memory/address_space.h"

namespace raddle::machine {

struct FaultSite {
  const isa::Program* program = nullptr;
  std::string kernel;
  std::uint32_t code = 0;  // index in Program::code
  Dim3 block;              // %ctaid
  Dim3 block_size;
  std::uint32_t thread = 0;                         // linear index in the block
  std::uint32_t shared_begin = 0;                   // address of the block's first byte
  std::uint32_t shared_bytes = 0, local_bytes = 0;  // sizes of the block's and the thread's memory
  std::uint32_t local_end = 0;                      // end of the running frame
};

/// Several lines without a final newline.
std::string fault_text(const isa::Fault& fault, const FaultSite& site,
                       const memory::AddressSpace& space);

/// "(x,y,z)" of a linear thread index.
std::string thread_text(std::uint32_t thread, const Dim3& block_size);
std::string index_text(const Dim3& index);

}  // namespace raddle::machine
