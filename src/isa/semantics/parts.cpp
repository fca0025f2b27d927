#include "isa/semantics/parts.h"

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"

namespace raddle::isa {

void execute_parts(WarpContext& w, const Instruction& i) {
  const Instruction* part = &w.block->grid->program->code[i.target];
  const LaneMask active = w.active;
  for (std::int64_t n = 0; n < i.immediate; ++n, ++part) {
    w.active = active & (w.predicates[part->guard] ^ part->guard_flip);
    if (w.active != 0) part->execute(w, *part);
  }
  w.active = active;
}

}  // namespace raddle::isa
