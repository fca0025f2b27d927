#include "ptx/passes/register_blocks.h"

namespace raddle::ptx {

BlockLists::BlockLists(std::uint32_t registers,
                       const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs)
    : begin_(registers + 1, 0), blocks_(pairs.size()) {
  for (const auto& [r, block] : pairs) ++begin_[r + 1];
  for (std::uint32_t r = 0; r < registers; ++r) begin_[r + 1] += begin_[r];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const auto& [r, block] : pairs) blocks_[next[r]++] = block;
}

RegisterBlocks find_register_blocks(const FlowFunction& function, const ControlFlowGraph& cfg) {
  const auto registers = static_cast<std::uint32_t>(function.registers.size());
  const auto none = static_cast<std::uint32_t>(cfg.blocks.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> exposed, kills, writes;
  // [register] the last block in which it was seen.
  std::vector<std::uint32_t> read_in(registers, none), killed_in = read_in, written_in = read_in;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    for (std::uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].end; ++i) {
      const FlowInstruction& instruction = function.instructions[i];
      for (const std::uint32_t r : instruction.reads) {
        if (killed_in[r] == b || read_in[r] == b) continue;
        read_in[r] = b;
        exposed.emplace_back(r, b);
      }
      for (const std::uint32_t r : instruction.writes) {
        if (written_in[r] != b) writes.emplace_back(r, b);
        written_in[r] = b;
        if (instruction.conditional || killed_in[r] == b) continue;
        killed_in[r] = b;
        kills.emplace_back(r, b);
      }
    }
  }
  return {BlockLists(registers, exposed), BlockLists(registers, kills),
          BlockLists(registers, writes)};
}

}  // namespace raddle::ptx
