// Runs passes over a lowered function.
#pragma once

#include "isa/passes/pass.h"
#include "isa/source_text.h"

namespace raddle::isa {

/// Parts of a loader that passes over a function need.
struct PassSetup {
  const PassList& passes;
  const InstructionSet& instructions;
  const PassObserver& observer;  // may be empty
  const SourceText& text;        // of the function's module
};

/// The targets of the code are resolved, before and after.
void run_passes(const ptx::Function& function, LirCode& code, ConstantPool& constants,
                FrameLayout& frame, const PassSetup& setup);

}  // namespace raddle::isa
