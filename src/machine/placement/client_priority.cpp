// Priorities between programs that share a GPU. While a block of a more urgent program waits for
// room, no block of a less urgent program is placed. Blocks of less urgent programs are preempted,
// one at a time on each multiprocessor, and their state goes to memory, until there is room.
#include <algorithm>

#include "machine/clients.h"
#include "machine/placement/clients.h"

namespace raddle::machine {

PlacementKind round_robin();  // defined in its own file

namespace {

struct ClientPriorityConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> period{
      *this,         "period",
      1000,          "SM cycles",
      {1, 1u << 30}, "after which blocks that keep more urgent programs waiting are driven out",
      "assumed"};
};

struct ClientPriorityStats : StatGroup {
  using StatGroup::StatGroup;
  Counter driven_out{*this, "driven_out", "blocks",
                     "Blocks that were asked to leave for those of a more urgent program."};
};

class ClientPriority : public PlacementOfClients {
 public:
  ClientPriority(const ClientPriorityConfig& config, StatGroup& statistics,
                 std::unique_ptr<Placement> inner)
      : PlacementOfClients(std::move(inner)),
        config_(config),
        stats_(statistics.unit<ClientPriorityStats>("client_priority")) {}

  std::optional<Choice> choose(const Offer& offer, Cycle now) override {
    const auto first = std::min_element(
        offer.candidates.begin(), offer.candidates.end(),
        [](const Candidate& a, const Candidate& b) { return urgency(*a.grid) < urgency(*b.grid); });
    const int most = urgency(*first->grid);
    auto choice = choose_among(offer, offer.sms, now,
                               [most](const Candidate& one) { return urgency(*one.grid) == most; });
    waits_ = !choice;
    waiting_ = most;
    client_ = first->grid->client;
    return choice;
  }

 protected:
  Cycle own_period() const override { return config_.period; }

  void own_sample(std::span<const SmView> sms, Cycle, DepartureRequests& departures) override {
    if (!waits_) return;
    for (const SmView& sm : sms) {
      std::optional<PlacedBlock> least;
      bool leaves = false;  // a block that was asked to leave before
      sm.for_each_block([&](const PlacedBlock& block) {
        if (urgency(*block.grid) <= waiting_ || block.grid->client == client_) return;
        leaves |= block.leaving;
        if (!least || urgency(*block.grid) > urgency(*least->grid)) least = block;
      });
      if (!least || leaves) continue;
      const Departure answer = departures.request(*least);
      stats_.driven_out += answer == Departure::asked;
    }
    waits_ = false;  // choose() is called again
  }

 private:
  static int urgency(const Grid& grid) { return urgency_of(grid.priority); }

  const ClientPriorityConfig& config_;
  ClientPriorityStats& stats_;
  bool waits_ = false;  // a block of this urgency and of this program finds no room
  int waiting_ = 0;
  unsigned client_ = 0;
};

std::unique_ptr<Placement> make_around(const ConfigGroup* config, StatGroup& statistics,
                                       std::unique_ptr<Placement> inner) {
  return std::make_unique<ClientPriority>(static_cast<const ClientPriorityConfig&>(*config),
                                          statistics, std::move(inner));
}

}  // namespace

PlacementKind client_priority() {
  return {.name = "client_priority",
          .meaning = "blocks of more urgent programs first (raddle corun --urgency)",
          .source = "NVIDIA, Multi-Process Service (client priority level), with preemption",
          .make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
            return std::make_unique<ClientPriorityConfig>(root, "client_priority");
          },
          .make =
              [](const ConfigGroup* config, StatGroup& statistics) {
                return make_around(config, statistics, round_robin().make(nullptr, statistics));
              },
          .make_around = make_around};
}

}  // namespace raddle::machine
