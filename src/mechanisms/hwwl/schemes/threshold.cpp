// Greedy banks give to needy banks in turn, regardless of how much work each has.
#include <algorithm>

#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {
namespace {

class Threshold : public LocalScheme {
 public:
  void plan(const CoreWork& core, Plan& plan) override {
    const auto banks = static_cast<unsigned>(core.work.size());
    unsigned needy = 0;  // how many banks after to_ have been looked at
    for (unsigned n = 0; n < banks; ++n) {
      const unsigned from = (from_ + n) % banks;
      if (!is_greedy(core.work[from], core)) continue;
      while (needy < banks && !is_needy(core.work[(to_ + needy) % banks], core)) ++needy;
      if (needy == banks) {  // more greedy banks than needy ones
        plan.sends.push_back({from, Plan::kAny});
        break;
      }
      plan.donations.push_back(
          {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>((to_ + needy++) % banks)});
    }
    if (core.backlog && plan.sends.empty()) send_of_backlog(core, plan);
    if (plan.donations.empty() && plan.sends.empty()) return;
    from_ = (from_ + 1) % banks;
    to_ = (to_ + 1) % banks;
  }

 private:
  /// Sends work of a core with a backlog. Possibly none of its banks is greedy, because pulled work
  /// is not refilled at once.
  void send_of_backlog(const CoreWork& core, Plan& plan) const {
    const auto banks = static_cast<unsigned>(core.work.size());
    for (unsigned n = 0; n < banks; ++n) {
      const unsigned from = (from_ + n) % banks;
      const bool gives = std::any_of(plan.donations.begin(), plan.donations.end(),
                                     [&](const Plan::Donation& one) { return one.from == from; });
      if (gives || !may_send(core.work[from], core)) continue;
      plan.sends.push_back({from, Plan::kAny});
      return;
    }
  }

  unsigned from_ = 0, to_ = 0;  // the banks whose turn is first
};

}  // namespace

SchemeKind threshold() {
  SchemeKind kind;
  kind.name = "threshold";
  kind.meaning = "banks above the threshold give to banks below it, in turn";
  kind.source = "hardware-worklists, section III.C";
  kind.make_local = []() -> std::unique_ptr<LocalScheme> { return std::make_unique<Threshold>(); };
  return kind;
}

}  // namespace raddle::mechanisms::hwwl
