#include "mechanisms/blocks/meter.h"

#include "machine/config.h"
#include "machine/execute/config.h"
#include "machine/scheduler/config.h"

namespace raddle::mechanisms::blocks {

Meter::Meter(const machine::GpuConfig& config) : schedulers_(config.scheduler.count) {
  using isa::Class;
  for (const Class klass : {Class::fp32, Class::fp32_div, Class::fp32_rcp, Class::fp32_sqrt,
                            Class::fp64, Class::fp64_div, Class::fp64_sqrt, Class::half}) {
    const machine::ClassConfig& of = config.execute.of(klass);
    floating_[static_cast<std::size_t>(klass)] =
        static_cast<double>(of.interval.value()) / static_cast<double>(of.pipes.value());
  }
}

Reading Meter::read(const machine::BlockCounts& counts) const {
  Reading reading{.throttled = static_cast<double>(counts.load_store_full)};
  for (std::size_t klass = 0; klass < floating_.size(); ++klass) {
    reading.floating += static_cast<double>(counts.issued[klass]) * floating_[klass];
  }
  return reading;
}

Rates Meter::rates(const Reading& from, const Reading& to, Cycle cycles) const {
  if (cycles == 0) return {};
  const auto time = static_cast<double>(cycles);
  return {(to.throttled - from.throttled) / (time * schedulers_),
          (to.floating - from.floating) / time};
}

}  // namespace raddle::mechanisms::blocks
