// Stretches of basic blocks whose instructions may be put into another order.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/passes/pressure.h"

namespace raddle::isa {

using Stretch = std::vector<InstructionId>;

/// The block cut where nothing may cross, and into pieces of at most `longest` instructions.
std::vector<Stretch> stretches(const FunctionBody& body, BlockId block, std::size_t longest);

/// The most that an order of a stretch needs at once.
RegisterCount peak(StretchValues& values, const std::vector<std::uint32_t>& order);

}  // namespace raddle::isa
