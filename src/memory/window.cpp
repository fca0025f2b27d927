#include "memory/window.h"

#include <sys/mman.h>

#include <cstring>

#include "base/error.h"

// Since Linux 4.17. Older kernels take the address as a hint, which map_at() detects.
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace raddle::memory {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }
std::uint64_t round_down(std::uint64_t value, std::uint64_t to) { return value / to * to; }

constexpr int kProtection = PROT_READ | PROT_WRITE;

}  // namespace

/// Maps fresh pages at `at`; distance_ gives the place of the window's first byte.
void* Window::fresh(std::byte* at, std::uint64_t bytes, int flags) const {
  if (file_ < 0) {
    return mmap(at, bytes, kProtection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  }
  const auto offset = at == nullptr ? 0 : at - values(base_);
  return mmap(at, bytes, kProtection, MAP_SHARED | MAP_NORESERVE | flags, file_, offset);
}

/// Maps fresh pages at exactly that place; false when it is occupied or no memory is left.
bool Window::map_at(std::byte* at, std::uint64_t bytes) const {
#ifdef __SANITIZE_THREAD__
  return false;  // under the thread sanitizer, programs may only use its own places
#endif
  void* got = fresh(at, bytes, MAP_FIXED_NOREPLACE);
  if (got == at) return true;
  if (got != MAP_FAILED) munmap(got, bytes);
  return false;
}

Window::Window(Address base, std::uint64_t bytes, Address values_at, bool same, int file)
    : base_(base), bytes_(round_up(bytes, kChunk)), file_(file), mapped_(bytes_ / kChunk) {
  auto* first = reinterpret_cast<std::byte*>(values_at);
  distance_ = reinterpret_cast<std::intptr_t>(first) - static_cast<std::intptr_t>(base_);
  if (map_at(first, kChunk)) {
    mapped_[0] = true;
  } else {
    // The place is occupied, or the system does not let programs choose (sanitizers).
    void* got = fresh(nullptr, bytes_, 0);
    if (got == MAP_FAILED) {
      fail("cannot reserve {} bytes of address space for the simulated GPU", bytes_);
    }
    first = static_cast<std::byte*>(got);
    whole_ = true;
    if (same) base_ = reinterpret_cast<Address>(got);
  }
  distance_ = reinterpret_cast<std::intptr_t>(first) - static_cast<std::intptr_t>(base_);
  gaps_[base_] = bytes_;
}

Window::~Window() {
  if (whole_) {
    munmap(values(base_), bytes_);
    return;
  }
  for (std::uint64_t chunk = 0; chunk < mapped_.size(); ++chunk) {
    if (mapped_[chunk]) munmap(values(base_ + chunk * kChunk), kChunk);
  }
}

std::optional<Address> Window::take(std::uint64_t want, std::uint64_t alignment) {
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const Address start = round_up(gap->first, alignment);
    const Address gap_end = gap->first + gap->second;
    if (start >= gap_end || gap_end - start < want) continue;
    const Address gap_start = gap->first;
    gaps_.erase(gap);
    if (start > gap_start) gaps_[gap_start] = start - gap_start;
    if (gap_end > start + want) gaps_[start + want] = gap_end - (start + want);
    return start;
  }
  return std::nullopt;
}

void Window::give_back(Address start, std::uint64_t size) {
  auto next = gaps_.lower_bound(start);
  if (next != gaps_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == start) {
      start = before->first;
      size += before->second;
      gaps_.erase(before);
    }
  }
  if (next != gaps_.end() && start + size == next->first) {
    size += next->second;
    gaps_.erase(next);
  }
  gaps_[start] = size;
}

bool Window::map(Address start, std::uint64_t bytes) {
  if (whole_) return true;
  const std::uint64_t end = (round_up(start + bytes, kChunk) - base_) / kChunk;
  for (std::uint64_t chunk = (start - base_) / kChunk; chunk < end;) {
    if (mapped_[chunk]) {
      ++chunk;
      continue;
    }
    std::uint64_t last = chunk;
    while (last < end && !mapped_[last]) ++last;
    if (!map_at(values(base_ + chunk * kChunk), (last - chunk) * kChunk)) return false;
    while (chunk < last) mapped_[chunk++] = true;
  }
  return true;
}

void Window::clear(Address start, std::uint64_t bytes) {
  // For less, a system call costs more than the pages are worth.
  constexpr std::uint64_t kWorthReturning = 4 * kPage;
  const Address end = start + bytes;
  const Address first_page = round_up(start, kPage), last_page = round_down(end, kPage);
  if (last_page > first_page && last_page - first_page >= kWorthReturning) {
    // Pages of a file disappear for all processes that map it.
    madvise(values(first_page), last_page - first_page, file_ < 0 ? MADV_DONTNEED : MADV_REMOVE);
    std::memset(values(start), 0, first_page - start);
    std::memset(values(last_page), 0, end - last_page);
  } else {
    std::memset(values(start), 0, bytes);
  }
}

bool Window::trim() {
  if (whole_) return false;
  bool any = false;
  for (const auto& [start, bytes] : gaps_) {
    std::uint64_t chunk = (round_up(start - base_, kChunk)) / kChunk;
    const std::uint64_t end = (start + bytes - base_) / kChunk;
    for (; chunk < end; ++chunk) {
      if (!mapped_[chunk]) continue;
      munmap(values(base_ + chunk * kChunk), kChunk);
      mapped_[chunk] = false;
      any = true;
    }
  }
  return any;
}

}  // namespace raddle::memory
