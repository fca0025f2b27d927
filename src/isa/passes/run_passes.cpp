#include "isa/passes/run_passes.h"

namespace raddle::isa {

void run_passes(const std::string& function, LirCode& code, ConstantPool& constants,
                const PassSetup& setup) {
  if (setup.passes.empty()) return;
  const auto text = [&](const LirInstruction& lir) {
    return lir.from == nullptr ? std::string() : setup.text.at(lir.from->at);
  };
  for (const auto& pass : setup.passes) {
    // Each finds the blocks that there are after the one before it.
    FunctionBody body(function, code, constants, setup.instructions);
    PassRecord record;
    record.pass = pass.get();
    record.function = function;
    record.instructions_before = body.instruction_count();
    if (setup.observer) record.before = listing(body, text);
    pass->run(body, record.notes);
    record.instructions_after = body.instruction_count();
    if (setup.observer) record.after = listing(body, text);
    body.put_back();
    if (setup.observer) setup.observer(record);
  }
}

}  // namespace raddle::isa
