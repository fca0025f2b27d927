#include "isa/global_port.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/services.h"

namespace raddle::isa {

void GlobalPort::set_client(unsigned client, memory::AddressSpace& space, Services& services) {
  if (clients_.size() < client) clients_.resize(client);
  clients_[client - 1] = std::make_unique<GlobalPort>(space, mode_, services);
  clients_[client - 1]->watch_ = watch_;
}

bool GlobalPort::clients_pending() const {
  return std::any_of(clients_.begin(), clients_.end(),
                     [](const auto& client) { return client != nullptr && client->pending(); });
}

void GlobalPort::apply_clients() {
  for (const auto& client : clients_) {
    if (client == nullptr) continue;
    client->apply();
    std::vector<LateFault>& late = client->late_faults_;
    late_faults_.insert(late_faults_.end(), late.begin(), late.end());
    late.clear();
  }
}

bool GlobalPort::refuse(WarpContext& w, Fault::Kind kind, unsigned lane, unsigned bytes) {
  w.fault = {kind,          static_cast<std::uint8_t>(lane), bytes,
             w.access.type, MemoryAccess::Space::global,     w.access.address[lane]};
  return false;
}

/// Finds the allocation around `address` and checks the kind of access against it.
bool GlobalPort::look_up(WarpContext& w, Address address, unsigned bytes, unsigned lane,
                         Remembered& entry) {
  // Within a cycle of the timed machine no allocation changes.
  std::shared_lock stays(space_.changes(), std::defer_lock);
  if (mode_ == Mode::immediate) stays.lock();
  const memory::Allocation* holder = space_.find(address);
  if (holder == nullptr) return refuse(w, Fault::Kind::out_of_bounds, lane, bytes);
  if (holder->freed) return refuse(w, Fault::Kind::use_after_free, lane, bytes);
  if (!holder->holds(address, bytes)) return refuse(w, Fault::Kind::out_of_bounds, lane, bytes);
  ParameterBuffers::Range range{holder->base, holder->end()};
  if (holder->kind == memory::Kind::parameters) {
    const auto* buffers = services_.offered<ParameterBuffers>();
    range = buffers == nullptr ? ParameterBuffers::Range{} : buffers->open(address);
    if (range.end < address + bytes) return refuse(w, Fault::Kind::out_of_bounds, lane, bytes);
  }
  entry = {range.base, range.end, holder->values + (range.base - holder->base), space_.epoch(),
           holder->kind};
  return true;
}

namespace {

struct Extent {
  Address low = ~Address{0}, high = 0, bits = 0;
};

Extent extent(const Address* a, LaneMask lanes) {
  // Addresses of global memory are below 2^47, so a signed comparison (which vectorizes) is enough.
  // A wild address with the top bit set shows in `bits`.
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  Address bits = 0;
  if (lanes == kAllLanes) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const auto v = static_cast<std::int64_t>(a[l]);
      low = std::min(low, v);
      high = std::max(high, v);
      bits |= a[l];
    }
  } else {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const bool in = (lanes >> l) & 1;
      const auto v = static_cast<std::int64_t>(a[l]);
      low = std::min(low, in ? v : INT64_MAX);
      high = std::max(high, in ? v : INT64_MIN);
      bits |= in ? a[l] : 0;
    }
  }
  return {static_cast<Address>(low), static_cast<Address>(high), bits};
}

}  // namespace

bool GlobalPort::resolve(WarpContext& w, const Instruction& i, LaneMask lanes, unsigned bytes,
                         unsigned alignment, bool constant, std::byte** at) {
  using memory::Kind;
  if (w.access.bypass_l1 && !order(w)) return false;
  const Address* a = w.access.address;
  const Extent all = extent(a, lanes);
  const auto kind_fits = [&](Kind kind) {
    return (kind == Kind::constant) == constant ||
           (!constant && w.access.type == MemoryAccess::Type::load);
  };
  const bool wild = (all.bits & (alignment - 1)) != 0 || (all.bits >> 63) != 0;
  Remembered& entry =
      remembered_[(reinterpret_cast<std::uintptr_t>(&i) / sizeof(Instruction)) % kRemembered];
  if (!wild && entry.epoch == space_.epoch() && all.low >= entry.base && all.high < entry.end &&
      entry.end - all.high >= bytes && kind_fits(entry.kind)) {
    // Addresses of lanes that do not take part are arbitrary: no pointer arithmetic.
    const auto values = reinterpret_cast<std::uintptr_t>(entry.values) - entry.base;
    for (unsigned l = 0; l < kWarpSize; ++l) at[l] = reinterpret_cast<std::byte*>(values + a[l]);
    note_read(entry.kind);
    return true;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (!((lanes >> l) & 1)) continue;
    if ((a[l] & (alignment - 1)) != 0) return refuse(w, Fault::Kind::misaligned, l, bytes);
    const bool inside = entry.epoch == space_.epoch() && a[l] >= entry.base && a[l] < entry.end &&
                        entry.end - a[l] >= bytes;
    if (!inside && !look_up(w, a[l], bytes, l, entry)) return false;
    if (!kind_fits(entry.kind)) {
      return refuse(w, constant ? Fault::Kind::wrong_space : Fault::Kind::read_only, l, bytes);
    }
    at[l] = entry.values + (a[l] - entry.base);
    note_read(entry.kind);
  }
  return true;
}

void GlobalPort::note_read(memory::Kind kind) const {
  if (watch_ == nullptr) return;
  watch_->of_host |= kind == memory::Kind::host;
  watch_->of_managed |= kind == memory::Kind::managed;
}

void GlobalPort::carry_out_watched(const GlobalUpdate& update, unsigned bytes) {
  std::byte before[kWarpSize][16];
  const std::size_t compared = std::min<std::size_t>(bytes, 16);
  for (LaneMask rest = update.lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    std::memcpy(before[l], update.at[l], compared);
  }
  update.carry_out(update, services_);
  for (LaneMask rest = update.lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    if (std::memcmp(before[l], update.at[l], compared) != 0) note_change();
  }
}

void GlobalPort::commit_atomic(unsigned bytes) {
  if (mode_ == Mode::deferred) {
    if (watch_ != nullptr) updates_[count_].atomic_bytes = static_cast<std::uint8_t>(bytes);
    ++count_;
    return;
  }
  const GlobalUpdate& update = updates_[0];
  std::byte before[16];
  const std::byte* at = update.at[std::countr_zero(update.lanes)];
  const std::size_t compared = std::min<std::size_t>(bytes, sizeof before);
  std::memcpy(before, at, compared);
  if (watch_ != nullptr) [[unlikely]] {
    carry_out_watched(update, bytes);
  } else {
    update.carry_out(update, services_);
  }
  turn_->progress |= std::memcmp(before, at, compared) != 0;
}

}  // namespace raddle::isa
