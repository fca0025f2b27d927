// The banks of a core with the most work give work to the core's needy banks. A needy bank may also
// give to a bank with less work. If there are more greedy banks than needy ones, a greedy bank
// sends work to another core.
#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {
namespace {

class LocalSort : public LocalScheme {
 public:
  void plan(const CoreWork& core, Plan& plan) override {
    rank(core.work, ranked_);
    std::size_t least = 0, most = ranked_.size();
    while (least + 1 < most) {
      const std::uint8_t to = ranked_[least], from = ranked_[most - 1];
      if (!is_needy(core.work[to], core) || core.work[from] <= core.work[to]) break;
      plan.donations.push_back({from, to});
      ++least;
      --most;
    }
    if (!greedy(core)) return;
    // The next bank in the ranking has not given work yet.
    if (most > least && may_send(core.work[ranked_[most - 1]], core)) {
      plan.sends.push_back({ranked_[most - 1], Plan::kAny});
    }
  }

 private:
  std::vector<std::uint8_t> ranked_;
};

}  // namespace

SchemeKind local_sort() {
  SchemeKind kind;
  kind.name = "local_sort";
  kind.meaning = "a core's banks with most work give to those with least";
  kind.source = "hardware-worklists, section III.C";
  kind.make_local = []() -> std::unique_ptr<LocalScheme> { return std::make_unique<LocalSort>(); };
  kind.sorts = true;
  return kind;
}

}  // namespace raddle::mechanisms::hwwl
