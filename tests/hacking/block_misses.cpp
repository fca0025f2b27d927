// A statistic of each block: the number of sectors that its loads missed in L1 caches, on every
// multiprocessor.
#include <bit>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/block_context.h"
#include "machine/mechanism.h"
#include "machine/unit/sm_unit.h"

namespace raddle::mechanisms::block_misses {
namespace {

using namespace machine;

struct Stats : StatGroup {
  using StatGroup::StatGroup;
  Log2Histogram<24> misses{*this, "misses", "sectors", "Of each block: what its loads missed."};
};

/// A block keeps its grid and index, and may be preempted and go on elsewhere.
std::uint64_t key_of(const isa::BlockContext& block) {
  const Dim3& grid = block.grid->grid;
  const std::uint64_t index =
      block.index.x +
      std::uint64_t{grid.x} * (block.index.y + std::uint64_t{grid.y} * block.index.z);
  return block.grid->id << 40 | index;
}

class MissCounter : public SmUnit {
 public:
  explicit MissCounter(SmPort& port) : port_(port) {}
  std::uint64_t take(std::uint64_t block) {
    const auto found = misses_.extract(block);
    return found.empty() ? 0 : found.mapped();
  }

  bool watches_l1() const override { return true; }
  void looked_up(const L1Lookup& lookup, Cycle) override {
    if (lookup.own || lookup.misses == 0) return;
    const isa::BlockContext& block = *port_.block_of(warp_of(lookup.path));
    misses_[key_of(block)] += static_cast<unsigned>(std::popcount(lookup.misses));
  }

 private:
  SmPort& port_;
  std::unordered_map<std::uint64_t, std::uint64_t> misses_;  // by block
};

class BlockMisses : public Mechanism {
 public:
  explicit BlockMisses(LaunchPath& path) : stats_(path.statistics().unit<Stats>("block_misses")) {}

  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override {
    auto unit = std::make_unique<MissCounter>(port);
    units_.push_back(unit.get());
    return unit;
  }
  void block_ended(Grid&, const isa::BlockContext& block) override {
    std::uint64_t misses = 0;
    for (MissCounter* unit : units_) misses += unit->take(key_of(block));
    stats_.misses.add(misses);
  }

 private:
  Stats& stats_;
  std::vector<MissCounter*> units_;  // of all multiprocessors
};

}  // namespace

MechanismKind kind() {
  MechanismKind kind;
  kind.name = "block_misses";
  kind.meaning = "counts the L1 misses of each block (an example)";
  kind.attach = [](const ConfigGroup&, LaunchPath& path) -> std::unique_ptr<Mechanism> {
    return std::make_unique<BlockMisses>(path);
  };
  return kind;
}

}  // namespace raddle::mechanisms::block_misses
