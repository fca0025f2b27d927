#include "machine/sm/attached_units.h"

#include <algorithm>

#include "machine/texture/texture_unit.h"

namespace raddle::machine {

void AttachedUnits::make_texture_unit(const GpuConfig& config, const Cycle& now) {
  texture_ = std::make_unique<UnitPort>(parts_, 0, now, nullptr);
  texture_->set_unit(std::make_unique<TextureUnit>(config, parts_.memory.statistics(), *texture_));
}

bool AttachedUnits::add(unsigned number, const Cycle& now, MessageEndpoint* messages,
                        const MakeUnit& make) {
  auto port = std::make_unique<UnitPort>(parts_, number, now, messages);
  std::unique_ptr<SmUnit> unit = make(*port);
  if (unit == nullptr) return false;
  port->set_unit(std::move(unit));
  by_number_.resize(std::max<std::size_t>(by_number_.size(), number + 1));
  by_number_[number] = port.get();
  if (port->unit().watches_accesses()) watchers_.push_back(port.get());
  parts_.memory.add_listener(port->unit());
  attached_.push_back(std::move(port));
  return true;
}

void AttachedUnits::tell_watchers(PathId id, std::uint32_t code, const isa::MemoryAccess& access,
                                  Cycle now) {
  for (UnitPort* port : watchers_) port->unit().accessed(id, code, access, now);
}

void AttachedUnits::cycle(Cycle now) {
  for (const auto& port : attached_) {
    if (port->unit().wake() <= now) port->unit().cycle(now);
  }
}

Cycle AttachedUnits::wake() const {
  Cycle wake = kNever;
  for (const auto& port : attached_) wake = std::min(wake, port->unit().wake());
  return wake;
}

std::optional<AttachedUnits::Due> AttachedUnits::due_before(Cycle told) const {
  for (const auto& port : attached_) {
    const Cycle wake = port->unit().wake();
    if (wake < told) return Due{port->number(), wake};
  }
  return {};
}

bool AttachedUnits::ask_commit() const {
  return std::any_of(attached_.begin(), attached_.end(),
                     [](const auto& port) { return port->asks_commit(); });
}

void AttachedUnits::commit() {
  for (const auto& port : attached_) {
    if (port->asks_commit()) port->commit();
  }
}

void AttachedUnits::block_ended(const isa::BlockContext& block, Cycle now) {
  if (attached_.empty()) return;
  for (const auto& port : attached_) port->unit().block_ended(block, now);
  parts_.clock.rouse(now + 1);
}

void AttachedUnits::lanes_ended(const isa::WarpContext& warp, LaneMask lanes, Cycle now) {
  for (const auto& port : attached_) port->unit().lanes_ended(warp, lanes, now);
}

void AttachedUnits::grid_ends(const Grid& grid, Cycle now) {
  for (const auto& port : attached_) port->unit().grid_ends(grid, now);
  parts_.clock.rouse(now + 1);
}

bool AttachedUnits::idle() const {
  return std::all_of(attached_.begin(), attached_.end(),
                     [](const auto& port) { return port->empty(); });
}

bool AttachedUnits::drained(unsigned warp) const {
  return parts_.warps[warp].unit_results == 0 &&
         std::all_of(attached_.begin(), attached_.end(),
                     [&](const auto& port) { return port->unit().drained(warp); });
}

std::uint64_t AttachedUnits::state_bytes(unsigned warp) const {
  std::uint64_t bytes = 0;
  for (const auto& port : attached_) bytes += port->unit().state_bytes(warp);
  return bytes;
}

void AttachedUnits::leave(unsigned warp, Cycle now) {
  if (attached_.empty()) return;
  for (const auto& port : attached_) port->unit().forget(warp);
  parts_.clock.rouse(now + 1);
}

}  // namespace raddle::machine
