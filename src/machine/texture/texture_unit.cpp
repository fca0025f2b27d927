#include "machine/texture/texture_unit.h"

#include <algorithm>

#include "isa/global_port.h"
#include "machine/l1/config.h"
#include "machine/load_store/config.h"

namespace raddle::machine {
namespace {

/// The time of a lookup that hits, beyond the load of its texels, in SM cycles.
unsigned filter_delay(const GpuConfig& config) {
  const unsigned load = config.read_only.sets != 0 ? config.read_only.latency : config.l1.latency;
  return config.texture.latency > load ? config.texture.latency - load : 0;
}

}  // namespace

TextureUnit::TextureUnit(const GpuConfig& config, LoadStoreStats& statistics, SmPort& port)
    : port_(port),
      quads_(config.texture.quads),
      filter_delay_(filter_delay(config)),
      stats_(statistics) {}

/// Loads the lines with the texels of the lookups.
LaneMask TextureUnit::issue(const UnitIssue& issue, Cycle) {
  const isa::Footprint& footprint = issue.warp->global->textures().footprint();
  static_assert(isa::Footprint::kMostLines <= kMostTransactions);
  for (unsigned n = 0; n < footprint.count(); ++n) {
    Transaction& transaction = transactions_[n];
    transaction.line = footprint[n].line;
    transaction.sectors = footprint[n].sectors;
    transaction.read_only = true;
  }
  ++stats_.texture_requests;
  port_.access_for(issue, transactions_.data(), footprint.count(), CacheId::read_only);
  return 0;
}

/// All texels of a lookup have arrived, and its quads wait for their turn. Returns the cycle of the
/// result. That is `now` if the texture units are free and filtering takes no longer than the load.
Cycle TextureUnit::data_came(PathId, std::uint32_t, Cycle now) {
  constexpr unsigned kQuads = kWarpSize / 4;
  stats_.texture_quads += kQuads;
  const Cycle start = std::max(filter_until_, now);
  filter_until_ = start + (kQuads + quads_ - 1) / quads_;
  return start + filter_delay_;
}

}  // namespace raddle::machine
