// In which blocks each register is read and written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/passes/passes.h"

namespace raddle::ptx {

/// Lists of blocks, one list per register, in one array.
class BlockLists {
 public:
  /// `pairs`: (register, block), with the blocks of each register in the wanted order.
  BlockLists(std::uint32_t registers,
             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);
  std::span<const std::uint32_t> operator()(std::uint32_t r) const {
    return {blocks_.data() + begin_[r], begin_[r + 1] - begin_[r]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> blocks_;
};

struct RegisterBlocks {
  BlockLists exposed;  // reads the register before any unconditional write in the block
  BlockLists kills;    // writes it unconditionally
  BlockLists writes;   // writes it at all
};

RegisterBlocks find_register_blocks(const FlowFunction&, const ControlFlowGraph&);

}  // namespace raddle::ptx
