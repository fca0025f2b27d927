#include "machine/loader.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "machine/config.h"
#include "machine/frontend/config.h"
#include "machine/mechanism.h"
#include "machine/pass_target.h"
#include "machine/passes_config.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

/// `passes` were made anew, since settings may have changed since `config` made its own.
void add_passes(const isa::PassList& passes, const PassesConfig& config, isa::Loader& loader) {
  for (std::size_t n = 0; n < passes.size(); ++n) {
    if (*config.entries[n].on) loader.add(passes[n]);
  }
}

void add_mechanism(const GpuConfig& gpu, std::size_t number, bool on, isa::Loader& loader) {
  const MechanismKind& kind = mechanism_kinds()[number];
  const MechanismConfig& config = gpu.mechanisms[number];
  if (kind.rows != nullptr) {
    const std::string refused = fmt::format(
        "an instruction of the mechanism '{0}', which is switched off (--with {0})", kind.name);
    loader.add(isa::Extension{kind.rows(), config.first_class, config.classes,
                              static_cast<std::uint8_t>(number), on ? "" : refused});
  }
  if (!on) return;
  if (kind.builtins != nullptr) {
    for (isa::Builtin& builtin : kind.builtins()) loader.add(std::move(builtin));
  }
  if (config.passes != nullptr) {
    add_passes(kind.passes(*config.settings, gpu), *config.passes, loader);
  }
}

/// Kernels and functions begin at lines of 128 bytes, as assemblers place them.
std::uint32_t instructions_of_line(const FrontendConfig& config) {
  constexpr std::uint32_t kLine = 128;
  const std::uint32_t words = kLine / config.instruction_bytes, every = config.control_every;
  if (every == 0) return words;
  // Whole groups of a control word and the instructions that share it.
  return std::max(words / (every + 1), 1u) * every;
}

}  // namespace

isa::Loader make_loader(const GpuConfig& config) {
  isa::Loader loader;
  loader.align_functions(instructions_of_line(config.frontend));
  loader.begin_shared_memory(config.sm.shared_begin);
  add_passes(isa::built_in_passes(pass_target(config)), config.passes, loader);
  const std::vector<const MechanismKind*> on = mechanisms_on(config);
  const std::vector<MechanismKind>& kinds = mechanism_kinds();
  for (std::size_t n = 0; n < kinds.size(); ++n) {
    const bool is_on = std::find(on.begin(), on.end(), &kinds[n]) != on.end();
    add_mechanism(config, n, is_on, loader);
  }
  return loader;
}

}  // namespace raddle::machine
