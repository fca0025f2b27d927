// A unit with two instructions: `place.take.u32 d` gives each lane one of its multiprocessor's
// places, and makes it wait until there is one; `place.give.u32 a` gives it back.
#include <bit>
#include <deque>
#include <memory>
#include <vector>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/services.h"
#include "isa/table.h"
#include "machine/chip.h"
#include "machine/config.h"
#include "machine/mechanism.h"
#include "machine/unit/sm_unit.h"

namespace raddle::mechanisms::places {
namespace {

struct PlacesConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> count{*this,       "count", 8, "places", {1, 256}, "of each multiprocessor",
                        "HACKING.md"};
  Field<unsigned> latency{*this,       "latency", 5,
                          "SM cycles", {1, 1000}, "from taking a place to the use of its number",
                          "HACKING.md"};
};

struct PlacesStats : StatGroup {
  using StatGroup::StatGroup;
  Counter taken{*this, "taken", "lanes", "Lanes that took a place."};
  Counter waited{*this, "waited", "lanes", "Lanes that found none and waited."};
};

template <class F>
void for_lanes(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// The numbers of free places.
struct FreePlaces {
  explicit FreePlaces(unsigned count) {
    while (count != 0) numbers.push_back(--count);
  }
  /// Returns the lanes that got none.
  LaneMask take(LaneMask lanes, std::uint32_t* place) {
    for (; lanes != 0 && !numbers.empty(); lanes &= lanes - 1) {
      place[std::countr_zero(lanes)] = numbers.back();
      numbers.pop_back();
    }
    return lanes;
  }
  void give(LaneMask lanes, const std::uint32_t* place) {
    for_lanes(lanes, [&](unsigned lane) { numbers.push_back(place[lane]); });
  }
  std::vector<std::uint32_t> numbers;
};

/// Without timing: the places of all multiprocessors, and who waits.
struct Untimed {
  struct Waiting {
    const isa::WarpContext* warp;
    LaneMask lanes;
  };
  machine::LaunchPath& path;
  std::vector<FreePlaces> free;  // [SM]
  std::deque<Waiting> waiting;

  static Untimed& of(isa::WarpContext& w, const isa::Instruction& i) {
    return *static_cast<Untimed*>(w.global->services().unit_state(i.unit));
  }
};

// What the instructions do without timing. They order blocks: what one gives back another takes.
void execute_take(isa::WarpContext& w, const isa::Instruction& i) {
  if (!w.global->order(w)) return;
  Untimed& all = Untimed::of(w, i);
  const LaneMask rest = all.free[w.block->sm].take(w.active, w.destination<std::uint32_t>(i.d));
  if (rest != 0) all.waiting.push_back({&w, rest});
  if (rest != w.active) w.global->note_progress();
  w.event = rest;  // these lanes wait
}

void execute_give(isa::WarpContext& w, const isa::Instruction& i) {
  if (!w.global->order(w)) return;
  Untimed& all = Untimed::of(w, i);
  all.free[w.block->sm].give(w.active, w.source<std::uint32_t>(i.s[0]));
  // All try again: those who find no place wait again.
  for (; !all.waiting.empty(); all.waiting.pop_front()) {
    all.path.wake_lanes(*all.waiting.front().warp, all.waiting.front().lanes);
  }
  w.global->note_progress();
}

class PlacesUnit : public machine::SmUnit {
 public:
  PlacesUnit(const PlacesConfig& config, machine::SmPort& port)
      : latency_(config.latency),
        port_(port),
        stats_(port.statistics().unit<PlacesStats>("places")),
        free_(config.count) {}

  bool can_issue(const isa::Instruction&, Cycle now) const override { return issued_ < now; }
  bool collects_operands(const isa::Instruction& i) const override {
    return i.execute == execute_give;
  }

  LaneMask issue(const machine::UnitIssue& issue, Cycle now) override {
    issued_ = now;  // one instruction a cycle
    if (issue.instruction->execute == execute_give) {
      free_.give(issue.lanes, issue.warp->source<std::uint32_t>(issue.instruction->s[0]));
      return 0;
    }
    forget(machine::warp_of(issue.path), issue.joined);
    std::uint32_t place[kWarpSize];
    const LaneMask rest = free_.take(issue.lanes, place);
    machine::UnitIssue served = issue;
    served.lanes &= ~rest;
    if (served.lanes != 0) {
      const machine::UnitResult result = port_.reserve(served, false);
      port_.write(result, issue.instruction->d, served.lanes, place);
      port_.finish(result, served.lanes, now + latency_);
    }
    stats_.taken += static_cast<unsigned>(std::popcount(served.lanes));
    stats_.waited += static_cast<unsigned>(std::popcount(rest));
    if (rest != 0) waiting_.push_back({machine::warp_of(issue.path), rest});
    return rest;
  }

  /// Wakes a warp's lanes when there is a place; who finds none waits again, behind the others.
  Cycle wake() const override { return free_.numbers.empty() || waiting_.empty() ? kNever : 0; }
  void cycle(Cycle) override {
    const Waiting first = waiting_.front();
    waiting_.pop_front();
    port_.wake_lanes(first.warp, first.lanes);
  }

  void forget(unsigned warp) override { forget(warp, kAllLanes); }

 private:
  struct Waiting {
    unsigned warp;
    LaneMask lanes;
  };
  void forget(unsigned warp, LaneMask lanes) {
    for (Waiting& one : waiting_) one.lanes &= one.warp == warp ? ~lanes : kAllLanes;
    std::erase_if(waiting_, [](const Waiting& one) { return one.lanes == 0; });
  }

  unsigned latency_;
  machine::SmPort& port_;
  PlacesStats& stats_;  // belongs to the tree, and outlives the unit
  FreePlaces free_;
  std::deque<Waiting> waiting_;
  Cycle issued_ = 0;
};

class PlacesMechanism : public machine::Mechanism {
 public:
  PlacesMechanism(const PlacesConfig& config, machine::LaunchPath& path)
      : config_(config),
        untimed_{path,
                 std::vector<FreePlaces>(machine::sms(path.config()), FreePlaces(config.count)),
                 {}} {}
  std::unique_ptr<machine::SmUnit> sm_unit(machine::SmPort& port) override {
    return std::make_unique<PlacesUnit>(config_, port);
  }
  void* unit_state() override { return &untimed_; }

 private:
  const PlacesConfig& config_;
  Untimed untimed_;
};

const isa::Row kRows[] = {
    {"place", ".take(.u32)", "d", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_take; }, "", "take give",
     isa::kChangesState},
    {"place", ".give(.u32)", "a", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_give; }, "", "take give",
     isa::kChangesState},
};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "places";
  kind.meaning = "places that lanes take and give back";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<PlacesConfig>(root, "places");
  };
  kind.attach = [](const ConfigGroup& config,
                   machine::LaunchPath& path) -> std::unique_ptr<machine::Mechanism> {
    return std::make_unique<PlacesMechanism>(static_cast<const PlacesConfig&>(config), path);
  };
  kind.rows = [] { return std::span<const isa::Row>(kRows); };
  return kind;
}

}  // namespace raddle::mechanisms::places
