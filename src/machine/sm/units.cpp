// Units of the multiprocessor, and the instructions and lanes that are theirs.
#include <algorithm>
#include <bit>

#include "machine/sm/unit_port.h"
#include "machine/texture/texture_unit.h"

namespace raddle::machine {

Sm::~Sm() = default;

void Sm::make_texture_unit(const GpuConfig& config) {
  texture_ = std::make_unique<UnitPort>(*this, 0, accounted_, nullptr);
  texture_->set_unit(std::make_unique<TextureUnit>(config, memory_.statistics(), *texture_));
}

bool Sm::add_unit(unsigned number, const Cycle& clock, MessageEndpoint* messages,
                  const MakeUnit& make) {
  auto port = std::make_unique<UnitPort>(*this, number, clock, messages);
  std::unique_ptr<SmUnit> unit = make(*port);
  if (unit == nullptr) return false;
  port->set_unit(std::move(unit));
  unit_by_number_.resize(std::max<std::size_t>(unit_by_number_.size(), number + 1));
  unit_by_number_[number] = port.get();
  if (port->unit().watches_accesses()) watchers_.push_back(port.get());
  units_attached_.push_back(std::move(port));
  return true;
}

void Sm::tell_watchers(PathId id, std::uint32_t code, Cycle now) {
  const isa::MemoryAccess& access = slot_of(id).warp.context().access;
  for (UnitPort* port : watchers_) port->unit().accessed(id, code, access, now);
}

bool Sm::unit_can_issue(const isa::Instruction& instruction, Cycle now) const {
  return unit_by_number_[instruction.unit]->unit().can_issue(instruction, now);
}

bool Sm::collects_operands(const isa::Instruction& instruction) const {
  return instruction.kind != isa::Kind::unit ||
         unit_by_number_[instruction.unit]->unit().collects_operands(instruction);
}

/// The unit takes the place of Warp::step(): lanes for which it can do nothing yet wait at the
/// instruction, and the others go on behind it.
void Sm::issue_to_unit(PathId id, unsigned scheduler, Cycle now) {
  WarpSlot& slot = slot_of(id);
  const unsigned path = path_of(id);
  const isa::Instruction& next = *slot.warp.next(path);
  SmUnit& unit = unit_by_number_[next.unit]->unit();
  const std::uint32_t code = slot.warp.pc(path);
  Cycle delay = 0;
  if (unit.collects_operands(next)) {
    delay = operands_.read(scheduler, warp_of(id), slot.program->sources[code], false, now);
  }
  const LaneMask joined = slot.warp.join_parked(path);
  const LaneMask lanes = slot.warp.show(path);
  isa::WarpContext& context = slot.warp.context();
  LaneMask waiting = 0;
  if (lanes != 0) {
    waiting =
        lanes & unit.issue({id, code, &next, &context, lanes, joined & lanes, now + delay}, now);
    if (context.fault.kind != isa::Fault::Kind::none) return fault(id, now);
  }
  Step step;
  if (waiting != 0) {
    const bool all = waiting == slot.warp.lanes(path);
    step = slot.warp.park_lanes(path, waiting);
    if (all) return after_step(id, step, delay, now);
  }
  step = slot.warp.pass(path, lanes & ~waiting);
  count_step(slot, step);
  if (charges_) [[unlikely]]
    charge_step(slot, path, step);
  after_step(id, step, delay, now);
}

/// Lanes that a unit has made wait issue their instruction again.
void Sm::wake_lanes(unsigned warp, LaneMask lanes, Cycle at, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  if (slot.state() == State::vacant) return;
  if (!in_cycle_) account_until(now + 1);
  const bool whole = slot.warp.wake_lanes(lanes);
  if (slot.state() == State::preempted) return;  // they are looked at when it goes on
  if (paths_ > 1) {
    bool runs = false;
    for_each_path(warp, [&](PathId id) { runs |= slot.warp.next(path_of(id)) != nullptr; });
    if (runs) start_changed_paths(warp, at, now);
  } else if (whole) {
    wait_until(path_id(warp, 0), State::fetch, at, now);
  }
  if (!in_cycle_) rouse(now + 1);
}

void Sm::cycle_units(Cycle now) {
  for (const auto& port : units_attached_) {
    if (port->unit().wake() <= now) port->unit().cycle(now);
  }
}

Cycle Sm::units_wake() const {
  Cycle wake = kNever;
  for (const auto& port : units_attached_) wake = std::min(wake, port->unit().wake());
  return wake;
}

bool Sm::units_ask_commit() const {
  return std::any_of(units_attached_.begin(), units_attached_.end(),
                     [](const auto& port) { return port->asks_commit(); });
}

void Sm::commit_units() {
  for (const auto& port : units_attached_) {
    if (port->asks_commit()) port->commit();
  }
}

void Sm::tell_units_of_end(const isa::BlockContext& block, Cycle now) {
  if (units_attached_.empty()) return;
  for (const auto& port : units_attached_) port->unit().block_ended(block, now);
  rouse(now + 1);
}

void Sm::grid_ends(const Grid& grid, Cycle now) {
  for (const auto& port : units_attached_) port->unit().grid_ends(grid, now);
  rouse(now + 1);
}

bool Sm::units_drained(unsigned warp) const {
  return unit_results_[warp] == 0 &&
         std::all_of(units_attached_.begin(), units_attached_.end(),
                     [&](const auto& port) { return port->unit().drained(warp); });
}

bool Sm::units_empty() const {
  return std::all_of(units_attached_.begin(), units_attached_.end(),
                     [](const auto& port) { return port->empty(); });
}

void Sm::leave_units(unsigned warp) {
  for (const auto& port : units_attached_) port->unit().forget(warp);
}

std::uint64_t Sm::unit_state_bytes(unsigned warp) const {
  std::uint64_t bytes = 0;
  for (const auto& port : units_attached_) bytes += port->unit().state_bytes(warp);
  return bytes;
}

}  // namespace raddle::machine
