#include "isa/passes/run_passes.h"

#include "isa/passes/listing.h"

namespace raddle::isa {

void run_passes(const ptx::Function& function, LirCode& code, ConstantPool& constants,
                const PassSetup& setup) {
  if (setup.passes.empty()) return;
  std::optional<Listing> listing;
  if (setup.observer) listing.emplace(function, code.instructions(), setup.text);
  for (const auto& pass : setup.passes) {
    // Each finds the blocks that there are after the one before it.
    FunctionBody body(function.name, code, constants, setup.instructions);
    PassRecord record;
    record.pass = pass.get();
    record.function = function.name;
    record.instructions_before = body.instruction_count();
    if (listing) record.before = listing->of(body);
    pass->run(body, record.notes);
    record.instructions_after = body.instruction_count();
    if (listing) record.after = listing->of(body);
    body.put_back();
    if (setup.observer) setup.observer(record);
  }
}

}  // namespace raddle::isa
