#include "machine/execute/units.h"

#include "machine/execute/config.h"

namespace raddle::machine {
namespace {

std::uint8_t unit_index(const TextField& unit) {
  constexpr std::string_view kNames[] = {"core",       "integer", "special", "double",
                                         "load_store", "tensor",  "control"};
  static_assert(std::size(kNames) == kUnits);
  std::uint8_t index = 0;
  while (unit.value() != kNames[index]) ++index;
  return index;
}

}  // namespace

ExecuteUnits::ExecuteUnits(const ExecuteConfig& config, unsigned schedulers)
    : guard_latency_(config.guard_latency) {
  for (std::size_t k = 0; k < isa::kClassNumbers; ++k) {
    const ClassConfig& klass = config.of(k);
    timing_[k] = {unit_index(klass.unit), (1u << klass.pipes) - 1u, klass.interval, klass.latency};
  }
  for (unsigned s = 0; s < schedulers; ++s) {
    for (unsigned pipe = 0; pipe < kMostPipes; ++pipe) {
      if (!config.partitioned || pipe % schedulers == s) share_[s] |= 1u << pipe;
    }
  }
}

}  // namespace raddle::machine
