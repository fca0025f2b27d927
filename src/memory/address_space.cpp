#include "memory/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"

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

// Fixed, so that the same program sees the same addresses in every run.
constexpr Address kDeviceBase = 0x0000'2000'0000'0000;
constexpr Address kHostBase = 0x0000'2800'0000'0000;
constexpr std::uint64_t kHostBytes = std::uint64_t{64} << 30;
constexpr std::uint64_t kPage = 4096;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

void* reserve(Address wanted, std::uint64_t bytes, int protection) {
  void* hint = reinterpret_cast<void*>(wanted);
  void* got = mmap(hint, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? nullptr : got;
}

}  // namespace

/// Ranges are taken first fit from an address-ordered free list; values are `distance` bytes from
/// their addresses. Freed pages go back to the system.
struct AddressSpace::Window {
  Window(Address base, std::uint64_t bytes, std::ptrdiff_t distance)
      : base(base), bytes(bytes), distance(distance) {
    gaps[base] = bytes;
  }

  std::optional<Address> take(std::uint64_t want, std::uint64_t alignment) {
    for (auto gap = gaps.begin(); gap != gaps.end(); ++gap) {
      const Address start = round_up(gap->first, alignment);
      const Address gap_end = gap->first + gap->second;
      if (start >= gap_end || gap_end - start < want) continue;
      const Address gap_start = gap->first;
      gaps.erase(gap);
      if (start > gap_start) gaps[gap_start] = start - gap_start;
      if (gap_end > start + want) gaps[start + want] = gap_end - (start + want);
      return start;
    }
    return std::nullopt;
  }

  void give_back(Address start, std::uint64_t size) {
    auto next = gaps.lower_bound(start);
    if (next != gaps.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == start) {
        start = before->first;
        size += before->second;
        gaps.erase(before);
      }
    }
    if (next != gaps.end() && start + size == next->first) {
      size += next->second;
      gaps.erase(next);
    }
    gaps[start] = size;
  }

  std::byte* values(Address a) const {
    return reinterpret_cast<std::byte*>(static_cast<std::intptr_t>(a) + distance);
  }
  bool holds(Address a) const { return a >= base && a - base < bytes; }

  Address base;
  std::uint64_t bytes;
  std::ptrdiff_t distance;
  std::map<Address, std::uint64_t> gaps;
};

AddressSpace::AddressSpace(std::uint64_t device_bytes) : capacity_(device_bytes) {
  // The window is a little larger than the capacity: alignment gaps are not charged to the user.
  const std::uint64_t span = round_up(device_bytes + device_bytes / 8 + (64u << 20), kPage);
  void* backing = reserve(0, span, PROT_READ | PROT_WRITE);
  // Host pages at managed addresses are the values themselves.
  void* host = reserve(kHostBase, kHostBytes, PROT_READ | PROT_WRITE);
  if (backing == nullptr || host == nullptr) {
    fail("cannot reserve {} bytes of address space for the simulated GPU", span + kHostBytes);
  }
  const auto distance =
      reinterpret_cast<std::intptr_t>(backing) - static_cast<std::intptr_t>(kDeviceBase);
  device_ = std::make_unique<Window>(kDeviceBase, span, distance);
  host_ = std::make_unique<Window>(reinterpret_cast<Address>(host), kHostBytes, 0);
}

AddressSpace::~AddressSpace() {
  munmap(device_->values(device_->base), device_->bytes);
  munmap(host_->values(host_->base), host_->bytes);
}

Allocation& AddressSpace::record(Address base, std::uint64_t bytes, Kind kind, std::string name,
                                 std::byte* values) {
  // Freed allocations are remembered only while nothing new overlaps them.
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
  made = {base, bytes, kind, std::move(name), false, values};
  return made;
}

Address AddressSpace::allocate(std::uint64_t bytes, Kind kind, std::string name,
                               std::uint64_t alignment) {
  if (bytes > capacity_ - used_) return 0;
  const std::uint64_t span = round_up(std::max<std::uint64_t>(bytes, 1), 256);
  const auto base = device_->take(span, std::max<std::uint64_t>(alignment, 256));
  if (!base) return 0;
  used_ += bytes;
  record(*base, bytes, kind, std::move(name), device_->values(*base));
  return *base;
}

Address AddressSpace::allocate_shared_with_host(std::uint64_t bytes, Kind kind, std::string name) {
  if (bytes > kHostBytes) return 0;
  const std::uint64_t span = round_up(std::max<std::uint64_t>(bytes, 1), kPage);
  const auto base = host_->take(span, kPage);
  if (!base) return 0;
  record(*base, bytes, kind, std::move(name), host_->values(*base));
  return *base;
}

bool AddressSpace::register_host(void* memory, std::uint64_t bytes, Kind kind, std::string name) {
  const Address base = reinterpret_cast<Address>(memory);
  auto next = allocations_.lower_bound(base);
  if (next != allocations_.end() && !next->second.freed && next->first < base + bytes) return false;
  if (next != allocations_.begin()) {
    const Allocation& before = std::prev(next)->second;
    if (!before.freed && before.end() > base) return false;
  }
  record(base, bytes, kind, std::move(name), static_cast<std::byte*>(memory));
  return true;
}

bool AddressSpace::unregister_host(void* memory) {
  auto found = allocations_.find(reinterpret_cast<Address>(memory));
  if (found == allocations_.end() || found->second.freed || host_->holds(found->first))
    return false;
  allocations_.erase(found);
  ++epoch_;
  return true;
}

void AddressSpace::map(Address base, std::uint64_t bytes, Kind kind, std::string name,
                       std::byte* values) {
  record(base, bytes, kind, std::move(name), values);
}

void AddressSpace::unmap(Address base) {
  allocations_.erase(base);
  ++epoch_;
}

AddressSpace::FreeResult AddressSpace::free(Address base) {
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return FreeResult::not_an_allocation;
  Allocation& allocation = found->second;
  if (allocation.freed) return FreeResult::freed_before;
  const bool on_device = device_->holds(base);
  if (!on_device && !host_->holds(base)) return FreeResult::not_an_allocation;
  Window& window = on_device ? *device_ : *host_;
  const std::uint64_t span =
      round_up(std::max<std::uint64_t>(allocation.size, 1), on_device ? 256 : kPage);
  // Whole pages go back to the system and read as zero again; the rest is cleared.
  const Address first_page = round_up(base, kPage), last_page = (base + span) / kPage * kPage;
  if (last_page > first_page && last_page - first_page >= 64 * kPage) {
    madvise(window.values(first_page), last_page - first_page, MADV_DONTNEED);
    std::memset(window.values(base), 0, first_page - base);
    std::memset(window.values(last_page), 0, base + span - last_page);
  } else {
    std::memset(window.values(base), 0, span);
  }
  window.give_back(base, span);
  if (on_device) used_ -= allocation.size;
  allocation.freed = true;
  ++epoch_;
  return FreeResult::freed;
}

const Allocation* AddressSpace::find(Address a) const {
  auto next = allocations_.upper_bound(a);
  if (next == allocations_.begin()) return nullptr;
  const Allocation& before = std::prev(next)->second;
  return a < before.end() ? &before : nullptr;
}

const Allocation* AddressSpace::nearest(Address a) const {
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
  return best;
}

Address AddressSpace::reserve_code(std::uint64_t bytes) {
  const Address base = code_end_;
  code_end_ += round_up(bytes, kPage);
  return base;
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
