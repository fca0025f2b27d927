#include "machine/passes_config.h"

#include "isa/passes/pass.h"

namespace raddle::machine {

void PassesConfig::add(const isa::PassList& passes, bool on) {
  for (const auto& pass : passes) {
    entries.push_back({pass, std::make_unique<Field<bool>>(*this, pass->name(), on, "",
                                                           Range<bool>{}, pass->meaning())});
  }
}

}  // namespace raddle::machine
