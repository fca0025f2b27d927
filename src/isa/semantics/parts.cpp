#include "isa/semantics/parts.h"

#include <bit>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/semantics/lanes.h"
#include "isa/warp_context.h"

namespace raddle::isa {

void execute_parts(WarpContext& w, const Instruction& i) {
  const Instruction* part = &w.block->grid->program->code[i.target];
  const LaneMask active = w.active;
  for (std::int64_t n = 0; n < i.immediate; ++n, ++part) {
    w.active = guarded(*part, w.predicates, active);
    if (w.active != 0) part->execute(w, *part);
  }
  w.active = active;
}

void execute_joint_access(WarpContext& w, const Instruction& i) {
  const Instruction* part = &w.block->grid->program->code[i.target];
  const LaneMask active = w.active;
  MemoryAccess all;
  for (std::int64_t n = 0; n < i.immediate; ++n, ++part) {
    w.active = guarded(*part, w.predicates, active);
    if (w.active == 0) continue;
    part->execute(w, *part);
    if (w.fault.kind != Fault::Kind::none) return;
    for (LaneMask rest = all.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      w.access.address[lane] = all.address[lane];
    }
    w.access.lanes |= all.lanes;
    all = w.access;
  }
  w.active = active;
}

void execute_keep_sides(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, source_predicate(w, i));
}

}  // namespace raddle::isa
