// State that the warps of one thread block share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace raddle::isa {

class Program;

/// How the tensor cores of this GPU add: semantics/matrix.h.
struct TensorArithmetic {
  std::uint8_t fraction_bits = 24;       // kept below the largest exponent of a sum
  std::uint8_t fraction_bits_of_8 = 24;  // the same for e4m3 and e5m2
  std::uint8_t block_bytes = 16;         // bytes of a row of A that are added at once
  bool halves_of_8 = false;              // e4m3 and e5m2 are computed as f16
};

/// A grid's launch configuration and parameters; lives as long as any of its blocks.
struct GridContext {
  const Program* program = nullptr;
  Dim3 grid, block;
  std::uint64_t id = 0;  // %gridid
  unsigned client = 0;   // client of the GPU in whose memory the grid works (GlobalPort::of)
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  // laid out as the kernel's .param space
  /// Where caches find the parameters: 0 in the bank of constant memory that launches from the host
  /// fill, else the address of a buffer in global memory.
  Address parameters_at = 0;
  bool cooperative = false;
  TensorArithmetic tensor;
  std::uint32_t sms = 1;           // %nsmid
  std::uint32_t warps_per_sm = 1;  // %nwarpid: warps that an SM holds
  /// Address of 8 zeroed bytes of global memory at which the blocks of a cooperative launch meet in
  /// grid.sync() (kernels find it in %envreg1 and %envreg2); 0 for other launches.
  Address sync_workspace = 0;
};

struct BlockContext {
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  const GridContext* grid = nullptr;
  Dim3 index;              // %ctaid (fields count from 0)
  std::uint32_t slot = 0;  // which resident block of its SM
  std::uint32_t sm = 0;    // %smid; kNowhere while the block is swapped out
  std::uint32_t threads = 0;
  std::byte* shared = nullptr;     // static, then dynamic shared memory
  std::uint32_t shared_begin = 0;  // address of the first byte
  std::uint32_t shared_bytes = 0;  // static and dynamic together
  std::byte* local = nullptr;  // threads * local_bytes_per_thread, thread-major; may be null when 0
  std::uint32_t local_bytes_per_thread = 0;
};

}  // namespace raddle::isa
