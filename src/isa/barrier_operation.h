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

/// Programs number barriers 0 to 15; this one is barrier.cluster's.
inline constexpr std::uint32_t kClusterBarrier = 16;

}  // namespace raddle::isa
