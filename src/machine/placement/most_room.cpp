// Places the block on the multiprocessor with room for the most warps; of several, on the next in
// turn.
#include "machine/placement/placement.h"

namespace raddle::machine {
namespace {

class MostRoom : public Placement {
 public:
  std::optional<Choice> choose(const Offer& offer, Cycle) override {
    const auto count = static_cast<unsigned>(offer.sms.size());
    std::optional<unsigned> chosen;
    for (unsigned n = 0; n < count; ++n) {
      const unsigned at = (next_ + n) % count;
      const SmView& sm = offer.sms[at];
      if (!sm.has_room(offer.candidates.front().grid->needs)) continue;
      if (chosen && sm.room().warps <= offer.sms[*chosen].room().warps) continue;
      chosen = at;
    }
    if (!chosen) return {};
    next_ = *chosen + 1;
    return Choice{0, *chosen};
  }

 private:
  unsigned next_ = 0;
};

}  // namespace

PlacementKind most_room() {
  return {.name = "most_room",
          .meaning = "the SM on which most warps still fit",
          .source = "",
          .make = [](const ConfigGroup*, StatGroup&) -> std::unique_ptr<Placement> {
            return std::make_unique<MostRoom>();
          }};
}

}  // namespace raddle::machine
