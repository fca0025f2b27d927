// Runs passes over a function that has been lowered.
#pragma once

#include "isa/passes/pass.h"
#include "isa/source_text.h"

namespace raddle::isa {

/// What a loader has for functions on their way to code.
struct PassSetup {
  const PassList& passes;
  const InstructionSet& instructions;
  const PassObserver& observer;  // may be empty
  const SourceText& text;        // of the function's module
};

/// The code's targets are resolved, before and after.
void run_passes(const ptx::Function& function, LirCode& code, ConstantPool& constants,
                const PassSetup& setup);

}  // namespace raddle::isa
