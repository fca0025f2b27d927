// Places the first block, in order of turns, that fits on any multiprocessor. So a grid that cannot
// be placed does not hold up other grids.
#include "machine/placement/placement.h"

namespace raddle::machine {
namespace {

class FirstFit : public Placement {
 public:
  bool in_turn() const override { return false; }
  std::optional<Choice> choose(const Offer& offer, Cycle) override {
    for (std::size_t n = 0; n < offer.candidates.size(); ++n) {
      const auto sm = first_with_room(offer.sms, offer.candidates[n].grid->needs, next_);
      if (!sm) continue;
      next_ = *sm + 1;
      return Choice{n, *sm};
    }
    return {};
  }

 private:
  unsigned next_ = 0;
};

}  // namespace

PlacementKind first_fit() {
  return {.name = "first_fit",
          .meaning = "SMs in turn; a grid that does not fit holds up none behind it",
          .source = "",
          .make = [](const ConfigGroup*, StatGroup&) -> std::unique_ptr<Placement> {
            return std::make_unique<FirstFit>();
          }};
}

}  // namespace raddle::machine
