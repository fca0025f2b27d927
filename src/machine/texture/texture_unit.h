// The texture units of a multiprocessor. Lookups load their texels through the read-only cache, and
// are filtered in groups of four lanes.
#pragma once

#include "machine/config.h"
#include "machine/load_store/load_store.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {

class TextureUnit : public SmUnit {
 public:
  /// `statistics`: of the load-store unit, because lookups count as its instructions.
  TextureUnit(const GpuConfig& config, LoadStoreStats& statistics, SmPort& port);

  bool can_issue(const isa::Instruction&, Cycle) const override { return true; }
  LaneMask issue(const UnitIssue& issue, Cycle now) override;
  Cycle data_came(PathId, std::uint32_t code, Cycle now) override;

 private:
  SmPort& port_;
  unsigned quads_, filter_delay_;
  Cycle filter_until_ = 0;                                   // until then, the units are busy
  std::array<Transaction, kMostTransactions> transactions_;  // of the lookup that is being issued
  LoadStoreStats& stats_;
};

}  // namespace raddle::machine
