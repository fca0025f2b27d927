// Stretches of basic blocks whose instructions may be put into another order.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "isa/passes/dependences.h"
#include "isa/passes/pressure.h"

namespace raddle::isa {

using Stretch = std::vector<InstructionId>;

/// The block, cut where no instruction may cross, and into pieces of at most `longest`
/// instructions. With `slow_paths`, divisions and roots with a slow path (slow_path()) also end a
/// piece, and instructions that only later pieces need come after them. In machine code a basic
/// block ends there, with a branch around a call, and an assembler orders each block on its own
/// (ptxas 13.0, sm_90: HeCBench's surfel loads the last value of its comparison after its division,
/// though the source loads it first).
std::vector<Stretch> stretches(const FunctionBody& body, BlockId block, std::size_t longest,
                               bool slow_paths);

/// Orders one stretch of the block; `live_behind`: registers that are needed after it.
using OrderStretch =
    std::function<Stretch(BlockId, const Stretch& stretch,
                          const std::vector<std::vector<Dependence>>&, const LiveSet& live_behind)>;
/// The blocks whose order `order` changes, each with its new order.
std::vector<std::pair<BlockId, Stretch>> reordered(const FunctionBody& body,
                                                   const PassTarget& target, std::size_t longest,
                                                   const OrderStretch& order);

/// The most registers that the given order of a stretch needs at once.
RegisterCount peak(StretchValues& values, const std::vector<std::uint32_t>& order);
/// The same for the stretch in its present order, with `count` instructions.
RegisterCount peak(StretchValues& values, std::size_t count);

}  // namespace raddle::isa
