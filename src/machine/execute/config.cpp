#include "machine/execute/config.h"

namespace raddle::machine {
namespace {

/// Values of Kepler GK110, see gpus/k20c.toml.
constexpr ClassConfig::Default kDefaults[] = {
    {"move", "core", 5, 1, 9},
    {"int_add", "core", 5, 1, 9},
    {"int_logic", "core", 5, 1, 9},
    {"int_compare", "core", 5, 1, 9},
    {"int_shift", "core", 2, 1, 9},
    {"int_mul", "core", 1, 1, 9},
    {"int_mul_wide", "core", 1, 2, 9},
    {"int_div", "core", 1, 16, 140},
    {"int_quotient", "core", 1, 12, 56},
    {"bit_field", "core", 1, 1, 9},
    {"bit_count", "core", 1, 1, 9},
    {"leading_zeros", "core", 1, 1, 20},
    {"convert", "core", 1, 1, 9},
    {"convert_wide", "core", 1, 1, 9},
    {"video", "core", 1, 1, 9},
    {"fp32", "core", 6, 1, 9},
    {"fp32_div", "special", 1, 8, 418},
    {"fp32_rcp", "special", 1, 8, 377},
    {"fp32_sqrt", "special", 1, 8, 432},
    {"special", "special", 1, 1, 40},
    {"fp64", "double", 2, 1, 10},
    {"fp64_div", "double", 1, 16, 445},
    {"fp64_sqrt", "double", 1, 16, 445},
    {"half", "core", 1, 2, 9},
    {"shuffle", "load_store", 1, 1, 9},
    {"vote", "core", 1, 1, 9},
    {"branch", "control", 4, 1, 9},
    {"barrier", "control", 4, 1, 4},
    {"fence", "load_store", 1, 1, 4},
    {"load_store", "load_store", 1, 1, 9},
    {"shared_memory", "load_store", 1, 1, 26},
    {"constant_load", "load_store", 1, 1, 16},
    {"atomic", "load_store", 1, 1, 9},
    {"texture", "load_store", 1, 1, 112},
    {"tensor", "tensor", 1, 8, 30},
    {"control", "control", 4, 1, 4},
};
static_assert(std::size(kDefaults) == kClasses);

}  // namespace

ClassConfig::ClassConfig(ConfigGroup& parent, const Default& values)
    : ConfigGroup(parent, values.name),
      unit(*this, "unit", values.unit, "core|integer|special|double|load_store|tensor|control",
           "unit that executes it") {
  pipes = values.pipes;
  interval = values.interval;
  latency = values.latency;
}

ExecuteConfig::ExecuteConfig(ConfigGroup& parent, std::string name)
    : ConfigGroup(parent, std::move(name)) {
  for (std::size_t k = 0; k < kClasses; ++k) {
    classes[k] = std::make_unique<ClassConfig>(*this, kDefaults[k]);
  }
}

isa::Class ExecuteConfig::add(const ClassConfig& klass) {
  if (extensions.size() == isa::kExtensionClasses) {
    fail("mechanisms have more than {} classes of instructions: there is no number for '{}'",
         isa::kExtensionClasses, klass.path());
  }
  extensions.push_back(&klass);
  return isa::own_class(static_cast<unsigned>(extensions.size() - 1));
}

}  // namespace raddle::machine
