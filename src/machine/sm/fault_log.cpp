#include "machine/sm/fault_log.h"

#include "machine/sm/resident_block.h"

namespace raddle::machine {

SmFault FaultLog::fault_of(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code) {
  const isa::WarpContext& context = slot.warp.context();
  const isa::BlockContext& block = slot.block->context;
  return {fault,
          slot.block->grid->id,
          {slot.program, slot.block->grid->record.kernel, code, block.index, block.grid->block,
           context.warp_in_block * kWarpSize + fault.lane, block.shared_begin, block.shared_bytes,
           block.local_bytes_per_thread, context.local_end},
          block.grid->client};
}

void FaultLog::take_late(std::vector<isa::LateFault>& late) {
  for (const isa::LateFault& one : late) {
    unsigned warp = 0;
    while (&warps_[warp].warp.context() != one.warp) ++warp;
    const WarpSlot& slot = warps_[warp];
    add(slot, one.fault, static_cast<std::uint32_t>(one.instruction - slot.program->code.data()));
  }
  late.clear();
}

}  // namespace raddle::machine
