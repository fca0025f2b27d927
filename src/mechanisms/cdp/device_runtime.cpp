#include "mechanisms/cdp/device_runtime.h"

#include "machine/config.h"

namespace raddle::mechanisms::cdp {

DeviceRuntime::DeviceRuntime(const CdpConfig& config, machine::LaunchPath& path)
    : environment_{config, path, path.statistics().unit<CdpStats>("cdp"),
                   CallTime(!machine::is_functional(path.config()), config.ideal)},
      limit_(config.pending_launches),
      pool_(path.services().space(), config.record_bytes, environment_.stats.footprint_peak),
      families_(environment_, pool_, limit_, order_),
      streams_(order_, families_),
      copies_(environment_, streams_, families_),
      admission_(environment_, pool_, limit_, families_, streams_),
      launches_(environment_, admission_, pool_, families_, streams_),
      turns_(environment_, limit_) {
  path.services().offer(this);
  path.services().offer<isa::LastErrors>(&errors_);
  path.services().offer<isa::ParameterBuffers>(&pool_);
}

void DeviceRuntime::block_ended(machine::Grid&, const isa::BlockContext& block) {
  families_.block_ended(block);
  streams_.block_ended(block);
  launches_.block_ended(block);
  turns_.block_ended(block);
  errors_.block_ended(block);
}

void DeviceRuntime::cycle() {
  turns_.cycle();
  copies_.cycle();
}

void DeviceRuntime::set_limit(machine::DeviceLimit limit, std::uint64_t value) {
  if (limit == machine::DeviceLimit::pending_launches) {
    limit_.set(value);
  } else {
    families_.set_sync_depth(value);
  }
}

std::optional<std::uint64_t> DeviceRuntime::limit(machine::DeviceLimit limit) const {
  return limit == machine::DeviceLimit::pending_launches ? limit_.most() : families_.sync_depth();
}

}  // namespace raddle::mechanisms::cdp
