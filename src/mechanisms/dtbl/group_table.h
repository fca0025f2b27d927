// The aggregated group table (AGT): on-chip entries of groups that wait or run.
#pragma once

#include <cstdint>
#include <vector>

namespace raddle::mechanisms::dtbl {

/// Bytes of an entry: three sizes, parameter address, Next and ExeBL (section 4.3).
inline constexpr unsigned kEntryBytes = 20;
/// NAGEI and LAGEI of the distributor's entries, the flags of the FCFS controller, AGEI of the
/// scheduler and of the multiprocessors (section 4.3).
inline constexpr unsigned kRegisterBytes = 1096;

class GroupTable {
 public:
  static constexpr std::uint32_t kSpilled = ~std::uint32_t{0};

  /// `entries`: a power of two.
  explicit GroupTable(unsigned entries) : taken_(entries, false) {}

  /// The entry that the launching thread's hash names; kSpilled when it is taken.
  std::uint32_t allocate(std::uint32_t hardware_thread) {
    const std::uint32_t index = hardware_thread & (static_cast<std::uint32_t>(taken_.size()) - 1);
    if (taken_[index]) return kSpilled;
    taken_[index] = true;
    ++used_;
    return index;
  }
  void release(std::uint32_t entry) {
    if (entry == kSpilled) return;
    taken_[entry] = false;
    --used_;
  }
  unsigned used() const { return used_; }

 private:
  std::vector<bool> taken_;
  unsigned used_ = 0;
};

}  // namespace raddle::mechanisms::dtbl
