// A range of simulated addresses whose values are at a constant distance in the simulator's own
// address space. Host pages are mapped only for allocations, so that a run needs little more
// address space than its program has memory (clusters limit it: ulimit -v).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/types.h"

namespace raddle::memory {

class Window {
 public:
  static constexpr std::uint64_t kPage = 4096;
  /// Host pages are mapped in chunks of this many bytes.
  static constexpr std::uint64_t kChunk = 2 << 20;

  /// A window of `bytes` addresses from `base` on. The first value is at `values_at` if that part
  /// of the host's address space is free, else anywhere (and then the whole window is reserved).
  /// `same`: simulated addresses equal the host's, wherever these are. `file`: holds the values, so
  /// that another process has them too; it has the same length and is not owned. -1: the process's
  /// own values. Throws Error when there is no room at all.
  Window(Address base, std::uint64_t bytes, Address values_at, bool same, int file = -1);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// The first gap of `want` bytes (whole granules) at a multiple of `alignment`; its pages are not
  /// mapped yet.
  std::optional<Address> take(std::uint64_t want, std::uint64_t alignment);
  void give_back(Address start, std::uint64_t bytes);

  /// Makes sure that [start, start + bytes) has host pages; false when the host has no memory left.
  bool map(Address start, std::uint64_t bytes);
  /// Makes the range read as zero again; whole pages go back to the system.
  void clear(Address start, std::uint64_t bytes);
  /// Unmaps the chunks without allocations. Returns whether there were any.
  bool trim();

  std::byte* values(Address a) const {
    return reinterpret_cast<std::byte*>(static_cast<std::intptr_t>(a) + distance_);
  }
  bool holds(Address a) const { return a >= base_ && a - base_ < bytes_; }
  Address base() const { return base_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void* fresh(std::byte* at, std::uint64_t bytes, int flags) const;
  bool map_at(std::byte* at, std::uint64_t bytes) const;

  Address base_;
  std::uint64_t bytes_;
  std::ptrdiff_t distance_ = 0;
  int file_;
  std::vector<bool> mapped_;  // [chunk]
  bool whole_ = false;        // reserved as a whole: no chunk is mapped or unmapped
  std::map<Address, std::uint64_t> gaps_;
};

}  // namespace raddle::memory
