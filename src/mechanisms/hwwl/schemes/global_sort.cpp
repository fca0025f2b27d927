// One unit ranks the banks of all cores. The half with the most work is greedy, the other half
// needy. Greedy banks give to needy banks of their core. Greedy banks without such a partner send
// to other cores. Banks below the threshold get work first, even if they are in the greedy half.
#include <algorithm>

#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {
namespace {

struct Place {
  unsigned core, bank, work;
};

class GlobalSort : public GlobalScheme {
 public:
  void plan(std::span<const CoreWork> cores, std::span<Plan> plans,
            std::vector<Transfer>&) override {
    mark(cores);
    wanting_.clear();
    senders_.clear();
    for (unsigned core = 0; core < cores.size(); ++core) {
      plan_core(core, cores[core], plans[core]);
    }
    // Excess work of a core goes to needy banks of other cores that got none, in order of their
    // work, the least first. Cores with work of their own in memory get none.
    std::sort(wanting_.begin(), wanting_.end(), [](const Place& a, const Place& b) {
      return a.work != b.work ? a.work < b.work : a.core < b.core;
    });
    for (const Place& sender : senders_) {
      const auto to = std::find_if(wanting_.begin(), wanting_.end(), [&](const Place& place) {
        return place.core != sender.core && place.work < sender.work;
      });
      if (to == wanting_.end()) continue;
      plans[sender.core].sends.push_back({sender.bank, to->core});
      wanting_.erase(to);
    }
  }

 private:
  /// Fills greedy_ ([core][bank]).
  void mark(std::span<const CoreWork> cores) {
    all_.clear();
    greedy_.resize(cores.size());
    for (unsigned core = 0; core < cores.size(); ++core) {
      greedy_[core].assign(cores[core].work.size(), false);
      for (unsigned bank = 0; bank < cores[core].work.size(); ++bank) {
        all_.push_back({core, bank, cores[core].work[bank]});
      }
    }
    std::stable_sort(all_.begin(), all_.end(),
                     [](const Place& a, const Place& b) { return a.work > b.work; });
    for (std::size_t n = 0; n < all_.size() / 2; ++n) greedy_[all_[n].core][all_[n].bank] = true;
  }

  void plan_core(unsigned number, const CoreWork& core, Plan& plan) {
    rank(core.work, ranked_);
    from_.clear();
    to_.clear();
    for (const std::uint8_t bank : ranked_) {
      const bool below = is_needy(core.work[bank], core);
      if (below || !greedy_[number][bank]) to_.push_back(bank);
    }
    std::stable_partition(to_.begin(), to_.end(),
                          [&](std::uint8_t bank) { return is_needy(core.work[bank], core); });
    for (auto bank = ranked_.rbegin(); bank != ranked_.rend(); ++bank) {
      if (greedy_[number][*bank] && core.work[*bank] != 0) from_.push_back(*bank);
    }
    used_.assign(core.work.size(), false);
    std::size_t next = 0;
    for (const std::uint8_t from : from_) {
      if (used_[from]) continue;
      while (next < to_.size() && used_[to_[next]]) ++next;
      if (next == to_.size() || core.work[to_[next]] >= core.work[from]) {
        senders_.push_back({number, from, core.work[from]});
        continue;
      }
      plan.donations.push_back({from, to_[next]});
      used_[from] = used_[to_[next]] = true;
    }
    if (core.backlog) return send_of_backlog(number, core);
    for (const std::uint8_t bank : to_) {
      if (!used_[bank]) wanting_.push_back({number, bank, core.work[bank]});
    }
  }

  /// Adds a bank of a core with a backlog to the senders, as the bank with the most work, because
  /// more work will come from memory.
  void send_of_backlog(unsigned number, const CoreWork& core) {
    if (!senders_.empty() && senders_.back().core == number) return;
    const auto from = std::find_if(ranked_.rbegin(), ranked_.rend(), [&](std::uint8_t bank) {
      return !used_[bank] && core.work[bank] != 0;
    });
    if (from != ranked_.rend()) senders_.push_back({number, *from, ~0u});
  }

  std::vector<Place> all_, wanting_, senders_;
  std::vector<std::vector<bool>> greedy_;
  std::vector<std::uint8_t> ranked_, from_, to_;
  std::vector<bool> used_;
};

}  // namespace

SchemeKind global_sort() {
  SchemeKind kind;
  kind.name = "global_sort";
  kind.meaning =
      "one unit ranks the banks of all cores: the half with most work gives to the other";
  kind.source = "hardware-worklists, section III.C";
  kind.make_global = []() -> std::unique_ptr<GlobalScheme> {
    return std::make_unique<GlobalSort>();
  };
  kind.sorts = true;
  return kind;
}

}  // namespace raddle::mechanisms::hwwl
