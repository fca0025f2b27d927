// No estimates: multiprocessors take blocks in turn, wherever a block fits.
#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {
namespace {

class RoundRobin : public Scheme {
 public:
  Usage estimate(const Subject&) const override { return {}; }
  void learn(const Subject&, const Rates&, bool) override {}
  bool predicts() const override { return false; }
  bool preempts() const override { return false; }
};

}  // namespace

SchemeKind round_robin() {
  return {"round_robin", [](const SchemeSetup&) -> std::unique_ptr<Scheme> {
            return std::make_unique<RoundRobin>();
          }};
}

}  // namespace raddle::mechanisms::blocks
