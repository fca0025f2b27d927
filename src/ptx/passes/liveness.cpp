// Liveness, one register at a time: from each read that no earlier write in its block covers,
// backwards over the predecessors to the writes that cover it. The work is proportional to the
// result.
#include "ptx/passes/passes.h"
#include "ptx/passes/register_blocks.h"

namespace raddle::ptx {

Liveness liveness(const FlowFunction& function, const ControlFlowGraph& cfg) {
  const auto registers = static_cast<std::uint32_t>(function.registers.size());
  const RegisterBlocks places = find_register_blocks(function, cfg);
  Liveness live;
  live.in.resize(cfg.blocks.size());
  live.out.resize(cfg.blocks.size());
  // [block] the last register for which it was marked.
  std::vector<std::uint32_t> killed(cfg.blocks.size(), registers), in = killed, out = killed;
  std::vector<std::uint32_t> work;
  for (std::uint32_t r = 0; r < registers; ++r) {
    for (const std::uint32_t block : places.kills(r)) killed[block] = r;
    const auto enter = [&](std::uint32_t block) {
      if (in[block] == r) return;
      in[block] = r;
      live.in[block].push_back(r);
      work.push_back(block);
    };
    for (const std::uint32_t block : places.exposed(r)) enter(block);
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      for (const std::uint32_t before : cfg.blocks[block].predecessors) {
        if (out[before] == r) continue;
        out[before] = r;
        live.out[before].push_back(r);
        if (killed[before] != r) enter(before);
      }
    }
  }
  return live;
}

}  // namespace raddle::ptx
