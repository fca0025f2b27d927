#include "machine/pass_target.h"

#include "machine/chip.h"
#include "machine/config.h"
#include "machine/execute/config.h"
#include "machine/interconnect/config.h"
#include "machine/l1/config.h"
#include "machine/l2/config.h"
#include "machine/load_store/config.h"
#include "machine/sm/config.h"

namespace raddle::machine {

isa::PassTarget pass_target(const GpuConfig& config) {
  isa::PassTarget target;
  for (std::size_t klass = 0; klass < isa::kClassNumbers; ++klass) {
    target.latency[klass] = static_cast<std::uint16_t>(config.execute.of(klass).latency.value());
  }
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
