#include "isa/passes/stretches.h"

#include <algorithm>
#include <numeric>

#include "isa/passes/dependences.h"
#include "isa/passes/pass.h"
#include "isa/passes/sequences.h"

namespace raddle::isa {

namespace {

/// Takes the instructions out of a stretch for which neither its last instruction nor the staying
/// ones before that need to wait. Returns them in the order of the program. Writes to memory stay.
Stretch take_later(const FunctionBody& body, Stretch& part) {
  Stretch stays, later;  // backwards
  for (auto at = part.rbegin(); at != part.rend(); ++at) {
    const LirInstruction& lir = body[*at];
    const auto crosses = [&](InstructionId other) { return independent(lir, body[other]); };
    const bool leaves = at != part.rbegin() && goes_by_lane(lir) &&
                        lir.memory.access != MemoryBehaviour::Access::store &&
                        std::all_of(stays.begin(), stays.end(), crosses);
    (leaves ? later : stays).push_back(*at);
  }
  part.assign(stays.rbegin(), stays.rend());
  return {later.rbegin(), later.rend()};
}

}  // namespace

std::vector<Stretch> stretches(const FunctionBody& body, BlockId block, std::size_t longest,
                               bool slow_paths) {
  std::vector<Stretch> found(1);
  for (const InstructionId id : body.instructions(block)) {
    const bool alone = placing_of(body[id]) == Placing::in_line;
    if (alone || found.back().size() == longest) found.emplace_back();
    found.back().push_back(id);
    if (slow_paths && slow_path(body[id]) != SlowPath::none) {
      Stretch later = take_later(body, found.back());
      found.push_back(std::move(later));
    } else if (alone) {
      found.emplace_back();
    }
  }
  return found;
}

std::vector<std::pair<BlockId, Stretch>> reordered(const FunctionBody& body,
                                                   const PassTarget& target, std::size_t longest,
                                                   const OrderStretch& order) {
  std::vector<std::pair<BlockId, Stretch>> changed;
  const Definitions definitions(body);
  AddressValues addresses(body, definitions);
  Dependences dependences(body, target, addresses);
  LiveSet live(body);
  for (const BlockId block : body.blocks()) {
    addresses.begin_block();
    const std::vector<Stretch> parts = stretches(body, block, longest, target.compute_major >= 7);
    // Dependences are found forwards, live registers backwards.
    std::vector<std::vector<std::vector<Dependence>>> of_part;
    of_part.reserve(parts.size());
    for (const Stretch& part : parts) of_part.push_back(dependences.of(part));
    live.begin(block);
    std::vector<Stretch> made(parts.size());
    for (std::size_t n = parts.size(); n-- > 0;) {
      made[n] = order(block, parts[n], of_part[n], live);
      for (auto at = parts[n].rbegin(); at != parts[n].rend(); ++at) live.step_back(body[*at]);
    }
    Stretch all;
    for (const Stretch& part : made) all.insert(all.end(), part.begin(), part.end());
    if (all != body.instructions(block)) changed.emplace_back(block, std::move(all));
  }
  return changed;
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

RegisterCount peak(StretchValues& values, std::size_t count) {
  std::vector<std::uint32_t> as_it_is(count);
  std::iota(as_it_is.begin(), as_it_is.end(), 0);
  return peak(values, as_it_is);
}

}  // namespace raddle::isa
