// Estimates every block of a kernel by the kernel's average over all its blocks in an earlier run.
// No block is preempted (thread-block-management, section V: the best that a compiler or a model
// could know).
#include <limits>

#include "mechanisms/blocks/kernel_averages.h"

namespace raddle::mechanisms::blocks {
namespace {

class StaticOracle : public Scheme {
 public:
  explicit StaticOracle(const Steps& steps) : steps_(steps) {}
  Usage estimate(const Subject& block) const override { return steps_.usage(averages_.of(block)); }
  void learn(const Subject& block, const Rates& rates, bool ended) override {
    if (ended && !frozen_) averages_.add(block, rates);
  }
  bool shares() const override { return true; }
  bool preempts() const override { return false; }
  void rehearsal_ended() override { frozen_ = true; }

 private:
  const Steps& steps_;
  KernelAverages averages_{std::numeric_limits<double>::infinity()};
  bool frozen_ = false;
};

}  // namespace

SchemeKind static_oracle() {
  return {"static_oracle", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<StaticOracle>(setup.steps);
          }};
}

}  // namespace raddle::mechanisms::blocks
