#include "isa/passes/spill_plan.h"

#include <algorithm>

#include "isa/passes/pass.h"
#include "isa/passes/pressure.h"

namespace raddle::isa {
namespace {

bool contains(const std::vector<std::uint32_t>& all, std::uint32_t reg) {
  return std::find(all.begin(), all.end(), reg) != all.end();
}

void add_once(std::vector<std::uint32_t>& all, std::uint32_t reg) {
  if (!contains(all, reg)) all.push_back(reg);
}

/// The part that writes the register, of an instruction that may issue as one with others.
const LirInstruction* writer(const LirInstruction& lir, std::uint32_t reg) {
  if (lir.parts.empty()) return &lir;
  const LirInstruction* found = nullptr;
  for (const LirInstruction& part : lir.parts) {
    bool here = false;
    part.for_each_write([&](std::uint32_t written) { here |= written == reg; });
    if (!here) continue;
    if (found != nullptr) return nullptr;
    found = &part;
  }
  return found;
}

/// Whether running the instruction again gives the same result and has no other effect.
bool is_repeatable(const LirInstruction& lir) {
  const bool parameter = lir.out.kind == Kind::memory && lir.memory.space == Space::param &&
                         lir.memory.access == MemoryBehaviour::Access::load &&
                         lir.s[0].kind == Ref::Kind::constant && lir.out.elements == 1;
  const bool computes = lir.out.kind == Kind::compute && lir.row != nullptr;
  return (parameter || computes) && lir.effects == 0 && !lir.conditional() && lir.list.empty();
}

/// Classes whose instructions an assembler repeats instead of keeping their results in memory.
bool is_cheap(const LirInstruction& lir) {
  switch (lir.out.klass) {
    case Class::move:
    case Class::int_add:
    case Class::int_logic:
    case Class::int_shift:
    case Class::int_mul:
    case Class::constant_load:
      return true;
    case Class::int_mul_wide:
      return lir.form.half == Half::wide;  // IMAD.WIDE
    default:
      return lir.out.kind == Kind::memory;  // a load of a parameter, which lies in a constant bank
  }
}

}  // namespace

void SpillPlan::Held::add(std::uint32_t reg) {
  if (in_[reg]) return;
  in_[reg] = true;
  all_.push_back(reg);
  size_ += registers_of(body_, reg).general;
}

void SpillPlan::Held::remove(std::uint32_t reg) {
  if (!in_[reg]) return;
  in_[reg] = false;
  all_.erase(std::find(all_.begin(), all_.end(), reg));
  size_ -= registers_of(body_, reg).general;
}

void SpillPlan::Held::become(const std::vector<std::uint32_t>& regs) {
  for (const std::uint32_t reg : all_) in_[reg] = false;
  all_.clear();
  size_ = 0;
  for (const std::uint32_t reg : regs) add(reg);
}

SpillPlan::SpillPlan(const FunctionBody& body, const Loops& loops, int limit)
    : body_(body),
      loops_(loops),
      limit_(limit),
      definitions_(body),
      uses_(body, loops),
      held_(body),
      left_(body.register_count(), false) {
  const BlockId most = *std::max_element(body.blocks().begin(), body.blocks().end());
  visited_.assign(most + 1, false);
  start_.resize(most + 1);
  end_.resize(most + 1);
  inside_.resize(most + 1);
  find_most_needed();
  find_remakable();
  find_order();
  for (const BlockId block : order_) visit(block);
  for (const BlockId block : order_) {
    for (const BlockId next : body_.successors(block)) join(block, next);
  }
}

int SpillPlan::size_of(std::uint32_t reg) const { return registers_of(body_, reg).general; }

void SpillPlan::find_order() {
  reached_.assign(visited_.size(), false);
  std::vector<std::pair<BlockId, std::vector<BlockId>>> path;
  const auto go = [&](BlockId block) {
    reached_[block] = true;
    path.emplace_back(block, body_.successors(block));
  };
  go(body_.blocks().front());
  while (!path.empty()) {
    auto& [block, rest] = path.back();
    if (rest.empty()) {
      order_.push_back(block);
      path.pop_back();
      continue;
    }
    const BlockId next = rest.back();
    rest.pop_back();
    if (!reached_[next]) go(next);
  }
  std::reverse(order_.begin(), order_.end());
}

void SpillPlan::find_most_needed() {
  needed_.assign(visited_.size(), 0);
  LiveSet live(body_);
  for (const BlockId block : body_.blocks()) {
    live.begin(block);
    const auto& inside = body_.instructions(block);
    int most = live.count().general;
    for (auto at = inside.rbegin(); at != inside.rend(); ++at) {
      live.step_back(body_[*at]);
      most = std::max(most, live.count().general);
    }
    needed_[block] = most;
  }
}

void SpillPlan::find_remakable() {
  remakable_.assign(body_.register_count(), false);
  makes_others_ = remakable_;
  for (std::uint32_t reg = 0; reg < remakable_.size(); ++reg) {
    if (!NextUses::counts(body_, reg)) continue;
    const InstructionId made = definitions_.single(reg);
    if (made == kNoInstruction) continue;
    const LirInstruction* lir = writer(body_[made], reg);
    if (lir == nullptr || !is_repeatable(*lir) || !is_cheap(*lir)) continue;
    bool lasting = true;
    unsigned written = 0, read = 0;
    lir->for_each_write([&](std::uint32_t) { ++written; });
    lir->for_each_read([&](std::uint32_t of) {
      ++read;
      lasting &= definitions_.single(of) != kNoInstruction && body_.register_bytes(of) != 0;
    });
    remakable_[reg] = lasting && written == 1 && read <= 3;
    if (!remakable_[reg]) continue;
    lir->for_each_read([&](std::uint32_t of) { makes_others_[of] = true; });
  }
}

LirInstruction SpillPlan::maker(std::uint32_t reg) const {
  LirInstruction lir = *writer(body_[definitions_.single(reg)], reg);
  // A parameter that came with another instruction now needs a move from the constant bank.
  if (lir.out.kind == Kind::compute && lir.memory.space == Space::param) {
    lir.out.klass = Class::move;
  }
  return lir;
}

bool SpillPlan::operands_held(std::uint32_t reg) const {
  bool held = true;
  writer(body_[definitions_.single(reg)], reg)->for_each_read([&](std::uint32_t of) {
    held &= !NextUses::counts(body_, of) || held_.has(of);
  });
  return held;
}

/// Registers held at the beginning: first those that all paths bring, then those that some bring.
std::vector<std::uint32_t> SpillPlan::at_start(BlockId block) const {
  std::vector<BlockId> before;
  for (const BlockId from : body_.predecessors(block)) {
    if (!reached_[from]) continue;
    if (!visited_[from]) return at_header(block);
    before.push_back(from);
  }
  std::vector<unsigned> ways(body_.register_count(), 0);
  for (const BlockId from : before) {
    for (const std::uint32_t reg : end_[from]) ++ways[reg];
  }
  std::vector<NextUses::Use> all, some;
  for (const NextUses::Use& use : uses_.at_start(block)) {
    if (ways[use.reg] == 0) continue;
    (ways[use.reg] == before.size() ? all : some).push_back(use);
  }
  std::vector<std::uint32_t> held;
  int room = limit_;
  fill(held, all, room);
  for (const std::uint32_t reg : held) room -= size_of(reg);
  fill(held, some, room);
  return held;
}

/// The values that the loop uses, then as many of those that live through it as there is room for.
std::vector<std::uint32_t> SpillPlan::at_header(BlockId block) const {
  std::vector<NextUses::Use> used, through;
  int lives = 0;
  for (const NextUses::Use& use : uses_.at_start(block)) {
    const bool inside = use.distance < NextUses::kLoopExit;
    (inside ? used : through).push_back(use);
    if (!inside) lives += size_of(use.reg);
  }
  int most = 0;
  for (const BlockId inside : loops_.blocks_of(block)) most = std::max(most, needed_[inside]);
  std::vector<std::uint32_t> held;
  fill(held, used, limit_);
  int room = limit_;
  for (const std::uint32_t reg : held) room -= size_of(reg);
  fill(held, through, std::min(room, limit_ - (most - lives)));
  return held;
}

/// Adds the values with the nearest uses first, as long as there is room.
void SpillPlan::fill(std::vector<std::uint32_t>& held, std::vector<NextUses::Use> more,
                     int room) const {
  std::stable_sort(more.begin(), more.end(), [](const NextUses::Use& a, const NextUses::Use& b) {
    return a.distance < b.distance;
  });
  for (const NextUses::Use& use : more) {
    const int size = size_of(use.reg);
    if (size > room) continue;
    room -= size;
    held.push_back(use.reg);
  }
}

void SpillPlan::visit(BlockId block) {
  uses_.enter(block);
  start_[block] = block == order_.front() ? std::vector<std::uint32_t>() : at_start(block);
  held_.become(start_[block]);
  std::uint32_t at = 0;
  for (const InstructionId id : body_.instructions(block)) visit(block, at++, body_[id]);
  visited_[block] = true;
  for (const std::uint32_t reg : held_.all()) {
    if (uses_(reg, at) != NextUses::kNever) end_[block].push_back(reg);
  }
  std::sort(end_[block].begin(), end_[block].end());
}

void SpillPlan::visit(BlockId block, std::uint32_t at, const LirInstruction& lir) {
  std::vector<std::uint32_t> reads, writes;
  const auto note = [&](std::vector<std::uint32_t>& to, std::uint32_t reg) {
    if (NextUses::counts(body_, reg)) add_once(to, reg);
  };
  lir.for_each_read([&](std::uint32_t reg) { note(reads, reg); });
  lir.for_each_write([&](std::uint32_t reg) {
    note(writes, reg);
    if (lir.conditional()) note(reads, reg);  // lanes that it does not write
  });
  std::vector<std::uint32_t> missing;
  int room = limit_;
  for (const std::uint32_t reg : reads) {
    const bool has_value = left_[reg] || uses_.at_start(block, reg) != NextUses::kNever;
    if (held_.has(reg) || !has_value) continue;
    missing.push_back(reg);
    room -= size_of(reg);
  }
  if (!missing.empty()) make_room(block, at, room, reads);
  for (const std::uint32_t reg : missing) bring(block, at, reg);
  for (const std::uint32_t reg : reads) {
    // A value from which another can be made again stays until its place is needed.
    const bool over = uses_(reg, at + 1) == NextUses::kNever && !contains(writes, reg);
    if (over && !makes_others_[reg]) held_.remove(reg);
  }
  room = limit_;
  for (const std::uint32_t reg : writes) {
    if (!held_.has(reg)) room -= size_of(reg);
  }
  if (!writes.empty()) make_room(block, at, room, writes);
  for (const std::uint32_t reg : writes) {
    held_.remove(reg);
    if (uses_(reg, at + 1) != NextUses::kNever) held_.add(reg);
  }
}

/// Evicts until at most `room` registers are held; those that the instruction needs stay.
void SpillPlan::make_room(BlockId block, std::uint32_t at, int room,
                          const std::vector<std::uint32_t>& needed) {
  while (held_.size() > room) {
    std::uint32_t worst = 0;
    double reason = -1;
    for (const std::uint32_t reg : held_.all()) {
      if (contains(needed, reg)) continue;
      const double here = reason_to_leave(reg, uses_(reg, at));
      if (here < reason || (here == reason && reg > worst)) continue;
      worst = reg;
      reason = here;
    }
    if (reason < 0) return;
    held_.remove(worst);
    if (uses_(worst, at) == NextUses::kNever) continue;
    left_[worst] = true;
    inside_[block].push_back({at, {SpillEvent::Kind::leave, worst}});
  }
}

/// A value whose next use is farther away leaves earlier. So does one that is cheaper to get back,
/// and one that frees more room.
double SpillPlan::reason_to_leave(std::uint32_t reg, std::uint32_t distance) const {
  constexpr double kRemake = 0.25, kLoad = 1, kStoreAndLoad = 2;
  if (distance == NextUses::kNever) return 1e30;
  const bool again = remakable_[reg] && operands_held(reg);
  const double cost = again ? kRemake : left_[reg] ? kLoad : kStoreAndLoad;
  return (distance + 1.0) * size_of(reg) / cost;
}

void SpillPlan::bring(BlockId block, std::uint32_t at, std::uint32_t reg) {
  const bool again = remakable_[reg] && operands_held(reg);
  inside_[block].push_back({at, {again ? SpillEvent::Kind::remake : SpillEvent::Kind::load, reg}});
  held_.add(reg);
}

/// Finds the changes on the path from one block to the next.
void SpillPlan::join(BlockId from, BlockId to) {
  Edge edge{from, to, {}};
  const auto &end = end_[from], &start = start_[to];
  for (const std::uint32_t reg : end) {
    if (contains(start, reg) || uses_.at_start(to, reg) == NextUses::kNever) continue;
    edge.events.push_back({SpillEvent::Kind::leave, reg});
  }
  std::vector<std::uint32_t> both;
  for (const std::uint32_t reg : end) {
    if (contains(start, reg)) both.push_back(reg);
  }
  held_.become(both);
  for (const std::uint32_t reg : start) {
    if (contains(end, reg)) continue;
    const bool again = remakable_[reg] && operands_held(reg);
    edge.events.push_back({again ? SpillEvent::Kind::remake : SpillEvent::Kind::load, reg});
  }
  if (!edge.events.empty()) edges_.push_back(std::move(edge));
}

}  // namespace raddle::isa
