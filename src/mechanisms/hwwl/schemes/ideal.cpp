// At every interval all banks of all cores get the same amount of work, as nearly as possible. The
// moves take no time (the paper's "magic").
#include <algorithm>

#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {
namespace {

class Ideal : public GlobalScheme {
 public:
  void plan(std::span<const CoreWork> cores, std::span<Plan>,
            std::vector<Transfer>& transfers) override {
    unsigned total = 0, banks = 0;
    for (const CoreWork& core : cores) {
      for (const unsigned work : core.work) total += work;
      banks += static_cast<unsigned>(core.work.size());
    }
    const unsigned share = total / banks;
    unsigned left = total % banks;  // this number of banks get one more
    above_.clear();
    below_.clear();
    for (unsigned core = 0; core < cores.size(); ++core) {
      for (unsigned bank = 0; bank < cores[core].work.size(); ++bank) {
        const unsigned work = cores[core].work[bank];
        if (work > share) {
          const bool keeps = left != 0;
          left -= keeps ? 1 : 0;
          if (work > share + (keeps ? 1 : 0)) {
            above_.push_back({core, bank, work - share - (keeps ? 1 : 0)});
          }
        }
      }
    }
    for (unsigned core = 0; core < cores.size(); ++core) {
      for (unsigned bank = 0; bank < cores[core].work.size(); ++bank) {
        const unsigned work = cores[core].work[bank];
        if (work > share) continue;
        const bool more = left != 0;
        left -= more ? 1 : 0;
        const unsigned wants = share + (more ? 1 : 0) - work;
        if (wants != 0) below_.push_back({core, bank, wants});
      }
    }
    match(transfers);
  }

 private:
  struct Place {
    unsigned core, bank, ids;
  };

  void match(std::vector<Transfer>& transfers) {
    auto to = below_.begin();
    for (Place& from : above_) {
      while (from.ids != 0 && to != below_.end()) {
        const unsigned ids = std::min(from.ids, to->ids);
        transfers.push_back({from.core, from.bank, to->core, to->bank, ids});
        from.ids -= ids;
        to->ids -= ids;
        if (to->ids == 0) ++to;
      }
    }
  }

  std::vector<Place> above_, below_;
};

}  // namespace

SchemeKind ideal() {
  SchemeKind kind;
  kind.name = "ideal";
  kind.meaning = "all banks of all cores have the same after every interval";
  kind.source = "hardware-worklists, section IV.D";
  kind.make_global = []() -> std::unique_ptr<GlobalScheme> { return std::make_unique<Ideal>(); };
  return kind;
}

}  // namespace raddle::mechanisms::hwwl
