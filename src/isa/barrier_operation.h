// What a Kind::barrier instruction does: Instruction::extra.
#pragma once

#include <cstdint>

namespace raddle::isa {

/// s[0] is the barrier's number, s[1] the number of threads (0: all of the block).
enum class BarrierOperation : std::uint16_t {
  sync,
  arrive,
  count_true,  // red.popc into d
  all_true,    // red.and into p
  any_true,    // red.or into p
};

}  // namespace raddle::isa
