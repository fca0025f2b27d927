#include "isa/passes/uniformity.h"

#include <algorithm>
#include <string_view>

#include "isa/table.h"

namespace raddle::isa {
namespace {

/// %tid, and values that follow from it: an assembler does not know the shape of blocks.
bool is_of_thread(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::special) return false;
  const std::string_view name = operand.name;
  return name.starts_with("%tid") || name == "%laneid" || name == "%warpid" ||
         name.starts_with("%lanemask");
}

bool reads_registers(const LirInstruction& lir) {
  bool any = false;
  lir.for_each_read([&](std::uint32_t) { any = true; });
  return any;
}

/// Reads a special register that has its own value in each lane.
bool reads_thread(const LirInstruction& lir) {
  if (lir.from == nullptr || lir.out.kind == Kind::memory || reads_registers(lir)) return false;
  return std::any_of(lir.from->operands.begin(), lir.from->operands.end(), is_of_thread);
}

/// A shuffle of all lanes from one common lane: only then is it known to give all lanes the same
/// value.
bool is_broadcast(const FunctionBody& body, const LirInstruction& lir,
                  const std::vector<bool>& differs) {
  constexpr std::uint64_t kWholeWarp = 31;
  return lir.opcode == "shfl" && lir.form.shuffle == ShuffleMode::idx &&
         body.constant_value(lir.s[2]) == kWholeWarp &&
         !(lir.s[1].is_register() && differs[lir.s[1].id]);
}

}  // namespace

std::vector<bool> reached_before(const FunctionBody& body, const std::vector<BlockId>& from,
                                 BlockId end) {
  BlockId most = 0;
  for (const BlockId block : body.blocks()) most = std::max(most, block);
  std::vector<bool> reached(most + 1, false);
  std::vector<BlockId> open;
  const auto come_to = [&](BlockId block) {
    if (reached[block]) return;
    reached[block] = true;
    if (block != end) open.push_back(block);
  };
  for (const BlockId block : from) come_to(block);
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    for (const BlockId next : body.successors(block)) come_to(next);
  }
  return reached;
}

Uniformity::Uniformity(const FunctionBody& body)
    : body_(body), differs_(body.register_count(), false) {
  BlockId most = 0;
  for (const BlockId block : body.blocks()) most = std::max(most, block);
  parts_.assign(most + 1, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId block : body.blocks()) changed |= spread(block);
  }
  for (const BlockId block : body.blocks()) {
    if (parts_[block]) parting_.push_back(block);
  }
}

bool Uniformity::is_divergent(const LirInstruction& lir) const {
  if (lir.row != nullptr) {
    const std::string_view name = lir.opcode;
    // Barriers and votes give all lanes the same result.
    if (lir.out.kind == Kind::barrier || name == "vote") return false;
    if (is_broadcast(body_, lir, differs_)) return false;
  }
  const MemoryBehaviour& memory = lir.memory;
  if (memory.access == MemoryBehaviour::Access::update) return true;
  if (memory.access == MemoryBehaviour::Access::load && memory.space == Space::local) return true;
  if (lir.out.kind == Kind::call || lir.out.kind == Kind::builtin || reads_thread(lir)) return true;
  bool any = false;
  lir.for_each_read([&](std::uint32_t reg) { any |= differs_[reg]; });
  return any;
}

/// Marks the results of the instruction as different; returns whether any mark is new.
bool Uniformity::note(const LirInstruction& lir) {
  bool changed = false;
  for (const LirInstruction& part : lir.parts) changed |= note(part);
  if (!lir.parts.empty() || !is_divergent(lir)) return changed;
  lir.for_each_write([&](std::uint32_t reg) {
    changed |= !differs_[reg];
    differs_[reg] = true;
  });
  return changed;
}

bool Uniformity::spread(BlockId block) {
  bool changed = false;
  for (const InstructionId id : body_.instructions(block)) changed |= note(body_[id]);
  if (parts_[block] || body_.instructions(block).empty()) return changed;
  const LirInstruction& last = body_[body_.instructions(block).back()];
  if (!last.jumps() || last.out.kind != Kind::branch) return changed;
  const bool by_guard = last.guard != ptx::kNoId && differs_[last.guard];
  const bool by_index = last.indexed && last.s[0].is_register() && differs_[last.s[0].id];
  if (!by_guard && !by_index) return changed;
  parts_[block] = true;
  part(block);
  return true;
}

/// Lanes that diverge here bring different values of registers that these paths write to their
/// meeting point. A loop that lanes leave in different rounds does so, too.
void Uniformity::part(BlockId block) {
  const BlockId meet = body_.immediate_post_dominator(block);
  std::vector<unsigned> ways(parts_.size(), 0);
  std::vector<bool> on_a_way(parts_.size(), false);
  for (const BlockId next : body_.successors(block)) {
    const std::vector<bool> reached = reached_before(body_, {next}, meet);
    for (const BlockId one : body_.blocks()) {
      if (!reached[one]) continue;
      ++ways[one];
      on_a_way[one] = on_a_way[one] || one != meet;
    }
  }
  std::vector<bool> written(differs_.size(), false);
  for (const BlockId one : body_.blocks()) {
    if (!on_a_way[one]) continue;
    for (const InstructionId id : body_.instructions(one)) {
      body_[id].for_each_write([&](std::uint32_t reg) { written[reg] = true; });
    }
  }
  for (const BlockId one : body_.blocks()) {
    if (ways[one] < 2) continue;
    for (const std::uint32_t reg : body_.live_in(one)) {
      if (written[reg]) differs_[reg] = true;
    }
  }
}

}  // namespace raddle::isa
