// Multiprocessors in turn: the search for the next block starts behind the multiprocessor of the
// last one.
#include "machine/placement/placement.h"

namespace raddle::machine {
namespace {

class RoundRobin : public Placement {
 public:
  std::optional<Choice> choose(const Offer& offer, Cycle) override {
    const auto sm = first_with_room(offer.sms, offer.candidates.front().grid->needs, next_);
    if (!sm) return {};
    next_ = *sm + 1;
    return Choice{0, *sm};
  }

 private:
  unsigned next_ = 0;
};

}  // namespace

PlacementKind round_robin() {
  return {.name = "round_robin",
          .meaning = "SMs in turn",
          .source = "",
          .make = [](const ConfigGroup*, StatGroup&) -> std::unique_ptr<Placement> {
            return std::make_unique<RoundRobin>();
          }};
}

}  // namespace raddle::machine
