// Cache-conscious scheduling, CCWS (Rogers et al., MICRO 2012): greedy then oldest, with throttled
// loads. If a warp misses a line that it had in the L1 cache and lost to other warps, it gets a
// larger share of the cache: the warps that lose least issue no loads for a time.
//
// Each warp has victim tags of lines that it had brought and that have been replaced. A miss that
// hits a victim tag is lost locality. It sets the warp's score to
//
//   lost lines found * throttle / instructions issued * cutoff
//
// with the sums of the resident warps, if that is above the base score. The score falls by one a
// cycle until it is the base score again. The cutoff is the base score times the number of resident
// warps. Warps may load in the order of their scores, the highest first (for equal scores the
// lowest slot first), until their scores together reach the cutoff; the others may not load. Where
// the paper is silent, this follows its authors' simulator (ccws-2012 by T. Rogers,
// scheduling-point-system.cc, configuration QuadroFX5800-CCWS).
//
// Differences: the paper has one scheduler for each multiprocessor; here each scheduler has the
// scores of its own warps. Victim tags forget a line when it is found, since misses of a line that
// is already in flight are reported too, but not when it is stored to. The second of two
// instructions that a warp issues in one cycle is not held back.
#include <algorithm>
#include <array>
#include <utility>

#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

constexpr const char* kPaper = "Rogers et al., MICRO 2012";
constexpr const char* kSimulator =
    "Rogers et al., MICRO 2012: as configured in its simulator, ccws-2012";

struct CcwsConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> victim_ways{*this,     "victim_ways", 8,
                              "lines",   {1, 64},       "a warp's victim tags: lines of a set",
                              kSimulator};
  Field<unsigned> victim_sets{*this,   "victim_sets",          2,         "sets",
                              {1, 64}, "a warp's victim tags", kSimulator};
  Field<unsigned> base_score{*this,       "base_score",   100,
                             "SM cycles", {1, 1'000'000}, "score of a warp that loses no lines",
                             kSimulator};
  Field<unsigned> throttle{
      *this,     "throttle",     8,
      "",        {0, 1'000'000}, "factor of the score for a lost line; 0: no warp is held back",
      kSimulator};
};

struct CcwsStats : StatGroup {
  using StatGroup::StatGroup;
  Counter lost_lines{*this, "lost_lines", "transactions",
                     "Misses of lines that the warp had in the L1 cache before."};
  Counter held_back{*this, "held_back", "scheduler cycles",
                    "Cycles without issue, though warps that may not load had a load."};
};

/// Replaced lines of one warp: in each set, the latest ones.
class VictimTags {
 public:
  VictimTags(unsigned sets, unsigned ways)
      : sets_(sets), ways_(ways), lines_(sets * ways, kNever) {}

  void clear() { std::fill(lines_.begin(), lines_.end(), kNever); }
  void insert(Address line) {
    remove(line);
    Address* const set = set_of(line);
    std::move_backward(set, set + ways_ - 1, set + ways_);
    *set = line;
  }
  /// Returns whether it was there.
  bool remove(Address line) {
    Address* const set = set_of(line);
    Address* const found = std::find(set, set + ways_, line);
    if (found == set + ways_) return false;
    std::move(found + 1, set + ways_, found);
    set[ways_ - 1] = kNever;
    return true;
  }

 private:
  Address* set_of(Address line) { return &lines_[line / kLineBytes % sets_ * ways_]; }

  unsigned sets_, ways_;
  std::vector<Address> lines_;  // [set * ways]: the latest first
};

class CacheConscious : public WarpPolicy {
 public:
  CacheConscious(const CcwsConfig& config, StatGroup& sm)
      : base_(config.base_score),
        throttle_(config.throttle),
        stats_(sm.unit<CcwsStats>("ccws")),
        victims_(kMaxWarps, {config.victim_sets, config.victim_ways}) {}

  unsigned pick(const ReadyWarps& warps) override {
    WarpMask ready = warps.ready;
    if (warps.now < all_load_from_) ready &= ~held_back(warps);
    if (ready == 0) {
      ++stats_.held_back;
      return kNobody;
    }
    return (ready & warp_bit(last_)) != 0 ? last_ : oldest_of(ready, warps.ages);
  }
  bool is_patient() const override { return false; }
  void issued(unsigned warp, const isa::Instruction&, Cycle) override {
    last_ = warp;
    ++issued_;
    ++issued_of_[warp];
  }
  void started(unsigned warp) override {
    there_ |= warp_bit(warp);
    falls_until_[warp] = 0;
    victims_[warp].clear();
  }
  void ended(unsigned warp) override {
    there_ &= ~warp_bit(warp);
    issued_ -= std::exchange(issued_of_[warp], 0);
    lost_ -= std::exchange(lost_of_[warp], 0);
  }

  bool watches_l1() const override { return true; }
  void evicted(const L1Eviction& eviction, Cycle) override {
    victims_[eviction.warp].insert(eviction.line);
  }
  void looked_up(const L1Lookup& lookup, Cycle now) override {
    const unsigned warp = warp_of(lookup.path);
    if (lookup.misses == 0 || !victims_[warp].remove(lookup.line)) return;
    ++stats_.lost_lines;
    ++lost_;
    ++lost_of_[warp];
    const std::uint64_t detected =
        lost_ * throttle_ * cutoff() / std::max<std::uint64_t>(issued_, 1);
    falls_until_[warp] = now + (detected > base_ ? detected - base_ : 0);
    all_load_from_ = std::max(all_load_from_, falls_until_[warp]);
  }

 private:
  std::uint64_t cutoff() const { return std::uint64_t{base_} * std::popcount(there_); }
  std::uint64_t score(unsigned warp, Cycle now) const {
    return base_ + (falls_until_[warp] > now ? falls_until_[warp] - now : 0);
  }

  /// Warps whose next instruction is a load, but that may not load.
  WarpMask held_back(const ReadyWarps& warps) const {
    WarpMask loads = 0;
    for (WarpMask rest = warps.ready & warps.load_store; rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      const isa::Instruction& next = *warps.next[warp];
      if (next.klass == isa::Class::load_store && next.has_result) loads |= warp_bit(warp);
    }
    return loads == 0 ? 0 : loads & ~may_load(warps);
  }

  /// The warps with the highest scores, until these reach the cutoff.
  WarpMask may_load(const ReadyWarps& warps) const {
    std::array<std::uint8_t, kMaxWarps> order;
    unsigned count = 0;
    for (WarpMask rest = there_; rest != 0; rest &= rest - 1) {
      order[count++] = static_cast<std::uint8_t>(std::countr_zero(rest));
    }
    std::sort(order.begin(), order.begin() + count, [&](unsigned a, unsigned b) {
      const std::uint64_t of_a = score(a, warps.now), of_b = score(b, warps.now);
      return of_a != of_b ? of_a > of_b : a < b;
    });
    WarpMask may = 0;
    std::uint64_t sum = 0;
    for (unsigned n = 0; n < count && sum < cutoff(); ++n) {
      sum += score(order[n], warps.now);
      may |= warp_bit(order[n]);
    }
    return may;
  }

  unsigned base_, throttle_;
  CcwsStats& stats_;
  std::vector<VictimTags> victims_;             // [warp]
  std::array<Cycle, kMaxWarps> falls_until_{};  // [warp]: when its score is the base again
  Cycle all_load_from_ = 0;                     // when all scores are the base again
  WarpMask there_ = 0;
  // Of the resident warps: their sum, and [warp].
  std::uint64_t lost_ = 0, issued_ = 0;
  std::array<std::uint64_t, kMaxWarps> lost_of_{}, issued_of_{};
  unsigned last_ = 0;
};

}  // namespace

WarpPolicyKind cache_conscious_kind() {
  return {.name = "ccws",
          .meaning = "greedy then oldest, with fewer warps that load where warps lose lines of L1",
          .source = kPaper,
          .make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
            return std::make_unique<CcwsConfig>(root, "ccws");
          },
          .make = [](const WarpPolicySetup& setup) -> std::unique_ptr<WarpPolicy> {
            return std::make_unique<CacheConscious>(dynamic_cast<const CcwsConfig&>(*setup.own),
                                                    setup.statistics);
          }};
}

}  // namespace raddle::machine
