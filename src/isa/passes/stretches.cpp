#include "isa/passes/stretches.h"

#include <algorithm>

#include "isa/passes/dependences.h"

namespace raddle::isa {

std::vector<Stretch> stretches(const FunctionBody& body, BlockId block, std::size_t longest) {
  std::vector<Stretch> found(1);
  for (const InstructionId id : body.instructions(block)) {
    const bool alone = placing_of(body[id]) == Placing::in_line;
    if (alone || found.back().size() == longest) found.emplace_back();
    found.back().push_back(id);
    if (alone) found.emplace_back();
  }
  return found;
}

RegisterCount peak(StretchValues& values, const std::vector<std::uint32_t>& order) {
  values.restart();
  RegisterCount live = values.at_start(), most = live;
  for (const std::uint32_t n : order) {
    const RegisterCount here = values.written(n);
    most.general = std::max(most.general, live.general + here.general);
    most.predicates = std::max(most.predicates, live.predicates + here.predicates);
    live += values.change(n);
    values.issue(n);
  }
  return most;
}

}  // namespace raddle::isa
