// The aggregated group table (AGT): on-chip entries of groups that wait or run.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace raddle::mechanisms::dtbl {

/// Bytes of an entry: three sizes, the parameter address, Next and ExeBL (section 4.3).
inline constexpr unsigned kEntryBytes = 20;
/// Bytes of registers: NAGEI and LAGEI in the distributor's entries, the flags of the FCFS
/// controller, and AGEI in the scheduler and in the multiprocessors (section 4.3).
inline constexpr unsigned kRegisterBytes = 1096;

/// The thread that launches a group, by its place on its multiprocessor.
struct HardwareThread {
  unsigned sm = 0;
  unsigned thread = 0;  // number of the thread in the multiprocessor
};

/// Selects the table entry of a group. The group gets the entry if it is free.
enum class Hash : std::uint8_t {
  thread,  // by the launching thread's number in the multiprocessor (section 4.2)
  mixed,  // by the thread's number in the GPU; consecutive numbers are on different multiprocessors
  per_sm,  // like `thread`, with a table for each multiprocessor
  any      // any free entry
};

/// The hash of this name (config.h); `thread` for any other.
inline Hash hash_named(std::string_view name) {
  if (name == "mixed") return Hash::mixed;
  if (name == "per_sm") return Hash::per_sm;
  return name == "any" ? Hash::any : Hash::thread;
}

class GroupTable {
 public:
  static constexpr std::uint32_t kSpilled = ~std::uint32_t{0};

  /// `entries`: of each table, a power of two.
  GroupTable(unsigned entries, Hash hash, unsigned sms)
      : hash_(hash),
        sms_(sms),
        mask_(entries - 1),
        taken_(std::size_t{entries} * (hash == Hash::per_sm ? sms : 1), false) {
    if (hash != Hash::any) return;
    free_.resize(entries);
    std::iota(free_.rbegin(), free_.rend(), 0u);
  }

  /// Returns kSpilled when the selected entry is taken, or when all entries are taken (Hash::any).
  std::uint32_t allocate(HardwareThread launching) {
    const std::optional<std::uint32_t> index = index_for(launching);
    if (!index || taken_[*index]) return kSpilled;
    taken_[*index] = true;
    ++used_;
    return *index;
  }
  void release(std::uint32_t entry) {
    if (entry == kSpilled) return;
    taken_[entry] = false;
    if (hash_ == Hash::any) free_.push_back(entry);
    --used_;
  }
  unsigned used() const { return used_; }
  /// Entries of all tables.
  std::size_t entries() const { return taken_.size(); }

 private:
  std::optional<std::uint32_t> index_for(HardwareThread of) {
    switch (hash_) {
      case Hash::thread:
        return of.thread & mask_;
      case Hash::mixed:
        return (of.thread * sms_ + of.sm) & mask_;
      case Hash::per_sm:
        return of.sm * (mask_ + 1) + (of.thread & mask_);
      case Hash::any:
        break;
    }
    if (free_.empty()) return {};
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  const Hash hash_;
  const unsigned sms_;
  const std::uint32_t mask_;
  std::vector<bool> taken_;
  std::vector<std::uint32_t> free_;  // Hash::any
  unsigned used_ = 0;
};

}  // namespace raddle::mechanisms::dtbl
