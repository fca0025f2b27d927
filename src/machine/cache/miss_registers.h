// Miss registers (MSHRs): the lines that are being fetched, and the accesses that wait for them.
#pragma once

#include <cassert>
#include <memory>
#include <vector>

#include "machine/coalescer/transaction.h"

namespace raddle::machine {

/// A fixed number of registers, one for each line that is fetched, each with a bounded list of
/// waiters (Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981).
template <class Waiter>
class MissRegisters {
 public:
  MissRegisters(unsigned registers, unsigned waiters)
      : entries_(registers), waiters_(registers), most_(waiters) {
    for (unsigned id = registers; id-- > 0;) free_.push_back(id);
  }

  bool full() const { return free_.empty(); }
  bool empty() const { return free_.size() == entries_.size(); }
  bool can_wait(std::uint32_t id) const { return entries_[id].count < most_; }
  unsigned taken() const { return static_cast<unsigned>(entries_.size() - free_.size()); }
  unsigned most_waiters() const { return most_; }

  /// Allocates a register for the line in `slot`. full() must be false.
  std::uint32_t allocate(std::uint32_t slot) {
    const std::uint32_t id = free_.back();
    free_.pop_back();
    entries_[id] = {slot, 0, 0};
    if (waiters_[id] == nullptr) waiters_[id] = std::make_unique<Waiting[]>(most_);
    return id;
  }
  std::uint32_t slot(std::uint32_t id) const { return entries_[id].slot; }
  SectorMask pending(std::uint32_t id) const { return entries_[id].pending; }
  void expect(std::uint32_t id, SectorMask sectors) { entries_[id].pending |= sectors; }

  /// `waiter` waits for `sectors`, which must all be pending.
  void wait(std::uint32_t id, const Waiter& waiter, SectorMask sectors) {
    assert(can_wait(id) && (sectors & ~pending(id)) == 0);
    waiters_[id][entries_[id].count++] = {waiter, sectors};
  }

  /// `sectors` have arrived. Calls answered(waiter) for each waiter that has all its sectors, in
  /// the order in which they began to wait. Returns true when no sector is pending; then the
  /// register is free again.
  template <class Answered>
  bool fill(std::uint32_t id, SectorMask sectors, Answered&& answered) {
    Entry& entry = entries_[id];
    Waiting* waiting = waiters_[id].get();
    unsigned kept = 0;
    for (unsigned i = 0; i < entry.count; ++i) {
      waiting[i].sectors &= static_cast<SectorMask>(~sectors);
      if (waiting[i].sectors == 0) {
        answered(waiting[i].waiter);
      } else {
        waiting[kept++] = waiting[i];
      }
    }
    entry.count = kept;
    entry.pending &= static_cast<SectorMask>(~sectors);
    if (entry.pending != 0) return false;
    free_.push_back(id);
    return true;
  }

 private:
  struct Entry {
    std::uint32_t slot = 0;
    SectorMask pending = 0;  // sectors under way
    unsigned count = 0;      // waiters
  };
  struct Waiting {
    Waiter waiter;
    SectorMask sectors;
  };

  std::vector<Entry> entries_;
  // [register][waiter]. A list is allocated when its register is first used, because all lists of a
  // large GPU would take 200 MB, and most are never used.
  std::vector<std::unique_ptr<Waiting[]>> waiters_;
  std::vector<std::uint32_t> free_;
  unsigned most_;
};

}  // namespace raddle::machine
