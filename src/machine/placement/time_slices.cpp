// Programs that share a GPU take turns: each has the whole GPU for a slice of time, as without
// NVIDIA's Multi-Process Service. At the end of a slice, the blocks of its program leave and their
// state goes to the L2 cache. Blocks of the next program are placed when the last has left. A program
// without work gives up its turn.
#include <algorithm>
#include <map>

#include "machine/placement/clients.h"

namespace raddle::machine {

PlacementKind round_robin();  // defined in its own file

namespace {

struct TimeSlicesConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> cycles{*this,
                         "cycles",
                         1'000'000,
                         "SM cycles",
                         {1000, 1u << 31},
                         "of a program's turn, if others have work",
                         "rule: NVIDIA, Multi-Process Service; value: assumed"};
};

struct TimeSlicesStats : StatGroup {
  using StatGroup::StatGroup;
  Counter turns{*this, "turns", "turns", "Turns of programs that share the GPU."};
  Counter cut_short{*this, "cut_short", "turns",
                    "Of these, those at whose end blocks had to leave."};
};

class TimeSlices : public PlacementOfClients {
 public:
  TimeSlices(const TimeSlicesConfig& config, StatGroup& statistics,
             std::unique_ptr<Placement> inner)
      : PlacementOfClients(std::move(inner)),
        config_(config),
        stats_(statistics.unit<TimeSlicesStats>("time_slices")) {}

  std::optional<Choice> choose(const Offer& offer, Cycle now) override {
    const auto has_blocks = [&](unsigned client) {
      return std::any_of(offer.candidates.begin(), offer.candidates.end(),
                         [client](const Candidate& one) { return one.grid->client == client; });
    };
    // A program without resident blocks and without blocks to place does not need its turn.
    if (resident_[turn_] == 0 && !has_blocks(turn_)) {
      const auto next =
          std::find_if(offer.candidates.begin(), offer.candidates.end(),
                       [&](const Candidate& one) { return one.grid->client > turn_; });
      const bool around = next == offer.candidates.end();
      begin(around ? offer.candidates.front().grid->client : next->grid->client, now);
    }
    const bool others = std::any_of(resident_.begin(), resident_.end(), [&](const auto& one) {
      return one.first != turn_ && one.second != 0;
    });
    if (others) return {};
    if (!begun_) began_ = now;  // the time in which blocks leave counts for their own program
    begun_ = true;
    return choose_among(offer, offer.sms, now,
                        [&](const Candidate& one) { return one.grid->client == turn_; });
  }

  void grid_entered(const Grid& grid) override {
    ++grids_[grid.client];
    PlacementOfClients::grid_entered(grid);
  }
  void grid_left(const Grid& grid) override {
    if (--grids_[grid.client] == 0) grids_.erase(grid.client);
    PlacementOfClients::grid_left(grid);
  }
  void block_started(const PlacedBlock& block) override {
    ++resident_[block.grid->client];
    PlacementOfClients::block_started(block);
  }
  void block_ended(const PlacedBlock& block, bool left) override {
    --resident_[block.grid->client];
    PlacementOfClients::block_ended(block, left);
  }

 protected:
  Cycle own_period() const override { return std::max(config_.cycles / 8, 1u); }

  void own_sample(std::span<const SmView> sms, Cycle now, DepartureRequests& departures) override {
    if (!begun_ || now - began_ < config_.cycles) return;
    auto next = grids_.upper_bound(turn_);
    if (next == grids_.end()) next = grids_.begin();
    if (next == grids_.end() || next->first == turn_) return;  // no other program has work
    const unsigned before = turn_;
    begin(next->first, now);
    stats_.cut_short += resident_[before] != 0;
    for (const SmView& sm : sms) {
      sm.for_each_block([&](const PlacedBlock& block) {
        if (block.grid->client == before) departures.request(block);
      });
    }
  }

 private:
  void begin(unsigned client, Cycle now) {
    turn_ = client;
    began_ = now;
    begun_ = false;
    ++stats_.turns;
  }

  const TimeSlicesConfig& config_;
  TimeSlicesStats& stats_;
  unsigned turn_ = 0;                      // the client whose turn it is
  Cycle began_ = 0;                        // when its turn began
  bool begun_ = false;                     // blocks of other programs have left
  std::map<unsigned, unsigned> grids_;     // in the distributor, of each client
  std::map<unsigned, unsigned> resident_;  // blocks, of each client
};

std::unique_ptr<Placement> make_around(const ConfigGroup* config, StatGroup& statistics,
                                       std::unique_ptr<Placement> inner) {
  return std::make_unique<TimeSlices>(static_cast<const TimeSlicesConfig&>(*config), statistics,
                                      std::move(inner));
}

}  // namespace

PlacementKind time_slices() {
  return {.name = "time_slices",
          .meaning = "programs that share the GPU have it in turn (raddle corun)",
          .source = "NVIDIA, Multi-Process Service: what GPUs do without it",
          .make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
            return std::make_unique<TimeSlicesConfig>(root, "time_slices");
          },
          .make =
              [](const ConfigGroup* config, StatGroup& statistics) {
                return make_around(config, statistics, round_robin().make(nullptr, statistics));
              },
          .make_around = make_around};
}

}  // namespace raddle::machine
