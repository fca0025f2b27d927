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
  const Instruction* parts = &w.block->grid->program->code[i.target];
  const LaneMask active = w.active;
  LaneMask lanes = 0;
  Address addresses[kWarpSize];
  for (unsigned n = 0; n < 2 && w.fault.kind == Fault::Kind::none; ++n) {
    w.access.lanes = 0;
    w.active = guarded(parts[n], w.predicates, active);
    if (w.active != 0) parts[n].execute(w, parts[n]);
    for (LaneMask rest = w.access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      addresses[lane] = w.access.address[lane];
    }
    lanes |= w.access.lanes;
  }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    w.access.address[lane] = addresses[lane];
  }
  w.access.lanes = lanes;
  w.active = active;
}

void execute_keep_sides(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, source_predicate(w, i));
}

}  // namespace raddle::isa
