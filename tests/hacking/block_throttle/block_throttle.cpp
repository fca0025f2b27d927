// A mechanism that places blocks: it places fewer on a multiprocessor while they mostly wait for
// memory.
#include <algorithm>

#include "machine/mechanism.h"
#include "machine/placement/placement.h"

namespace raddle::mechanisms::block_throttle {
namespace {

using namespace machine;

struct Config : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> period{*this,       "period",      1000,
                         "SM cycles", {1, 1u << 30}, "from one look at the blocks to the next"};
  Field<double> waiting{*this,  "waiting",
                        0.5,    "fraction",
                        {0, 1}, "one block less where they wait for memory longer than this"};
};

struct Stats : StatGroup {
  using StatGroup::StatGroup;
  Counter lowered{*this, "lowered", "changes", "Changes of an SM's limit to one block less."};
  Peak blocks_peak{*this, "blocks_peak", "blocks", "Maximum number of resident blocks of an SM."};
};

class BlockThrottle : public Mechanism, public Placement {
 public:
  BlockThrottle(const Config& config, LaunchPath& path)
      : config_(config), stats_(path.statistics().unit<Stats>("block_throttle")) {}

  Placement* placement(Placement&) override { return this; }

  std::optional<Choice> choose(const Offer& offer, Cycle) override {
    limits_.resize(offer.sms.size(), kMostBlocks);
    const Grid& grid = *offer.candidates.front().grid;
    for (unsigned sm = 0; sm < offer.sms.size(); ++sm) {
      const unsigned resident = offer.sms[sm].resident_blocks();
      // Blocks of a cooperative grid wait for one another: all must be resident.
      if (resident >= limits_[sm] && !grid.context.cooperative) continue;
      if (!offer.sms[sm].has_room(grid.needs)) continue;
      stats_.blocks_peak.touch(resident + 1);
      return Choice{0, sm};
    }
    return {};  // all wait until a block ends or the counters are looked at
  }

  Cycle sample_period() const override { return config_.period; }
  void sample(std::span<const SmView> sms, Cycle now, DepartureRequests&) override {
    limits_.resize(sms.size(), kMostBlocks);
    for (unsigned sm = 0; sm < sms.size(); ++sm) {
      Cycle resident = 0, waiting = 0;
      for (const PlacedBlock& block : sms[sm].blocks()) {
        resident += now - std::min(now, block.since);
        waiting += block.counts->stalls[static_cast<std::size_t>(Slot::memory)];
      }
      const unsigned blocks = sms[sm].resident_blocks();
      if (static_cast<double>(waiting) <= config_.waiting * static_cast<double>(resident)) {
        limits_[sm] = std::min(limits_[sm] + 1, kMostBlocks);
      } else if (blocks > 1) {
        limits_[sm] = blocks - 1;
        ++stats_.lowered;
      }
    }
  }

 private:
  static constexpr unsigned kMostBlocks = 1024;  // no limit
  const Config& config_;
  Stats& stats_;
  std::vector<unsigned> limits_;  // [SM]
};

}  // namespace

machine::MechanismKind kind() {
  MechanismKind kind;
  kind.name = "block_throttle";
  kind.meaning = "fewer blocks where they wait for memory";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<Config>(root, "block_throttle");
  };
  kind.attach = [](const ConfigGroup& config, LaunchPath& path) -> std::unique_ptr<Mechanism> {
    return std::make_unique<BlockThrottle>(dynamic_cast<const Config&>(config), path);
  };
  return kind;
}

}  // namespace raddle::mechanisms::block_throttle
