#include "memory/address_space.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "memory/host_memory.h"
#include "memory/place.h"

namespace raddle::memory {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::device:
      return "device memory";
    case Kind::managed:
      return "managed memory";
    case Kind::host:
      return "host memory";
    case Kind::module:
      return "device variable";
    case Kind::constant:
      return "constant memory";
    case Kind::device_heap:
      return "device heap";
    case Kind::runtime:
    case Kind::parameters:
      return "runtime memory";
  }
  return "memory";
}

namespace {

// Fixed, so that a program sees the same addresses in every run. Values of device memory lie where
// neither programs nor the system place anything by themselves.
constexpr Address kDeviceBase = 0x0000'2000'0000'0000;
constexpr Address kDeviceValues = 0x0000'1800'0000'0000;
constexpr Address kHostBase = 0x0000'2800'0000'0000;
constexpr std::uint64_t kHostBytes = std::uint64_t{64} << 30;
/// The addresses behind belong to virtual memory management (cuda/runtime/virtual_memory.cpp).
constexpr std::uint64_t kMostDeviceSpan = std::uint64_t{4} << 40;
// Clients of a shared GPU. The first has the addresses of a program alone; the addresses of the
// others lie behind.
constexpr Address kClientsDevice = 0x0000'3000'0000'0000;
constexpr Address kClientsHost = 0x0000'2900'0000'0000;
constexpr Address kClientsApart = 0x0000'2a00'0000'0000;
constexpr std::uint64_t kClientSpan = std::uint64_t{1} << 40;
constexpr std::uint64_t kApartBytes = std::uint64_t{64} << 30;
constexpr std::uint64_t kGranule = 256;
/// Further freed allocations are not remembered: each record takes memory of the simulator.
constexpr std::size_t kMostQuarantined = 1 << 14;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// Bytes of address space that the process may still take; ~0: no limit. Sets `limit` to the total.
std::uint64_t address_space_left(std::uint64_t& limit) {
  rlimit as{};
  if (getrlimit(RLIMIT_AS, &as) != 0 || as.rlim_cur == RLIM_INFINITY) return ~std::uint64_t{0};
  limit = as.rlim_cur;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t taken = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit - std::min(limit, taken);
}

/// The number of addresses of a device. Guards can take as much as the allocations, and gaps as
/// much again; the quarantine and 64 MiB come on top.
std::uint64_t device_span(std::uint64_t bytes, const Protection& protection) {
  const std::uint64_t quarantine = std::min(protection.quarantine_bytes, 2 * bytes);
  return std::min(kMostDeviceSpan, 3 * bytes + quarantine + (std::uint64_t{64} << 20));
}

}  // namespace

std::uint64_t SharedWindows::device_bytes(std::uint64_t capacity, const Protection& protection) {
  const std::uint64_t span = device_span(capacity, protection);
  if (span > kClientSpan) fail("{} bytes of device memory are too many to be shared", capacity);
  return round_up(span, Window::kChunk);
}

std::uint64_t SharedWindows::host_bytes() { return kHostBytes; }

AddressSpace::AddressSpace(std::uint64_t device_bytes, const Protection& protection,
                           const SharedWindows* shared)
    : protection_(protection), capacity_(device_bytes) {
  constexpr std::uint64_t kMegabyte = 1 << 20;
  std::uint64_t limit = 0;
  // The program and the simulator need the rest.
  const std::uint64_t most = address_space_left(limit) / 2;
  if (most < capacity_) {
    limited_ = limit;
    capacity_ = std::max(most / kMegabyte * kMegabyte, std::min(device_bytes, kMegabyte));
  }
  if (shared != nullptr) {
    const std::uint64_t n = shared->client - 1;  // the first has the addresses of a program alone
    device_ = std::make_unique<Window>(n == 0 ? kDeviceBase : kClientsDevice + n * kClientSpan,
                                       SharedWindows::device_bytes(device_bytes, protection),
                                       kDeviceValues - n * kClientSpan, false, shared->device_file);
    const Address host = n == 0 ? kHostBase : kClientsHost + n * kHostBytes;
    host_ = std::make_unique<Window>(host, kHostBytes, host, true, shared->host_file);
    if (shared->runs_kernels) {
      const Address apart = kClientsApart + n * kApartBytes;
      apart_ = std::make_unique<Window>(apart, kApartBytes, apart, true);
    }
    code_end_ = n * kClientSpan;
    return;
  }
  device_ = std::make_unique<Window>(kDeviceBase, device_span(device_bytes, protection),
                                     kDeviceValues, false);
  // Pages of the host at managed addresses hold the values themselves.
  host_ = std::make_unique<Window>(kHostBase, kHostBytes, kHostBase, true);
}

AddressSpace::~AddressSpace() = default;

bool is_simulated(Address address) {
  return address >= kDeviceBase &&
         address < kClientsDevice + SharedWindows::kMostClients * kClientSpan;
}

Allocation& AddressSpace::record(Address base, std::uint64_t bytes, Kind kind, std::string name,
                                 std::byte* values) {
  // Freed allocations are remembered until a new one overlaps them.
  auto old = allocations_.lower_bound(base);
  if (old != allocations_.begin() && std::prev(old)->second.freed &&
      std::prev(old)->second.end() > base) {
    --old;
  }
  while (old != allocations_.end() && old->first < base + std::max<std::uint64_t>(bytes, 1)) {
    old = old->second.freed ? allocations_.erase(old) : std::next(old);
  }
  ++epoch_;
  Allocation& made = allocations_[base];
  made = {base, bytes, kind, std::move(name), false, values, 0};
  return made;
}

/// Takes addresses for `span` bytes or, if there are too few, for `least` bytes, the same without a
/// guard. `span` gets the taken number.
std::optional<Address> AddressSpace::take(Window& window, std::uint64_t& span, std::uint64_t least,
                                          std::uint64_t alignment) {
  for (;;) {
    if (const auto base = window.take(span, alignment)) return base;
    if (give_up_quarantine()) continue;
    if (span == least) return std::nullopt;
    span = least;
  }
}

Address AddressSpace::allocate_in(Window& window, std::uint64_t bytes, std::uint64_t alignment,
                                  Kind kind, std::string name) {
  const std::uint64_t granule = &window == host_.get() ? Window::kPage : kGranule;
  const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
  const std::uint64_t guard =
      std::min(std::max(round_up(size, kGranule), kGranule), protection_.guard_bytes);
  const std::uint64_t least = round_up(size, granule);
  std::uint64_t span = round_up(size + guard, granule);
  auto base = take(window, span, least, alignment);
  if (base && !window.map(*base, size)) {
    window.give_back(*base, span);
    base.reset();
    // Pages of freed memory may make room for this allocation. (Stores that kernels have issued may
    // still be on their way to it, so allocations of kernels cannot use it.)
    give_up_quarantine();
    const auto trim = [this] {
      const bool device = device_->trim();
      return host_->trim() || device;
    };
    if (kind != Kind::device_heap && trim()) {
      base = take(window, span, least, alignment);
      if (base && !window.map(*base, size)) {
        window.give_back(*base, span);
        base.reset();
      }
    }
    host_full_ |= !base;
  }
  if (!base) return 0;
  record(*base, bytes, kind, std::move(name), window.values(*base)).taken = span;
  return *base;
}

Address AddressSpace::allocate(std::uint64_t bytes, Kind kind, std::string name,
                               std::uint64_t alignment) {
  const bool apart = apart_ != nullptr && (kind == Kind::device_heap || kind == Kind::parameters);
  if (!apart && bytes > capacity_ - used_) return 0;
  Window& window = apart ? *apart_ : *device_;
  const Address base = allocate_in(window, bytes, std::max(alignment, kGranule), kind, name);
  if (base != 0 && !apart) used_ += bytes;
  told({.what = SpaceChange::What::allocate,
        .kind = kind,
        .base = base,
        .bytes = bytes,
        .alignment = alignment,
        .name = std::move(name)});
  return base;
}

Address AddressSpace::allocate_shared_with_host(std::uint64_t bytes, Kind kind, std::string name) {
  if (bytes > kHostBytes) return 0;
  const Address base = allocate_in(*host_, bytes, Window::kPage, kind, name);
  told({.what = SpaceChange::What::allocate_shared,
        .kind = kind,
        .base = base,
        .bytes = bytes,
        .name = std::move(name)});
  return base;
}

bool AddressSpace::register_host(void* memory, std::uint64_t bytes, Kind kind, std::string name) {
  const Address base = reinterpret_cast<Address>(memory);
  auto next = allocations_.lower_bound(base);
  for (auto one = next; one != allocations_.end() && one->first < base + bytes; ++one) {
    if (!one->second.freed) return false;
  }
  if (next != allocations_.begin()) {
    const Allocation& before = std::prev(next)->second;
    if (!before.freed && before.end() > base) return false;
  }
  auto* values = host_values_ ? host_values_(base, bytes) : static_cast<std::byte*>(memory);
  record(base, bytes, kind, name, values);
  told({.what = SpaceChange::What::register_host,
        .kind = kind,
        .base = base,
        .bytes = bytes,
        .values = values,
        .name = std::move(name)});
  return true;
}

bool AddressSpace::unregister_host(void* memory) {
  auto found = allocations_.find(reinterpret_cast<Address>(memory));
  if (found == allocations_.end() || found->second.taken != 0) return false;
  if (found->second.freed && !found->second.registered()) return false;
  const Address whole = found->first;
  const bool in_parts = found->second.part_of != 0;
  allocations_.erase(found);
  if (in_parts) std::erase_if(allocations_, [&](auto& one) { return one.second.part_of == whole; });
  ++epoch_;
  told({.what = SpaceChange::What::unregister_host, .base = whole});
  return true;
}

void AddressSpace::host_unmapped(Address from, std::uint64_t bytes) {
  const Address to = from + bytes;
  std::vector<Allocation> hit;
  for (auto one = allocations_.lower_bound(to); one != allocations_.begin();) {
    const Allocation& allocation = (--one)->second;
    if (allocation.freed) continue;
    if (allocation.end() <= from) break;
    if (allocation.registered()) hit.push_back(allocation);
  }
  for (const Allocation& one : hit) cut_out(one, std::max(from, one.base), std::min(to, one.end()));
  if (hit.empty()) return;
  told({.what = SpaceChange::What::host_unmapped, .base = from, .bytes = bytes});
}

/// Marks the part [from, to) of registered memory as freed.
void AddressSpace::cut_out(Allocation whole, Address from, Address to) {
  const Address of = whole.part_of != 0 ? whole.part_of : whole.base;
  allocations_.erase(whole.base);
  const auto part = [&](Address begin, Address end) -> Allocation& {
    Allocation& made =
        record(begin, end - begin, whole.kind, whole.name, whole.values + (begin - whole.base));
    made.part_of = of;
    return made;
  };
  if (whole.base < from) part(whole.base, from);
  if (to < whole.end()) part(to, whole.end());
  Allocation& gone = part(from, to);
  gone.freed = true;
  gone.name += ", then unmapped by the program";
}

void AddressSpace::map(Address base, std::uint64_t bytes, Kind kind, std::string name,
                       std::byte* values) {
  record(base, bytes, kind, name, values);
  told({.what = SpaceChange::What::map,
        .kind = kind,
        .base = base,
        .bytes = bytes,
        .values = values,
        .name = std::move(name)});
}

void AddressSpace::unmap(Address base, bool freed) {
  const auto found = allocations_.find(base);
  if (found == allocations_.end()) return;
  if (freed) {
    found->second.freed = true;
    found->second.values = nullptr;
  } else {
    allocations_.erase(found);
  }
  ++epoch_;
  told({.what = SpaceChange::What::unmap, .freed = freed, .base = base});
}

Window& AddressSpace::window_of(Address a) {
  if (device_->holds(a)) return *device_;
  return apart_ != nullptr && apart_->holds(a) ? *apart_ : *host_;
}

AddressSpace::FreeResult AddressSpace::free(Address base) {
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return FreeResult::not_an_allocation;
  Allocation& allocation = found->second;
  if (allocation.freed) return FreeResult::freed_before;
  if (allocation.taken == 0) return FreeResult::not_an_allocation;
  Window& window = window_of(base);
  if (apart_ == nullptr || &window == apart_.get()) {
    window.clear(base, std::max<std::uint64_t>(allocation.size, 1));
  }
  // Programs do not see allocations of the runtime.
  const bool own = allocation.kind == Kind::runtime || allocation.kind == Kind::parameters;
  // Memory that only this process has must not move addresses that both processes have.
  if (own || &window == apart_.get() || protection_.quarantine_bytes == 0) {
    window.give_back(base, allocation.taken);
  } else {
    quarantine_.push_back({&window, base, allocation.taken});
    quarantined_bytes_ += allocation.taken;
    while (quarantine_.size() > 1 && (quarantined_bytes_ > protection_.quarantine_bytes ||
                                      quarantine_.size() > kMostQuarantined)) {
      release_oldest();
    }
  }
  if (&window == device_.get()) used_ -= allocation.size;
  allocation.freed = true;
  ++epoch_;
  told({.what = SpaceChange::What::free, .base = base});
  return FreeResult::freed;
}

void AddressSpace::release_oldest() {
  const Quarantined oldest = quarantine_.front();
  quarantine_.pop_front();
  quarantined_bytes_ -= oldest.bytes;
  oldest.window->give_back(oldest.base, oldest.bytes);
}

/// Returns false when there is none.
bool AddressSpace::give_up_quarantine() {
  if (quarantine_.empty()) return false;
  while (!quarantine_.empty()) release_oldest();
  return true;
}

const Allocation* AddressSpace::find(Address a) const {
  auto next = allocations_.upper_bound(a);
  if (next == allocations_.begin()) return nullptr;
  const Allocation& before = std::prev(next)->second;
  return a < before.end() ? &before : nullptr;
}

/// The allocation in whose guard `a` lies; a freed one only if `a` lies in no guard of a live one.
const Allocation* AddressSpace::guarded_by(Address a) const {
  const Allocation* freed = nullptr;
  for (auto next = allocations_.upper_bound(a); next != allocations_.begin();) {
    const Allocation& before = (--next)->second;
    const bool within = before.kind != Kind::parameters && a - before.base < before.taken;
    if (!before.freed) return within ? &before : freed;
    if (within && freed == nullptr) freed = &before;
  }
  return freed;
}

const Allocation* AddressSpace::nearest(Address a) const {
  constexpr std::uint64_t kJustBefore = 256;
  const Allocation* best = nullptr;
  std::uint64_t best_distance = ~std::uint64_t{0};
  for (const auto& [base, allocation] : allocations_) {
    if (allocation.freed || allocation.kind == Kind::parameters) continue;
    const std::uint64_t distance = a < base               ? base - a
                                   : a < allocation.end() ? 0
                                                          : a - allocation.end() + 1;
    if (distance < best_distance) {
      best = &allocation;
      best_distance = distance;
    }
  }
  if (best_distance == 0 || (best != nullptr && best->base - a <= kJustBefore)) return best;
  const Allocation* guard = guarded_by(a);
  return guard == nullptr ? best : guard;
}

std::optional<std::string> AddressSpace::host_program_at(Address a) const {
  constexpr std::uint64_t kNear = 4096;
  if (device_->holds(a) || host_->holds(a)) return std::nullopt;
  const Allocation* near = nearest(a);
  const bool beside =
      near != nullptr && a < near->end() + kNear && a + kNear >= near->base && a != 0;
  return beside ? std::nullopt : host_memory_at(a, process_);
}

Address AddressSpace::reserve_code(std::uint64_t bytes) {
  const Address base = code_end_;
  code_end_ += round_up(bytes, Window::kPage);
  return base;
}

bool AddressSpace::finds_host(Address from, std::uint64_t bytes) const {
  auto one = allocations_.lower_bound(from + bytes);
  if (one == allocations_.begin()) return false;
  const Allocation& last = std::prev(one)->second;
  return last.kind == Kind::host && !last.freed && last.end() > from;
}

std::byte* AddressSpace::values(Address a, std::uint64_t bytes) const {
  const Allocation* allocation = find(a);
  if (allocation == nullptr || allocation->freed || !allocation->holds(a, bytes)) return nullptr;
  return allocation->values + (a - allocation->base);
}

std::vector<const Allocation*> AddressSpace::live() const {
  std::vector<const Allocation*> list;
  for (const auto& [base, allocation] : allocations_) {
    if (!allocation.freed) list.push_back(&allocation);
  }
  return list;
}

}  // namespace raddle::memory
