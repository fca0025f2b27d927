// Thread block management (thread-block-management). Each multiprocessor measures how much its
// blocks use of it. The scheduler keeps a table of the measurements, places blocks by it, and makes
// blocks leave.
//
//   tracker.h       looks of a multiprocessor at the counters of its blocks; meter.h: their rates
//   usage_table.h   the last usage of a block with this stream and index
//   scheme.h        how blocks are estimated, and how estimates are used
//   balance.h       the predicted use of each multiprocessor by its blocks together
//   scheduler.h     where blocks go, and which blocks leave; victim_queue.h
//   phases.h        how long the usage of a block stays the same
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "machine/chip.h"
#include "machine/config.h"
#include "machine/l2/config.h"
#include "machine/mechanism.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"
#include "mechanisms/blocks/phases.h"
#include "mechanisms/blocks/scheduler.h"
#include "mechanisms/blocks/tracker.h"

namespace raddle::mechanisms::blocks {
namespace {

using machine::PlacedBlock;

class Blocks : public machine::Mechanism {
 public:
  Blocks(const BlocksConfig& config, machine::LaunchPath& path)
      : config_(config),
        path_(path),
        stats_(path.statistics().unit<BlocksStats>("blocks")),
        steps_{{config.memory_step, config.fpu_step},
               config.levels == "even" ? Levels::even : Levels::doubling},
        meter_(path.config()),
        scheme_(scheme(config.scheme).make({config, steps_, stats_})),
        phases_(config.phase_window * machine::core_mhz(path.config()), config.phase_change,
                steps_.of, 1.0 / machine::core_mhz(path.config()), stats_) {
    for (unsigned sm = 0; sm < machine::sms(path.config()); ++sm) {
      trackers_.emplace_back(meter_, steps_, path.config().sm.blocks);
    }
  }

  bool counts_blocks() const override { return true; }
  machine::Placement* placement(machine::Placement& inner) override {
    const BlockScheduler::Watch watch{
        .started = [this](const PlacedBlock& block) { started(block); },
        .restored = [this](const PlacedBlock& block) { restored(block); },
        .ended = [this](const PlacedBlock& block, bool left) { ended(block, left); }};
    const BlockScheduler::Parts parts{config_, steps_, *scheme_, path_, stats_};
    scheduler_ = std::make_unique<BlockScheduler>(parts, watch, inner);
    return scheduler_.get();
  }

  void grid_started(const machine::Grid& grid) override {
    if (grid.kernel->name == config_.rehearsal_ends.value()) scheme_->rehearsal_ended();
  }

  Cycle wake() const override {
    if (scheduler_ == nullptr) return kNever;
    const Cycle arrival = under_way_.empty() ? kNever : under_way_.front().at;
    return std::min(arrival, scheduler_->patience_ends());
  }
  Cycle next_look() const override { return next_look_; }
  void cycle() override {
    const Cycle now = path_.now();
    if (next_look_ <= now) look(now);
    while (!under_way_.empty() && under_way_.front().at <= now) {
      const Update update = under_way_.front().update;
      under_way_.pop_front();
      scheduler_->update(update);
    }
    scheduler_->look_at_patience();
  }

 private:
  struct UnderWay {
    Cycle at;
    Update update;
  };

  void started(const PlacedBlock& block) {
    const machine::BlockNeeds& needs = block.grid->needs;
    const std::uint64_t bytes = std::uint64_t{needs.registers} * 4 + needs.shared_bytes;
    ++stats_.contexts;
    stats_.context_bytes += bytes;
    const double us = static_cast<double>(bytes) / 1024 / config_.check_kilobytes;
    const auto period = static_cast<Cycle>(us * machine::core_mhz(path_.config()));
    trackers_[block.sm].started(block, std::max<Cycle>(period, 1));
    next_look_ = std::min(next_look_, trackers_[block.sm].next());
    count_busy();
    ++resident_;
  }

  void restored(const PlacedBlock& block) {
    trackers_[block.sm].restored(block, path_.now());
    find_next_look();
  }

  void ended(const PlacedBlock& block, bool left) {
    const auto [look, last] = trackers_[block.sm].ended(block, path_.now());
    find_next_look();
    count_busy();
    --resident_;
    const Subject subject = subject_of(*block.grid, block.number());
    phases_.add(subject, last.rates, last.cycles);
    const auto cycles = static_cast<double>(look.cycles);
    stats_.throttled_cycles +=
        static_cast<std::uint64_t>(look.rates[0] * cycles * path_.config().scheduler.count + 0.5);
    stats_.floating_cycles += static_cast<std::uint64_t>(look.rates[1] * cycles + 0.5);
    if (left) return;
    correlate(subject, look.rates);
    ++stats_.end_updates;
    send(block, look, true);
  }

  /// Adds the time since the last call, if blocks were resident.
  void count_busy() {
    const Cycle now = path_.now();
    if (resident_ != 0) busy_cycles_ += now - busy_until_;
    busy_until_ = now;
    const double ns = static_cast<double>(busy_cycles_) * 1000 / machine::core_mhz(path_.config());
    stats_.busy_ns += static_cast<std::uint64_t>(ns) - stats_.busy_ns.value();
  }

  /// Correlates the block with the block of the same index in the stream's previous launch.
  void correlate(const Subject& subject, const Rates& rates) {
    const auto now = static_cast<std::uint64_t>(rates[0] * 10000 + 0.5);
    const auto [before, is_first] = last_.try_emplace(subject.place(), now);
    if (is_first) return;
    const std::uint64_t then = std::exchange(before->second, now);
    ++stats_.pairs;
    stats_.sum_before += then;
    stats_.sum_now += now;
    stats_.squares_before += then * then;
    stats_.squares_now += now * now;
    stats_.products += then * now;
  }

  void look(Cycle now) {
    count_busy();
    for (const machine::SmView& sm : path_.sms()) {
      Tracker& tracker = trackers_[sm.number()];
      if (tracker.next() > now) continue;
      sm.count_until(now + 1);
      for (unsigned slot = 0; slot < sm.places(); ++slot) {
        if (!tracker.is_due(slot, now)) continue;
        const PlacedBlock block = sm.at(slot);
        const std::optional<Look> look = tracker.look(block, now);
        if (!look) continue;
        ++stats_.looks;
        phases_.add(subject_of(*block.grid, block.number()), look->rates, look->cycles);
        if (!look->moved) continue;
        ++stats_.updates;
        send(block, *look, false);
      }
    }
    find_next_look();
  }

  void send(const PlacedBlock& block, const Look& look, bool ended) {
    stats_.update_bytes += config_.update_bytes;
    under_way_.push_back({path_.now() + config_.update_latency,
                          {subject_of(*block.grid, block.number()), look.rates, ended, block.sm,
                           block.slot, block.since}});
  }

  void find_next_look() {
    next_look_ = kNever;
    for (const Tracker& tracker : trackers_) next_look_ = std::min(next_look_, tracker.next());
  }

  const BlocksConfig& config_;
  machine::LaunchPath& path_;
  BlocksStats& stats_;
  Steps steps_;
  Meter meter_;
  std::unique_ptr<Scheme> scheme_;
  Phases phases_;
  std::vector<Tracker> trackers_;  // [SM]
  std::unique_ptr<BlockScheduler> scheduler_;
  std::deque<UnderWay> under_way_;  // updates, in the order in which they arrive
  Cycle next_look_ = kNever;
  std::map<decltype(Subject{}.place()), std::uint64_t> last_;  // what each block lost last
  std::uint64_t resident_ = 0;
  Cycle busy_cycles_ = 0, busy_until_ = 0;  // with resident blocks; counted up to here
};

void check(const ConfigGroup& group, const machine::GpuConfig& gpu) {
  const auto& config = static_cast<const BlocksConfig&>(group);
  scheme(config.scheme);
  if (gpu.l2.halves == 2u && !config.cached_contexts &&
      scheme(config.scheme).name != "round_robin") {
    fail("{} = false: an L2 cache of two halves (l2.halves) has no way past it; set it to true",
         config.cached_contexts.path());
  }
  const auto needs_a_level = [](const auto& capacity, const auto& step) {
    if (capacity.value() >= step.value()) return;
    fail("{} = {}: should be at least {} = {}", capacity.path(), capacity.text(), step.path(),
         step.text());
  };
  needs_a_level(config.memory_capacity, config.memory_step);
  needs_a_level(config.fpu_capacity, config.fpu_step);
}

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "blocks";
  kind.shared = true;
  kind.meaning =
      "thread blocks placed by what their like used, and preempted where that is too much "
      "(thread block management)";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<BlocksConfig>(root, "blocks");
  };
  kind.check = check;
  kind.attach = [](const ConfigGroup& config,
                   machine::LaunchPath& path) -> std::unique_ptr<machine::Mechanism> {
    return std::make_unique<Blocks>(static_cast<const BlocksConfig&>(config), path);
  };
  return kind;
}

}  // namespace raddle::mechanisms::blocks
