// A grid from its launch to its end.
#pragma once

#include "isa/block_context.h"
#include "machine/gpu.h"
#include "machine/occupancy.h"

namespace raddle::machine {

struct Grid {
  GridId id = 0;
  const isa::Program* program = nullptr;
  const isa::Function* kernel = nullptr;
  isa::GridContext context;
  BlockNeeds needs;
  std::uint32_t local_bytes_per_thread = 0;
  GridRecord record;
  int priority = 0;
  Cycle ready = 0;               // when it can enter the distributor
  std::uint64_t next_block = 0;  // linear index of the next block to be placed
  std::uint64_t ended_blocks = 0;

  std::uint64_t blocks() const { return context.grid.count(); }
  bool all_placed() const { return next_block == blocks(); }
  bool ended() const { return ended_blocks == blocks(); }
  Dim3 index_of(std::uint64_t block) const {
    const Dim3& size = context.grid;
    return {static_cast<std::uint32_t>(block % size.x),
            static_cast<std::uint32_t>(block / size.x % size.y),
            static_cast<std::uint32_t>(block / size.x / size.y)};
  }
};

}  // namespace raddle::machine
