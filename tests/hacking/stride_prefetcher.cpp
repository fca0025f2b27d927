// A unit without instructions. It watches the loads of its multiprocessor's warps, and prefetches
// the next lines by a load's stride into the L1 cache while the cache is idle. It also watches
// which of these lines a load then hits, and which are evicted before.
#include <bit>
#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "machine/mechanism.h"
#include "machine/unit/sm_unit.h"

namespace raddle::mechanisms::stride_prefetcher {
namespace {

using namespace machine;

struct Config : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> ahead{*this, "ahead", 2, "loads", {1, 16}, "how many strides ahead it fetches"};
  Field<unsigned> queue{*this, "queue", 16, "lines", {1, 1024}, "lines that are yet to be fetched"};
};

struct Stats : StatGroup {
  using StatGroup::StatGroup;
  Counter prefetches{*this, "prefetches", "lines", "Lines asked for."};
  Counter used{*this, "used", "lines", "Of these, lines that a load found."};
  Counter late{*this, "late", "lines", "Of these, lines that were still under way then."};
  Counter replaced{*this, "replaced", "lines", "Of these, lines that were replaced before."};
};

class StridePrefetcher : public SmUnit {
 public:
  StridePrefetcher(const Config& config, SmPort& port)
      : config_(config), port_(port), stats_(port.statistics().unit<Stats>("stride_prefetcher")) {}

  bool watches_accesses() const override { return true; }
  void accessed(PathId path, std::uint32_t code, const isa::MemoryAccess& access,
                Cycle now) override {
    if (access.space != isa::MemoryAccess::Space::global || access.type != AccessType::load) return;
    const Address here = access.address[std::countr_zero(access.lanes)];
    Load& load = loads_[std::uint64_t{code} * kMaxWarps + warp_of(path)];
    const Address stride = here - load.last;
    if (stride != 0 && stride == load.stride && lines_.size() < config_.queue) {
      lines_.push_back(here + stride * config_.ahead);
      wake_ = now + 1;
    }
    load = {here, stride};
  }

  bool watches_l1() const override { return true; }
  void looked_up(const L1Lookup& lookup, Cycle) override {
    if (lookup.own) {
      if (lookup.misses != 0) unused_.insert(lookup.line);  // else it is there already
    } else if (unused_.erase(lookup.line) != 0) {
      ++(lookup.hits != 0 ? stats_.used : stats_.late);
    }
  }
  void evicted(const L1Eviction& eviction, Cycle) override {
    stats_.replaced += unused_.erase(eviction.line);
  }

  Cycle wake() const override { return wake_; }
  void cycle(Cycle now) override {
    if (!lines_.empty() && port_.can_access(Priority::low)) {
      UnitAccess line;
      line.type = AccessType::prefetch;
      line.lanes = 1;
      line.address[0] = lines_.front();
      port_.access(line, Priority::low);
      ++stats_.prefetches;
      lines_.pop_front();
    }
    wake_ = lines_.empty() ? kNever : now + 1;
  }

 private:
  struct Load {
    Address last = 0, stride = 0;
  };
  const Config& config_;
  SmPort& port_;
  Stats& stats_;
  std::unordered_map<std::uint64_t, Load> loads_;  // by instruction and warp
  std::deque<Address> lines_;
  std::unordered_set<Address> unused_;  // lines that were fetched ahead and were not asked for yet
  Cycle wake_ = kNever;
};

class StridePrefetchers : public Mechanism {
 public:
  explicit StridePrefetchers(const Config& config) : config_(config) {}
  std::unique_ptr<SmUnit> sm_unit(SmPort& port) override {
    return std::make_unique<StridePrefetcher>(config_, port);
  }

 private:
  const Config& config_;
};

}  // namespace

MechanismKind kind() {
  MechanismKind kind;
  kind.name = "stride_prefetcher";
  kind.meaning = "prefetches lines by the strides of loads (an example)";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<Config>(root, "stride_prefetcher");
  };
  kind.attach = [](const ConfigGroup& config, LaunchPath&) -> std::unique_ptr<Mechanism> {
    return std::make_unique<StridePrefetchers>(dynamic_cast<const Config&>(config));
  };
  return kind;
}

}  // namespace raddle::mechanisms::stride_prefetcher
