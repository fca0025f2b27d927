#include "isa/passes/loops.h"

#include <algorithm>

namespace raddle::isa {

Loops::Loops(const FunctionBody& body) : body_(body) {
  const auto& blocks = body.blocks();
  const BlockId most = *std::max_element(blocks.begin(), blocks.end());
  place_.assign(most + 1, 0);
  for (std::size_t n = 0; n < blocks.size(); ++n) place_[blocks[n]] = n;
  end_.assign(blocks.size(), 0);
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    for (const BlockId next : body.successors(blocks[n])) {
      if (place_[next] <= n) end_[place_[next]] = n + 1;
    }
  }
  std::vector<int> change(blocks.size() + 1, 0);
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    if (end_[n] == 0) continue;
    ++change[n];
    --change[end_[n]];
  }
  int loops = 0;
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    loops += change[n];
    depth_.push_back(static_cast<unsigned>(std::max(loops, 0)));
  }
}

double Loops::weight(BlockId block) const {
  constexpr unsigned kMost = 6;
  return static_cast<double>(std::uint64_t{1} << (3 * std::min(depth(block), kMost)));
}

std::vector<BlockId> Loops::blocks_of(BlockId block) const {
  const auto first = body_.blocks().begin();
  const std::size_t place = place_[block];
  for (std::size_t begin = place + 1; begin-- > 0;) {
    if (end_[begin] <= place) continue;
    return {first + static_cast<std::ptrdiff_t>(begin),
            first + static_cast<std::ptrdiff_t>(end_[begin])};
  }
  return {block};
}

}  // namespace raddle::isa
