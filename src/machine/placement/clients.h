// The common part of policies that decide between programs which share the GPU (machine/clients.h).
// The inner policy places the blocks of the program whose turn it is.
#pragma once

#include <vector>

#include "machine/placement/placement.h"

namespace raddle::machine {

class PlacementOfClients : public PlacementAround {
 public:
  using PlacementAround::PlacementAround;

  /// The policy must see the blocks of all programs.
  bool in_turn() const override { return false; }

 protected:
  /// The inner policy chooses among the candidates for which `is_in` returns true, on these
  /// multiprocessors.
  template <class IsIn>
  std::optional<Choice> choose_among(const Offer& offer, std::span<const SmView> sms, Cycle now,
                                     IsIn is_in) {
    chosen_.clear();
    places_.clear();
    for (std::size_t n = 0; n < offer.candidates.size(); ++n) {
      if (!is_in(offer.candidates[n])) continue;
      chosen_.push_back(offer.candidates[n]);
      places_.push_back(n);
      if (inner()->in_turn()) break;
    }
    if (chosen_.empty()) return {};
    std::optional<Choice> choice = PlacementAround::choose({chosen_, sms}, now);
    if (choice) choice->candidate = places_[choice->candidate];
    return choice;
  }

 private:
  std::vector<Candidate> chosen_;
  std::vector<std::size_t> places_;  // positions of the chosen candidates in the offer
};

}  // namespace raddle::machine
