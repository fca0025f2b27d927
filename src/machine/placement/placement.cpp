#include "machine/placement/placement.h"

namespace raddle::machine {

std::optional<unsigned> first_with_room(std::span<const SmView> sms, const BlockNeeds& needs,
                                        unsigned first) {
  const auto count = static_cast<unsigned>(sms.size());
  for (unsigned n = 0, at = first % count; n < count; ++n, at = at + 1 == count ? 0 : at + 1) {
    if (sms[at].has_room(needs)) return at;
  }
  return {};
}

void PlacementAround::sample(std::span<const SmView> sms, Cycle now,
                             DepartureRequests& departures) {
  const Cycle passed = sample_period();
  const auto due = [&](Cycle& since, Cycle period) {
    since += passed;
    if (period == 0 || since < period) return false;
    since = 0;
    return true;
  };
  if (due(own_passed_, own_period())) own_sample(sms, now, departures);
  if (due(inner_passed_, inner_->sample_period())) inner_->sample(sms, now, departures);
}

}  // namespace raddle::machine
