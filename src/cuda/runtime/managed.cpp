#include "cuda/runtime/managed.h"

#include <fmt/core.h>

#include <algorithm>

#include "cuda/runtime/explain.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/work.h"

namespace raddle::cuda {

namespace {

constexpr Address kPage = 4096;

/// The advice for one page.
struct Advice {
  bool read_mostly = false;
  bool by_device = false, by_host = false;  // cudaMemAdviseSetAccessedBy
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  cudaMemLocation prefetched{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
};

/// The advice from each address up to the next address in the table.
std::map<Address, Advice>& table() {
  static auto* all = forgotten_at_reset(new std::map<Address, Advice>{{0, {}}});
  if (all->empty()) all->try_emplace(0);
  return *all;
}

std::map<Address, Advice>::iterator split(Address at) {
  const auto before = std::prev(table().upper_bound(at));
  return table().try_emplace(at, before->second).first;
}

struct Pages {
  Address begin, end;
};

/// Calls f(advice) for each stretch of pages.
template <class F>
void for_each(const Pages& pages, F f) {
  if (pages.begin == pages.end) return;
  auto one = split(pages.begin);
  const auto last = split(pages.end);
  for (; one != last; ++one) f(one->second);
}

Pages pages_of(Runtime& runtime, const void* address, std::size_t bytes) {
  const PointerFacts known = facts(runtime, address);
  const auto at = reinterpret_cast<Address>(address);
  const bool all = known.type == cudaMemoryTypeManaged &&
                   bytes <= known.bytes - (at - reinterpret_cast<Address>(known.base));
  require(all, cudaErrorInvalidValue,
          fmt::format("{} bytes at {:#x} are not managed memory: {}", bytes, at,
                      pointer_text(runtime, address, bytes)));
  return {at / kPage * kPage, (at + bytes + kPage - 1) / kPage * kPage};
}

void check(const cudaMemLocation& where) {
  require(
      where.type >= cudaMemLocationTypeDevice && where.type <= cudaMemLocationTypeHostNumaCurrent,
      cudaErrorInvalidValue, fmt::format("there is no type of location {}", +where.type));
  require(where.type != cudaMemLocationTypeDevice || where.id == 0, cudaErrorInvalidDevice,
          fmt::format("there is no device {}", where.id));
}

bool same(const cudaMemLocation& a, const cudaMemLocation& b) {
  return a.type == b.type && a.id == b.id;
}

/// The device number of CUDA 12 and earlier for the place.
int device_of(const cudaMemLocation& where) {
  return where.type == cudaMemLocationTypeInvalid  ? cudaInvalidDeviceId
         : where.type == cudaMemLocationTypeDevice ? where.id
                                                   : cudaCpuDeviceId;
}

/// The advice that all the pages have in common.
Advice common(const Pages& pages) {
  Advice all{.read_mostly = true, .by_device = true, .by_host = true};
  bool first = true;
  for_each(pages, [&](const Advice& one) {
    all.read_mostly &= one.read_mostly;
    all.by_device &= one.by_device;
    all.by_host &= one.by_host;
    if (first) all.preferred = one.preferred;
    if (first) all.prefetched = one.prefetched;
    if (!same(all.preferred, one.preferred)) all.preferred = Advice{}.preferred;
    if (!same(all.prefetched, one.prefetched)) all.prefetched = Advice{}.prefetched;
    first = false;
  });
  return first ? Advice{} : all;
}

}  // namespace

cudaMemLocation location_of(int device) {
  if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

void advise(Runtime& runtime, const void* address, std::size_t bytes, int advice,
            cudaMemLocation where) {
  const Pages pages = pages_of(runtime, address, bytes);
  require(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy,
          cudaErrorInvalidValue, fmt::format("there is no advice {}", advice));
  const bool accessed =
      advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
  if (accessed || advice == cudaMemAdviseSetPreferredLocation) check(where);
  for_each(pages, [&](Advice& one) {
    if (advice == cudaMemAdviseSetPreferredLocation) one.preferred = where;
    if (advice == cudaMemAdviseUnsetPreferredLocation) one.preferred = Advice{}.preferred;
    if (advice <= cudaMemAdviseUnsetReadMostly) {
      one.read_mostly = advice == cudaMemAdviseSetReadMostly;
    }
    if (accessed) {
      bool& by = where.type == cudaMemLocationTypeDevice ? one.by_device : one.by_host;
      by = advice == cudaMemAdviseSetAccessedBy;
    }
  });
}

void prefetch(Runtime& runtime, Stream& stream, const void* address, std::size_t bytes,
              cudaMemLocation where, unsigned flags) {
  const Pages pages = pages_of(runtime, address, bytes);
  require(flags == 0, cudaErrorInvalidValue);
  check(where);
  issue(runtime, stream, EmptyWork{});
  for_each(pages, [&](Advice& one) { one.prefetched = where; });
}

void range_attribute(Runtime& runtime, void* data, std::size_t data_bytes, int attribute,
                     const void* address, std::size_t bytes) {
  require(data != nullptr && bytes != 0, cudaErrorInvalidValue);
  const Advice all = common(pages_of(runtime, address, bytes));
  auto* numbers = static_cast<int*>(data);
  if (attribute == cudaMemRangeAttributeAccessedBy) {
    require(data_bytes != 0 && data_bytes % sizeof(int) == 0, cudaErrorInvalidValue);
    const std::size_t count = data_bytes / sizeof(int);
    std::fill_n(numbers, count, cudaInvalidDeviceId);
    std::size_t next = 0;
    if (all.by_device) numbers[next++] = 0;
    if (all.by_host && next < count) numbers[next] = cudaCpuDeviceId;
    return;
  }
  const int values[] = {all.read_mostly,           device_of(all.preferred), 0,
                        device_of(all.prefetched), all.preferred.type,       all.preferred.id,
                        all.prefetched.type,       all.prefetched.id};
  require(attribute >= cudaMemRangeAttributeReadMostly &&
              attribute <= cudaMemRangeAttributeLastPrefetchLocationId,
          cudaErrorInvalidValue);
  require(data_bytes == sizeof(int), cudaErrorInvalidValue);
  *numbers = values[attribute - cudaMemRangeAttributeReadMostly];
}

void forget_advice(Address base, std::size_t bytes) {
  if (table().size() == 1) return;
  const Pages pages{base / kPage * kPage, (base + bytes + kPage - 1) / kPage * kPage};
  for_each(pages, [](Advice& one) { one = {}; });
  table().erase(std::next(table().find(pages.begin)), table().find(pages.end));
}

}  // namespace raddle::cuda
