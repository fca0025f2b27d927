// Dynamic warp formation: lanes of different warps of a block that are at the same instruction
// issue as one warp, each in its own lane (Fung et al., MICRO 2007; irregular-control-flow, section
// 3.2). All ways of a branch can run, so that there are lanes to choose from; lanes of one warp
// meet at the immediate post-dominator.
#include <bit>
#include <optional>

#include "machine/reconvergence/formation.h"
#include "machine/reconvergence/independent.h"
#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/leaders.h"
#include "machine/scheduler/config.h"

namespace raddle::machine {
namespace {

class DynamicWarps : public IndependentThreads {
 public:
  using IndependentThreads::IndependentThreads;

  bool choose() override {
    drop_arrived();
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (cursors_[path].split != kNoSplit) continue;
      const std::uint8_t next = youngest(ready() & ~running());
      if (next != kNoSplit) run(next, path);
    }
    return running() != 0;
  }

 private:
  /// Splits at their meeting point dissolve; their parents may then be at their own meeting point.
  void drop_arrived() {
    for (bool any = true; any;) {
      any = false;
      for (std::uint64_t rest = ready() & ~running(); rest != 0; rest &= rest - 1) {
        const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
        if (!has_arrived(split)) continue;
        arrive_at_parent(split);
        any = true;
      }
    }
  }
};

/// The oldest first: if two warps could fill a lane, the warp that has waited longer gets it.
class OldestFirst : public Formation {
 public:
  explicit OldestFirst(const SchedulerConfig& config) {
    if (config.formation_leader == "policy") return;
    leaders_.emplace(config.formation_leader.value(), config.formation_turn, config.count);
  }

  void form(std::span<const ReadyPath> others, IssueGroup& group) override {
    for (;;) {
      const ReadyPath* best = nullptr;
      for (const ReadyPath& path : others) {
        const bool fits = group.has_room_for(path);
        if (fits && (best == nullptr || path.age < best->age)) best = &path;
      }
      if (best == nullptr) return;
      group.add(*best);
    }
  }

  bool leads() const override { return leaders_.has_value(); }
  const ReadyPath* lead(unsigned scheduler, std::span<const ReadyPath> ready) override {
    return leaders_->lead(scheduler, ready);
  }

 private:
  std::optional<Leaders> leaders_;
};

}  // namespace

LaneControlKind dynamic_warps_kind() {
  return {.name = "dynamic_warps",
          .meaning = "dynamic warp formation: lanes of several warps of a block issue as one",
          .source = "Fung et al., MICRO 2007",
          .paths = kMostPaths,
          .functional = "independent",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<DynamicWarps>(values, cursors);
          },
          .make_formation = [](const SchedulerConfig& config) -> std::unique_ptr<Formation> {
            return std::make_unique<OldestFirst>(config);
          }};
}

}  // namespace raddle::machine
