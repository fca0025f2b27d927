#include "isa/passes/run_passes.h"

#include "isa/passes/listing.h"

namespace raddle::isa {

void run_passes(const ptx::Function& function, LirCode& code, ConstantPool& constants,
                FrameLayout& frame, const PassSetup& setup) {
  if (setup.passes.empty()) return;
  std::optional<Listing> listing;
  if (setup.observer) listing.emplace(function, code.instructions(), setup.text);
  for (const auto& pass : setup.passes) {
    // Each pass sees the blocks that the pass before it left.
    FunctionBody body(function, code, constants, frame, setup.instructions);
    PassRecord record;
    record.pass = pass.get();
    record.function = function.name;
    record.instructions_before = body.instruction_count();
    if (listing) record.before = listing->of(body);
    pass->run(body, record.notes);
    record.instructions_after = body.instruction_count();
    if (listing) record.after = listing->of(body);
    body.put_back(pass->name());
    if (setup.observer) setup.observer(record);
  }
}

}  // namespace raddle::isa
