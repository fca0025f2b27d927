// Places fewer blocks than fit: a fixed number on each multiprocessor, or a number that follows the
// waiting of its schedulers (Kayiran et al., "Neither more nor less: optimizing thread-level
// parallelism for GPGPUs", PACT 2013: DYNCTA).
#include <algorithm>

#include "machine/placement/placement.h"
#include "machine/sm/stats.h"

namespace raddle::machine {

PlacementKind round_robin();  // defined in its own file

namespace {

struct ThrottleConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> blocks{
      *this,    "blocks",  4,
      "blocks", {1, 1024}, "resident blocks of an SM, at most; with a period: at the beginning"};
  Field<unsigned> period{*this,
                         "period",
                         2048,
                         "SM cycles",
                         {0, 1u << 30},
                         "after which the number is changed by one or left; 0: it is fixed",
                         "rule: Kayiran et al., PACT 2013; value: assumed"};
  Field<unsigned> idle{*this,
                       "idle",
                       16,
                       "SM cycles",
                       {0, 1u << 30},
                       "one block more if the SM had no warp to run for so long in a period",
                       "rule: Kayiran et al., PACT 2013; value: assumed"};
  Field<unsigned> memory_low{*this,
                             "memory_low",
                             128,
                             "SM cycles",
                             {0, 1u << 30},
                             "one block more if all warps waited for memory for less than this",
                             "rule: Kayiran et al., PACT 2013; value: assumed"};
  Field<unsigned> memory_high{*this,
                              "memory_high",
                              384,
                              "SM cycles",
                              {0, 1u << 30},
                              "one block less if all warps waited for memory for so long",
                              "rule: Kayiran et al., PACT 2013; value: assumed"};
};

struct ThrottleStats : StatGroup {
  using StatGroup::StatGroup;
  Counter raised{*this, "raised", "changes", "Changes of an SM's number to one block more."};
  Counter lowered{*this, "lowered", "changes", "Changes to one block less."};
  Histogram<32> limit{*this, "limit", "blocks", "The number of an SM, once a period."};
};

class Throttle : public PlacementAround {
 public:
  Throttle(const ThrottleConfig& config, StatGroup& statistics, std::unique_ptr<Placement> inner)
      : PlacementAround(std::move(inner)),
        config_(config),
        stats_(statistics.unit<ThrottleStats>("throttle")) {}

  std::optional<Choice> choose(const Offer& offer, Cycle now) override {
    limits_.resize(offer.sms.size(), {config_.blocks, 0, 0, 0});
    const auto promised = [](const Candidate& one) { return one.grid->context.cooperative; };
    // All blocks of a cooperative grid must be resident together.
    if (std::any_of(offer.candidates.begin(), offer.candidates.end(), promised)) {
      return PlacementAround::choose(offer, now);
    }
    views_.assign(offer.sms.begin(), offer.sms.end());
    for (std::size_t sm = 0; sm < views_.size(); ++sm) {
      if (views_[sm].resident_blocks() >= limits_[sm].blocks) views_[sm] = views_[sm].closed();
    }
    return PlacementAround::choose({offer.candidates, views_}, now);
  }

 protected:
  Cycle own_period() const override { return config_.period; }
  void own_sample(std::span<const SmView> sms, Cycle, DepartureRequests&) override {
    limits_.resize(sms.size(), {config_.blocks, 0, 0, 0});
    for (std::size_t sm = 0; sm < sms.size(); ++sm) adapt(limits_[sm], sms[sm]);
  }

 private:
  struct Limit {
    unsigned blocks;
    std::uint64_t all, idle, memory;  // scheduler cycles at the last sample
  };

  void adapt(Limit& limit, const SmView& sm) {
    const SmStats& counted = sm.statistics();
    std::uint64_t all = 0;
    for (const Counter* slot : counted.slots.counters()) all += *slot;
    const std::uint64_t idle = counted.slots.no_warp, memory = counted.slots.memory;
    const std::uint64_t passed = all - limit.all;
    // Cycles of a period, as if all schedulers of the multiprocessor were one.
    const auto share = [&](std::uint64_t now, std::uint64_t before) {
      return passed == 0 ? 0 : (now - before) * config_.period / passed;
    };
    const std::uint64_t idle_cycles = share(idle, limit.idle);
    const std::uint64_t memory_cycles = share(memory, limit.memory);
    const unsigned most = sm.resident_blocks() + sm.free_blocks();
    const unsigned before = limit.blocks;
    if (passed == 0) {
      // No warp has run here.
    } else if (idle_cycles >= config_.idle || memory_cycles < config_.memory_low) {
      limit.blocks = std::min(limit.blocks + 1, most);
    } else if (memory_cycles >= config_.memory_high) {
      limit.blocks = std::max(limit.blocks - 1, 1u);
    }
    stats_.raised += limit.blocks > before;
    stats_.lowered += limit.blocks < before;
    stats_.limit.add(limit.blocks);
    limit = {limit.blocks, all, idle, memory};
  }

  const ThrottleConfig& config_;
  ThrottleStats& stats_;
  std::vector<Limit> limits_;  // [SM]
  std::vector<SmView> views_;  // of an offer; closed where the limit is reached
};

std::unique_ptr<Placement> around(const ConfigGroup* config, StatGroup& statistics,
                                  std::unique_ptr<Placement> inner) {
  return std::make_unique<Throttle>(dynamic_cast<const ThrottleConfig&>(*config), statistics,
                                    std::move(inner));
}

}  // namespace

PlacementKind throttle() {
  return {
      .name = "throttle",
      .meaning = "SMs in turn, with fewer blocks than fit where they wait for memory",
      .source = "Kayiran et al., PACT 2013",
      .make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
        return std::make_unique<ThrottleConfig>(root, "throttle");
      },
      .make = [](const ConfigGroup* config, StatGroup& statistics) -> std::unique_ptr<Placement> {
        return around(config, statistics, round_robin().make(nullptr, statistics));
      },
      .make_around = around};
}

}  // namespace raddle::machine
