// Each kernel by what its blocks use at present, on average; blocks leave where that oversubscribes an
// SM (Park et al., "Dynamic resource management for efficient utilization of multitasking GPUs", ASPLOS
// 2017, as thread-block-management, section V, takes it).
#include "mechanisms/blocks/kernel_averages.h"

namespace raddle::mechanisms::blocks {
namespace {

class KernelLevel : public Scheme {
 public:
  explicit KernelLevel(const SchemeSetup& setup)
      : steps_(setup.steps), averages_(setup.config.kernel_updates) {}
  Usage estimate(const Subject& block) const override { return steps_.usage(averages_.of(block)); }
  void learn(const Subject& block, const Rates& rates, bool) override {
    averages_.add(block, rates);
  }
  bool shares() const override { return true; }

 private:
  const Steps& steps_;
  KernelAverages averages_;
};

}  // namespace

SchemeKind kernel_level() {
  return {"kernel_level", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<KernelLevel>(setup);
          }};
}

}  // namespace raddle::mechanisms::blocks
