#include "machine/pass_target.h"

#include <algorithm>
#include <string>
#include <vector>

#include "machine/chip.h"
#include "machine/config.h"
#include "machine/execute/config.h"
#include "machine/interconnect/config.h"
#include "machine/l1/config.h"
#include "machine/l2/config.h"
#include "machine/load_store/config.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

void set_pipes(isa::PassTarget& target, const GpuConfig& config) {
  std::vector<std::string> units;
  for (std::size_t klass = 0; klass < isa::kClassNumbers; ++klass) {
    const ClassConfig& of = config.execute.of(klass);
    const auto unit = std::find(units.begin(), units.end(), of.unit.value());
    isa::PassTarget::Pipes& pipes = target.pipes[klass];
    pipes.unit = static_cast<std::uint8_t>(unit - units.begin());
    pipes.interval = static_cast<std::uint16_t>(of.interval.value());
    pipes.pipes = static_cast<float>(of.pipes) / static_cast<float>(config.scheduler.count);
    if (unit == units.end()) units.push_back(of.unit.value());
  }
}

}  // namespace

isa::PassTarget pass_target(const GpuConfig& config) {
  isa::PassTarget target;
  for (std::size_t klass = 0; klass < isa::kClassNumbers; ++klass) {
    target.latency[klass] = static_cast<std::uint16_t>(config.execute.of(klass).latency.value());
  }
  set_pipes(target, config);
  const auto set = [&](isa::Class klass, unsigned cycles) {
    target.latency[static_cast<std::size_t>(klass)] = static_cast<std::uint16_t>(cycles);
  };
  const unsigned l2 = config.l1.latency + 2 * config.interconnect.latency + config.l2.latency;
  set(isa::Class::load_store, l2);
  set(isa::Class::atomic, l2);
  set(isa::Class::shared_memory, config.shared.latency);
  set(isa::Class::constant_load, config.constant.latency);
  set(isa::Class::texture, config.texture.latency);
  target.guard_latency = static_cast<std::uint16_t>(config.execute.guard_latency);
  target.registers = config.sm.registers;
  target.registers_per_thread = config.sm.registers_per_thread;
  target.register_unit = config.sm.register_unit;
  target.warp_unit = config.sm.warp_unit;
  target.warps = config.sm.warps;
  target.compute_major = compute_major(config);
  return target;
}

}  // namespace raddle::machine
