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

/// The block cut where nothing may cross, and into pieces of at most `longest` instructions. With
/// `slow_paths` divisions and roots that have one (slow_path()) end a piece, too, and what only
/// later pieces need comes behind them: in machine code a basic block ends there, with a branch around
/// a call, and an assembler orders each on its own (ptxas 13.0, sm_90: HeCBench's surfel loads what it
/// compares with last behind its division, though the source loads it first).
std::vector<Stretch> stretches(const FunctionBody& body, BlockId block, std::size_t longest,
                               bool slow_paths);

/// Puts a stretch of the block into another order; `live_behind`: what is needed behind it.
using OrderStretch =
    std::function<Stretch(BlockId, const Stretch& stretch,
                          const std::vector<std::vector<Dependence>>&, const LiveSet& live_behind)>;
/// The blocks that it changes, each with its new order.
std::vector<std::pair<BlockId, Stretch>> reordered(const FunctionBody& body,
                                                   const PassTarget& target, std::size_t longest,
                                                   const OrderStretch& order);

/// The most that an order of a stretch needs at once.
RegisterCount peak(StretchValues& values, const std::vector<std::uint32_t>& order);
/// The same of the stretch as it is, of so many instructions.
RegisterCount peak(StretchValues& values, std::size_t count);

}  // namespace raddle::isa
