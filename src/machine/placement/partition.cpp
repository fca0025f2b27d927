// Each program that shares a GPU has a part of its multiprocessors. The parts are as equal as
// possible. The multiprocessors are divided again when a program starts or has no grids left;
// blocks stay where they are.
#include <algorithm>
#include <map>

#include "machine/placement/clients.h"

namespace raddle::machine {

PlacementKind round_robin();  // defined in its own file

namespace {

class Partition : public PlacementOfClients {
 public:
  using PlacementOfClients::PlacementOfClients;

  std::optional<Choice> choose(const Offer& offer, Cycle now) override {
    std::size_t share = 0;
    for (const auto& [client, count] : grids_) {
      open_only(offer.sms, share++);
      const auto choice = choose_among(offer, sms_, now, [client = client](const Candidate& one) {
        return one.grid->client == client && !one.grid->context.cooperative;
      });
      if (choice) return choice;
    }
    // All blocks of a cooperative grid must be resident together, on any multiprocessors.
    return choose_among(offer, offer.sms, now,
                        [](const Candidate& one) { return one.grid->context.cooperative; });
  }

  void grid_entered(const Grid& grid) override {
    ++grids_[grid.client];
    PlacementOfClients::grid_entered(grid);
  }
  void grid_left(const Grid& grid) override {
    if (--grids_[grid.client] == 0) grids_.erase(grid.client);
    PlacementOfClients::grid_left(grid);
  }

 private:
  /// If there are more programs than multiprocessors, several programs share a part.
  void open_only(std::span<const SmView> all, std::size_t share) {
    const std::size_t shares = std::min(grids_.size(), all.size());
    share %= shares;
    const std::size_t first = share * all.size() / shares;
    const std::size_t past = (share + 1) * all.size() / shares;
    sms_.clear();
    for (std::size_t sm = 0; sm < all.size(); ++sm) {
      sms_.push_back(sm >= first && sm < past ? all[sm] : all[sm].closed());
    }
  }

  std::map<unsigned, unsigned> grids_;  // in the distributor, of each client
  std::vector<SmView> sms_;
};

}  // namespace

PlacementKind partition() {
  return {.name = "partition",
          .meaning = "the SMs are divided evenly among the programs that run (raddle corun)",
          .source = "NVIDIA, Multi-Process Service (active thread percentage), simplified",
          .make = [](const ConfigGroup*, StatGroup& statistics) -> std::unique_ptr<Placement> {
            return std::make_unique<Partition>(round_robin().make(nullptr, statistics));
          },
          .make_around = [](const ConfigGroup*, StatGroup&,
                            std::unique_ptr<Placement> inner) -> std::unique_ptr<Placement> {
            return std::make_unique<Partition>(std::move(inner));
          }};
}

}  // namespace raddle::machine
