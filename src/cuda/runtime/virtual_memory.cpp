#include "cuda/runtime/virtual_memory.h"

#include <fmt/core.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace raddle::cuda {

namespace {

// The range lies between the windows of device memory and of memory shared with the host.
constexpr Address kBase = 0x0000'2400'0000'0000;
constexpr Address kEnd = 0x0000'2800'0000'0000;
/// Start of the values of ranges for which the host's address space cannot be reserved.
constexpr Address kValues = 0x0000'1400'0000'0000;

bool in_granules(std::uint64_t value) { return value % VirtualMemory::kGranularity == 0; }

/// The kind for kernels: they cannot write to read-only memory, as they cannot write to constants.
memory::Kind kind_of(VirtualMemory::Access access) {
  return access == VirtualMemory::Access::read ? memory::Kind::constant : memory::Kind::device;
}

}  // namespace

Physical::Physical(std::uint64_t bytes)
    : bytes_(bytes), file_(memfd_create("raddle device memory", MFD_CLOEXEC)) {
  if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(bytes)) == 0) return;
  if (file_ >= 0) close(file_);
  refuse(cudaErrorMemoryAllocation);
}

Physical::~Physical() { close(file_); }

VirtualMemory::VirtualMemory(memory::AddressSpace& space, unsigned client)
    : space_(space), begin_(kBase), end_(kEnd) {
  if (client == 0) return;
  constexpr std::uint64_t part = (kEnd - kBase) / memory::SharedWindows::kMostClients;
  begin_ = kBase + (client - 1) * part;
  end_ = begin_ + part;
}

VirtualMemory::~VirtualMemory() { clear(); }

Address VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t alignment, Address wanted) {
  require(bytes != 0 && in_granules(bytes) && (alignment & (alignment - 1)) == 0,
          cudaErrorInvalidValue,
          fmt::format("the size must be a multiple of {} bytes, the alignment a power of 2",
                      kGranularity));
  const std::uint64_t step = std::max(alignment, kGranularity);
  const auto fits = [&](Address at) {
    if (at < begin_ || at >= end_ || bytes > end_ - at || at % step != 0) return false;
    const auto next = ranges_.lower_bound(at);
    if (next != ranges_.end() && next->first - at < bytes) return false;
    return next == ranges_.begin() || std::prev(next)->first + std::prev(next)->second.bytes <= at;
  };
  // The range begins after the last one, with a guard between: freed addresses are not reused soon.
  const auto behind = [&](Address end) { return (end + kGranularity + step - 1) / step * step; };
  Address base = fits(wanted) ? wanted : last_end_ == 0 ? begin_ : behind(last_end_);
  if (!fits(base)) base = begin_;
  for (auto range = ranges_.begin(); !fits(base) && range != ranges_.end(); ++range) {
    base = behind(range->first + range->second.bytes);
  }
  require(fits(base), cudaErrorMemoryAllocation);
  Range range{bytes, nullptr, true, {}};
  void* host = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (host == MAP_FAILED) {
    // The process may not have enough address space (ulimit -v): only mapped memory takes some.
    range.reserved = false;
    host = reinterpret_cast<void*>(base - kBase + kValues);
  }
  range.host = static_cast<std::byte*>(host);
  ranges_[base] = std::move(range);
  last_end_ = base + bytes;
  return base;
}

void VirtualMemory::free(Address base, std::uint64_t bytes) {
  const auto range = ranges_.find(base);
  require(range != ranges_.end() && range->second.bytes == bytes, cudaErrorInvalidValue,
          "these addresses were not reserved, or with another size");
  const auto mapped = mappings_.lower_bound(base);
  require(mapped == mappings_.end() || mapped->first >= base + bytes, cudaErrorInvalidValue,
          "memory is still mapped there");
  if (range->second.reserved) munmap(range->second.host, bytes);
  ranges_.erase(range);
}

std::shared_ptr<Physical> VirtualMemory::create(std::uint64_t bytes) {
  require(bytes != 0 && in_granules(bytes), cudaErrorInvalidValue,
          fmt::format("the size must be a multiple of {} bytes", kGranularity));
  require(
      bytes <= space_.capacity() - std::min(space_.capacity(), space_.used() + physical_bytes()),
      cudaErrorMemoryAllocation);
  std::erase_if(physical_, [](const auto& one) { return one.expired(); });
  auto made = std::make_shared<Physical>(bytes);
  physical_.push_back(made);
  return made;
}

void VirtualMemory::map(Address at, std::uint64_t bytes, std::uint64_t offset,
                        std::shared_ptr<Physical> what) {
  require(bytes != 0 && in_granules(at) && in_granules(bytes) && in_granules(offset) &&
              offset <= what->bytes() && bytes <= what->bytes() - offset,
          cudaErrorInvalidValue,
          fmt::format("address, size and offset must be multiples of {} bytes within the memory",
                      kGranularity));
  Address base = 0;
  Range* range = range_of(at, bytes, &base);
  require(range != nullptr, cudaErrorInvalidValue, "not all of these addresses are reserved");
  const auto next = mappings_.lower_bound(at);
  require(next == mappings_.end() || next->first >= at + bytes, cudaErrorInvalidValue,
          "memory is mapped there already");
  require(mapping_at(at) == mappings_.end(), cudaErrorInvalidValue,
          "memory is mapped there already");
  std::byte* place = range->host + (at - base);
  void* pages = mmap(place, bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | (range->reserved ? MAP_FIXED : MAP_FIXED_NOREPLACE), what->file(),
                     static_cast<off_t>(offset));
  if (pages != MAP_FAILED && pages != place) munmap(pages, bytes);
  require(pages == place, cudaErrorMemoryAllocation);
  mappings_[at] = {bytes, std::move(what), Access::none};
}

void VirtualMemory::unmap(Address at, std::uint64_t bytes) {
  const auto [first, end] = whole(at, bytes);
  Address base = 0;
  Range* range = range_of(at, bytes, &base);
  if (range->reserved) {
    mmap(range->host + (at - base), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  } else {
    munmap(range->host + (at - base), bytes);
  }
  mappings_.erase(first, end);
  tell_space(base, *range);
}

void VirtualMemory::set_access(Address at, std::uint64_t bytes, Access access) {
  const auto [first, end] = whole(at, bytes);
  for (auto one = first; one != end; ++one) one->second.access = access;
  Address base = 0;
  Range* range = range_of(at, bytes, &base);
  tell_space(base, *range);
}

VirtualMemory::Access VirtualMemory::access(Address at) const {
  const auto mapping = mapping_at(at);
  require(mapping != mappings_.end(), cudaErrorInvalidValue, "nothing is mapped there");
  return mapping->second.access;
}

std::shared_ptr<Physical> VirtualMemory::physical_at(Address at) const {
  const auto mapping = mapping_at(at);
  require(mapping != mappings_.end(), cudaErrorInvalidValue, "nothing is mapped there");
  return mapping->second.physical;
}

void VirtualMemory::clear() {
  for (const auto& [at, mapping] : mappings_) {
    Address base = 0;
    const Range* range = range_of(at, mapping.bytes, &base);
    if (!range->reserved) munmap(range->host + (at - base), mapping.bytes);
  }
  mappings_.clear();
  for (auto& [base, range] : ranges_) {
    tell_space(base, range);
    if (range.reserved) munmap(range.host, range.bytes);
  }
  ranges_.clear();
}

std::uint64_t VirtualMemory::physical_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& one : physical_) {
    if (const auto lives = one.lock()) bytes += lives->bytes();
  }
  return bytes;
}

VirtualMemory::Range* VirtualMemory::range_of(Address at, std::uint64_t bytes, Address* base) {
  auto next = ranges_.upper_bound(at);
  if (next == ranges_.begin()) return nullptr;
  --next;
  const std::uint64_t offset = at - next->first;
  if (offset > next->second.bytes || bytes > next->second.bytes - offset) return nullptr;
  if (base != nullptr) *base = next->first;
  return &next->second;
}

VirtualMemory::Mappings::const_iterator VirtualMemory::mapping_at(Address at) const {
  auto next = mappings_.upper_bound(at);
  if (next == mappings_.begin()) return mappings_.end();
  --next;
  return at - next->first < next->second.bytes ? next : mappings_.end();
}

std::pair<VirtualMemory::Mappings::iterator, VirtualMemory::Mappings::iterator>
VirtualMemory::whole(Address at, std::uint64_t bytes) {
  const auto first = mappings_.find(at);
  auto end = first;
  Address reached = at;
  while (end != mappings_.end() && end->first == reached && reached - at < bytes) {
    reached += end->second.bytes;
    ++end;
  }
  require(bytes != 0 && reached == at + bytes && range_of(at, bytes) != nullptr,
          cudaErrorInvalidValue, "nothing, or not all of it, is mapped there");
  return {first, end};
}

/// Makes neighbouring mappings one allocation, so that copies and pointers can cross them.
void VirtualMemory::tell_space(Address base, Range& range) {
  for (const Address known : range.known) space_.unmap(known);
  range.known.clear();
  auto one = mappings_.lower_bound(base);
  while (one != mappings_.end() && one->first < base + range.bytes) {
    const Address start = one->first;
    const Access access = one->second.access;
    Address end = start;
    while (one != mappings_.end() && one->first == end && one->second.access == access &&
           end < base + range.bytes) {
      end += one->second.bytes;
      ++one;
    }
    if (access == Access::none) continue;
    space_.map(start, end - start, kind_of(access), "cuMemMap", range.host + (start - base));
    range.known.push_back(start);
  }
}

}  // namespace raddle::cuda
