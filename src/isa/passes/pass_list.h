// Passes in the order in which they run, for code that only hands them on: see pass.h.
#pragma once

#include <memory>
#include <vector>

namespace raddle::isa {

class Pass;
using PassList = std::vector<std::shared_ptr<const Pass>>;

}  // namespace raddle::isa
