#include "isa/passes/dependences.h"

#include <algorithm>

#include "isa/passes/pass.h"
#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

using Access = MemoryBehaviour::Access;

bool is_fence(const LirInstruction& lir) {
  return lir.out.kind == Kind::other && lir.out.klass == Class::fence;
}

}  // namespace

Placing placing_of(const LirInstruction& lir) {
  if (lir.jumps() || !lir.falls_through) return Placing::in_line;
  if ((lir.effects & (kChangesState | kTakesStack)) != 0) return Placing::in_line;
  switch (lir.out.kind) {
    case Kind::compute:
    case Kind::memory:
    case Kind::warp_sync:
    case Kind::barrier:
      return Placing::free;
    default:
      return is_fence(lir) ? Placing::free : Placing::in_line;
  }
}

namespace {

bool is_ordered(const LirInstruction& lir) {
  switch (lir.memory.order) {
    case Order::none:
    case Order::weak:
      return false;
    case Order::relaxed:  // the default of atomics
      return lir.memory.access != Access::update;
    default:
      return true;
  }
}

bool synchronizes(const LirInstruction& lir) {
  return lir.out.kind == Kind::barrier || lir.out.kind == Kind::warp_sync || is_fence(lir) ||
         (lir.effects & kReadsLanes) != 0;
}

/// Instructions with the address s[0] + `immediate`.
bool has_plain_address(const LirInstruction& lir) {
  if (lir.row == nullptr) return lir.memory.space != Space::generic;
  const std::string_view name = lir.opcode;
  return name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red";
}

}  // namespace

MemoryEvent memory_event(const LirInstruction& lir, AddressValues& values) {
  MemoryEvent event;
  if (synchronizes(lir)) {
    event.any = event.everything = true;
    return event;
  }
  if (lir.out.kind != Kind::memory) return event;
  event.any = true;
  event.writes = lir.memory.access != Access::load;
  event.everything = is_ordered(lir) || lir.memory.access == Access::none;
  if (!has_plain_address(lir)) return event;
  event.space = lir.memory.space;
  event.constant = event.space == Space::param || event.space == Space::constant;
  event.unchanging = event.constant || (!event.writes && lir.form.cache == CacheOperator::nc);
  event.narrow = (lir.out.extra & kAddress32) != 0;
  event.in_frame = (lir.out.extra & kFrameRelative) != 0;
  event.bytes = lir.out.bytes;
  event.known = true;
  event.address = values.value(lir.s[0]);
  event.address.offset += static_cast<std::uint64_t>(lir.out.immediate);
  return event;
}

namespace {

bool may_overlap(Space a, Space b) { return a == b || a == Space::generic || b == Space::generic; }

/// Accesses of one thread with the same root and different distances from it.
bool apart(const MemoryEvent& a, const MemoryEvent& b) {
  if (!a.known || !b.known || a.address.root != b.address.root) return false;
  if (a.narrow != b.narrow || a.in_frame != b.in_frame || a.space != b.space) return false;
  std::uint64_t distance = b.address.offset - a.address.offset;
  std::uint64_t back = a.address.offset - b.address.offset;
  if (a.narrow) {
    distance = static_cast<std::uint32_t>(distance);
    back = static_cast<std::uint32_t>(back);
  }
  return distance >= a.bytes && back >= b.bytes;
}

}  // namespace

bool keeps_order(const MemoryEvent& a, const MemoryEvent& b) {
  if (!a.any || !b.any || a.constant || b.constant) return false;
  if (a.everything || b.everything) return true;
  if (!a.writes && !b.writes) return false;
  if (a.unchanging || b.unchanging) return false;
  return may_overlap(a.space, b.space) && !apart(a, b);
}

Dependences::Dependences(const FunctionBody& body, const PassTarget& target, AddressValues& values)
    : body_(body), target_(target), values_(values), registers_(body.register_count() + 1) {}

void Dependences::add(std::uint32_t n, std::uint32_t on, unsigned latency) {
  for (Dependence& known : found_[n]) {
    if (known.on != on) continue;
    known.latency = std::max(known.latency, static_cast<std::uint16_t>(latency));
    return;
  }
  found_[n].push_back({on, static_cast<std::uint16_t>(latency)});
}

void Dependences::read(std::uint32_t n, std::uint32_t reg, std::span<const InstructionId> stretch) {
  Register& state = registers_[reg];
  touched_.push_back(reg);
  state.readers.push_back(n);
  if (state.writer == kNone) return;
  unsigned latency = target_.latency_of(body_[stretch[state.writer]].out.klass);
  if (body_[stretch[n]].guard == reg) latency = std::max<unsigned>(latency, target_.guard_latency);
  add(n, state.writer, latency);
}

void Dependences::write(std::uint32_t n, std::uint32_t reg, bool conditional,
                        std::span<const InstructionId> stretch) {
  if (conditional) read(n, reg, stretch);  // lanes that it does not write keep their value
  Register& state = registers_[reg];
  touched_.push_back(reg);
  for (const std::uint32_t reader : state.readers) {
    if (reader != n) add(n, reader, 0);
  }
  // The scoreboard does not let a later write overtake one that is under way.
  if (state.writer != kNone && state.writer != n) {
    add(n, state.writer, target_.latency_of(body_[stretch[state.writer]].out.klass));
  }
  state.writer = n;
  state.readers.clear();
}

void Dependences::order_memory(std::uint32_t n, const LirInstruction& lir) {
  const MemoryEvent event = memory_event(lir, values_);
  if (!event.any) return;
  for (const auto& [before, other] : events_) {
    if (keeps_order(other, event)) add(n, before, 0);
  }
  events_.emplace_back(n, event);
}

const std::vector<std::vector<Dependence>>& Dependences::of(
    std::span<const InstructionId> stretch) {
  for (const std::uint32_t reg : touched_) registers_[reg] = {};
  touched_.clear();
  events_.clear();
  found_.assign(stretch.size(), {});
  const auto carry = static_cast<std::uint32_t>(body_.register_count());
  for (std::uint32_t n = 0; n < stretch.size(); ++n) {
    const LirInstruction& lir = body_[stretch[n]];
    const bool conditional = lir.keeps_others();
    lir.for_each_read([&](std::uint32_t reg) { read(n, reg, stretch); });
    if ((lir.effects & kReadsCarry) != 0) read(n, carry, stretch);
    lir.for_each_write([&](std::uint32_t reg) { write(n, reg, conditional, stretch); });
    if ((lir.effects & kWritesCarry) != 0) write(n, carry, conditional, stretch);
    order_memory(n, lir);
    values_.step(lir);
  }
  return found_;
}

}  // namespace raddle::isa
