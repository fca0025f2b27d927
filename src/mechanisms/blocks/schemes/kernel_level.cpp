// Estimates every block of a kernel by the current average over the kernel's blocks. Blocks leave
// when that oversubscribes a multiprocessor (Park et al., "Dynamic resource management for
// efficient utilization of multitasking GPUs", ASPLOS 2017, as described in
// thread-block-management, section V).
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
