#include "isa/passes/function_body.h"

#include <algorithm>

#include "base/error.h"
#include "isa/lower/emission.h"
#include "isa/lower/lowering.h"
#include "isa/semantics/movement.h"
#include "isa/semantics/parts.h"
#include "ptx/passes/passes.h"

namespace raddle::isa {

/// Results of the jumps and the order of blocks alone.
struct FunctionBody::Edges {
  std::vector<std::size_t> place;                  // [block] in order_
  std::vector<std::vector<BlockId>> predecessors;  // [block]
};

/// Results that depend on the instructions. Blocks are numbered by their places in the order here.
struct FunctionBody::Derived {
  ptx::FlowFunction flow;
  ptx::ControlFlowGraph cfg;
  std::vector<std::uint32_t> dominators, post_dominators;
  ptx::Liveness live;
};

FunctionBody::FunctionBody(const ptx::Function& function, LirCode& code, ConstantPool& constants,
                           FrameLayout& frame, const InstructionSet& instructions)
    : function_(function),
      code_(code),
      constants_(constants),
      frame_(frame),
      matcher_(instructions) {
  const ptx::ControlFlowGraph cfg = ptx::build_cfg(flow_of(code));
  all_ = code.take();
  block_of_ = cfg.block_of;
  for (const ptx::ControlFlowGraph::Block& block : cfg.blocks) {
    order_.push_back(static_cast<BlockId>(order_.size()));
    auto& inside = of_.emplace_back();
    for (std::uint32_t n = block.first; n < block.end; ++n) inside.push_back(n);
  }
  for (LirInstruction& lir : all_) {
    for (std::uint32_t& target : lir.targets) target = cfg.block_of[target];
  }
}

FunctionBody::~FunctionBody() = default;

LirInstruction& FunctionBody::change(InstructionId id) {
  changed();
  return all_[id];
}

std::size_t FunctionBody::position(InstructionId id) const {
  const auto& inside = of_[block_of_[id]];
  return static_cast<std::size_t>(std::find(inside.begin(), inside.end(), id) - inside.begin());
}

std::size_t FunctionBody::instruction_count() const {
  std::size_t count = 0;
  for (const BlockId block : order_) count += of_[block].size();
  return count;
}

std::uint32_t FunctionBody::new_register(unsigned bytes) {
  derived_.reset();
  return code_.new_register(bytes);
}

std::size_t FunctionBody::place_of(BlockId block) const {
  if (edges_ != nullptr) return edges_->place[block];
  return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), block) - order_.begin());
}

bool FunctionBody::falls_through(BlockId block) const {
  return of_[block].empty() || all_[of_[block].back()].falls_through;
}

std::vector<BlockId> FunctionBody::successors(BlockId block) const {
  return successors_at(place_of(block));
}

std::vector<BlockId> FunctionBody::successors_at(std::size_t place) const {
  const BlockId block = order_[place];
  std::vector<BlockId> found;
  if (falls_through(block) && place + 1 < order_.size()) found.push_back(order_[place + 1]);
  if (of_[block].empty()) return found;
  for (const BlockId target : all_[of_[block].back()].targets) {
    if (std::find(found.begin(), found.end(), target) == found.end()) found.push_back(target);
  }
  return found;
}

std::vector<BlockId> FunctionBody::predecessors(BlockId block) const {
  return edges().predecessors[block];
}

void FunctionBody::changed() {
  derived_.reset();
  edges_.reset();
}

const FunctionBody::Edges& FunctionBody::edges() const {
  if (edges_ != nullptr) return *edges_;
  auto made = std::make_unique<Edges>();
  made->place.assign(of_.size(), order_.size());
  made->predecessors.resize(of_.size());
  for (std::size_t place = 0; place < order_.size(); ++place) made->place[order_[place]] = place;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    for (const BlockId to : successors_at(place)) made->predecessors[to].push_back(order_[place]);
  }
  edges_ = std::move(made);
  return *edges_;
}

const FunctionBody::Derived& FunctionBody::derived() const {
  if (derived_ != nullptr) return *derived_;
  edges();
  auto made = std::make_unique<Derived>();
  made->flow.registers = flow_registers(code_);
  made->cfg.blocks.resize(order_.size());
  for (std::uint32_t place = 0; place < order_.size(); ++place) {
    ptx::ControlFlowGraph::Block& out = made->cfg.blocks[place];
    out.first = static_cast<std::uint32_t>(made->flow.instructions.size());
    for (const InstructionId id : of_[order_[place]]) {
      made->flow.instructions.push_back(flow_of(all_[id]));
      made->cfg.block_of.push_back(place);
    }
    out.end = static_cast<std::uint32_t>(made->flow.instructions.size());
    const std::vector<BlockId> next = successors_at(place);
    out.exits = next.empty();
    for (const BlockId successor : next) {
      const auto to = static_cast<std::uint32_t>(place_of(successor));
      out.successors.push_back(to);
      made->cfg.blocks[to].predecessors.push_back(place);
    }
  }
  made->dominators = ptx::immediate_dominators(made->cfg);
  made->post_dominators = ptx::immediate_post_dominators(made->cfg);
  made->live = ptx::liveness(made->flow, made->cfg);
  derived_ = std::move(made);
  return *derived_;
}

BlockId FunctionBody::immediate_dominator(BlockId block) const {
  const std::uint32_t place = derived().dominators[place_of(block)];
  return place == ptx::kExitBlock ? kNoBlock : order_[place];
}

BlockId FunctionBody::immediate_post_dominator(BlockId block) const {
  const std::uint32_t place = derived().post_dominators[place_of(block)];
  return place == ptx::kExitBlock ? kNoBlock : order_[place];
}

bool FunctionBody::dominates(BlockId a, BlockId b) const {
  while (b != kNoBlock && b != a) b = immediate_dominator(b);
  return b == a;
}

bool FunctionBody::post_dominates(BlockId a, BlockId b) const {
  while (b != kNoBlock && b != a) b = immediate_post_dominator(b);
  return b == a;
}

const std::vector<std::uint32_t>& FunctionBody::live_in(BlockId block) const {
  return derived().live.in[place_of(block)];
}

const std::vector<std::uint32_t>& FunctionBody::live_out(BlockId block) const {
  return derived().live.out[place_of(block)];
}

std::vector<bool> FunctionBody::live_after(InstructionId id) const {
  std::vector<bool> live(register_count(), false);
  const BlockId block = block_of_[id];
  for (const std::uint32_t reg : live_out(block)) live[reg] = true;
  const auto& inside = of_[block];
  for (auto at = inside.rbegin(); at != inside.rend() && *at != id; ++at) {
    const LirInstruction& lir = all_[*at];
    if (!lir.keeps_others()) lir.for_each_write([&](std::uint32_t reg) { live[reg] = false; });
    lir.for_each_read([&](std::uint32_t reg) { live[reg] = true; });
  }
  return live;
}

InstructionId FunctionBody::insert(BlockId block, std::size_t position,
                                   LirInstruction instruction) {
  derived_.reset();
  if (instruction.jumps() || !instruction.falls_through) edges_.reset();
  const auto id = static_cast<InstructionId>(all_.size());
  all_.push_back(std::move(instruction));
  block_of_.push_back(block);
  auto& inside = of_[block];
  inside.insert(inside.begin() + static_cast<std::ptrdiff_t>(position), id);
  return id;
}

void FunctionBody::erase(InstructionId id) {
  changed();
  std::erase(of_[block_of_[id]], id);
  block_of_[id] = kNoBlock;
}

void FunctionBody::replace(InstructionId id, LirInstruction instruction) {
  change(id) = std::move(instruction);
}

void FunctionBody::move(InstructionId id, BlockId block, std::size_t position) {
  erase(id);
  auto& inside = of_[block];
  inside.insert(inside.begin() + static_cast<std::ptrdiff_t>(position), id);
  block_of_[id] = block;
}

void FunctionBody::reorder(BlockId block, std::vector<InstructionId> order) {
  changed();
  of_[block] = std::move(order);
}

BlockId FunctionBody::add_block(BlockId block) {
  changed();
  const auto made = static_cast<BlockId>(of_.size());
  of_.emplace_back();
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place_of(block) + 1), made);
  return made;
}

BlockId FunctionBody::split(BlockId block, std::size_t position) {
  const BlockId made = add_block(block);
  auto& inside = of_[block];
  const auto from = inside.begin() + static_cast<std::ptrdiff_t>(position);
  of_[made].assign(from, inside.end());
  inside.erase(from, inside.end());
  for (const InstructionId id : of_[made]) block_of_[id] = made;
  return made;
}

std::size_t FunctionBody::drop_unreachable() {
  std::vector<bool> reached(of_.size(), false);
  std::vector<BlockId> open = {order_.front()};
  reached[order_.front()] = true;
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    for (const BlockId next : successors(block)) {
      if (!reached[next]) open.push_back(next);
      reached[next] = true;
    }
  }
  const std::size_t before = instruction_count();
  for (const BlockId block : order_) {
    if (reached[block]) continue;
    for (const InstructionId id : of_[block]) block_of_[id] = kNoBlock;
  }
  std::erase_if(order_, [&](BlockId block) { return !reached[block]; });
  changed();
  return before - instruction_count();
}

LirInstruction FunctionBody::make(std::string_view opcode,
                                  const std::vector<std::string_view>& modifiers,
                                  const LirInstruction& from) {
  ptx::Instruction written;
  written.opcode = opcode;
  written.modifiers = modifiers;
  const Match& match = matcher_.match(written);
  return of_row(match, from.from);
}

LirInstruction FunctionBody::merge(std::vector<LirInstruction> parts) const {
  for (const LirInstruction& part : parts) {
    if (part.out.kind != Kind::compute || !part.parts.empty()) {
      fail("instructions of '{}' that do more than compute cannot be issued as one", name());
    }
  }
  const LirInstruction& first = parts.at(0);
  LirInstruction whole = bare(execute_parts, Kind::compute, first.out.klass, first.from);
  for (const LirInstruction& part : parts) whole.effects |= part.effects;
  whole.parts = std::move(parts);
  return whole;
}

LirInstruction FunctionBody::make_branch(BlockId target, std::uint32_t guard, bool negated,
                                         const LirInstruction& from) const {
  LirInstruction lir = bare(execute_nothing, Kind::branch, Class::branch, from.from);
  lir.targets = {target};
  lir.guard = guard;
  lir.guard_negated = negated;
  lir.falls_through = guard != ptx::kNoId;
  return lir;
}

LirInstruction FunctionBody::make_idle_branch(const LirInstruction& from) const {
  return bare(execute_nothing, Kind::compute, Class::branch, from.from);
}

/// Checks that only the last instruction of a block ends it, and that targets are blocks of the
/// function.
void FunctionBody::check(BlockId block, const std::vector<bool>& exists,
                         std::string_view by) const {
  for (const InstructionId id : of_[block]) {
    const LirInstruction& lir = all_[id];
    const bool last = id == of_[block].back();
    if (!last && (lir.jumps() || !lir.falls_through)) {
      fail("pass {} has left an instruction behind the end of a block of '{}'", by, name());
    }
    for (const BlockId target : lir.targets) {
      if (target >= exists.size() || !exists[target]) {
        fail("pass {} has left a jump to a block that '{}' does not have", by, name());
      }
    }
    const auto known = [&](std::uint32_t reg) {
      if (reg >= register_count()) {
        fail("pass {} has left a register that '{}' does not have (see new_register())", by,
             name());
      }
    };
    lir.for_each_read(known);
    lir.for_each_write(known);
  }
}

void FunctionBody::put_back(std::string_view by) {
  std::vector<bool> exists(of_.size(), false);
  for (const BlockId block : order_) exists[block] = true;
  if (order_.empty()) fail("pass {} has left nothing of '{}'", by, name());
  for (const BlockId block : order_) check(block, exists, by);
  if (falls_through(order_.back())) fail("pass {} has taken the end off '{}'", by, name());
  std::vector<std::uint32_t> first(of_.size(), 0);
  std::uint32_t count = 0;
  for (const BlockId block : order_) {
    first[block] = count;
    count += static_cast<std::uint32_t>(of_[block].size());
  }
  std::vector<LirInstruction> out;
  out.reserve(count);
  for (const BlockId block : order_) {
    for (const InstructionId id : of_[block]) {
      LirInstruction lir = std::move(all_[id]);
      for (std::uint32_t& target : lir.targets) target = first[target];
      out.push_back(std::move(lir));
    }
  }
  code_.put_back(std::move(out));
}

}  // namespace raddle::isa
