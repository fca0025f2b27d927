// Spatial multitasking (Adriaens et al., "The case for GPGPU spatial multitasking", HPCA 2012). The
// multiprocessors are divided evenly among the kernels that run, and a block is placed only on the
// multiprocessors of its kernel. They are divided again when a kernel starts or leaves; blocks stay
// where they are.
#include <algorithm>

#include "machine/placement/placement.h"

namespace raddle::machine {
namespace {

class Spatial : public Placement {
 public:
  bool in_turn() const override { return false; }

  std::optional<Choice> choose(const Offer& offer, Cycle) override {
    for (std::size_t n = 0; n < offer.candidates.size(); ++n) {
      const Grid& grid = *offer.candidates[n].grid;
      const auto sm = find(offer.sms, grid);
      if (!sm) continue;
      next_ = *sm + 1;
      return Choice{n, *sm};
    }
    return {};
  }

  void grid_entered(const Grid& grid) override { grids_.push_back(&grid); }
  void grid_left(const Grid& grid) override { std::erase(grids_, &grid); }

 private:
  std::optional<unsigned> find(std::span<const SmView> sms, const Grid& grid) const {
    // All blocks of a cooperative grid must be resident together, on any multiprocessors.
    if (grid.context.cooperative) return first_with_room(sms, grid.needs, next_);
    const auto at = std::find(grids_.begin(), grids_.end(), &grid);
    const auto number = static_cast<std::size_t>(at - grids_.begin());
    // If there are more kernels than multiprocessors, several kernels share a part.
    const std::size_t shares = std::min(grids_.size(), sms.size()), share = number % shares;
    const auto first = static_cast<unsigned>(share * sms.size() / shares);
    const auto past = static_cast<unsigned>((share + 1) * sms.size() / shares);
    const unsigned turn = next_ > first && next_ < past ? next_ - first : 0;
    const auto sm = first_with_room(sms.subspan(first, past - first), grid.needs, turn);
    return sm ? std::optional(first + *sm) : std::nullopt;
  }

  std::vector<const Grid*> grids_;  // in the distributor, in order of arrival
  unsigned next_ = 0;
};

}  // namespace

PlacementKind spatial() {
  return {.name = "spatial",
          .meaning = "the SMs are divided evenly among the kernels that run",
          .source = "Adriaens et al., HPCA 2012",
          .make = [](const ConfigGroup*, StatGroup&) -> std::unique_ptr<Placement> {
            return std::make_unique<Spatial>();
          }};
}

}  // namespace raddle::machine
