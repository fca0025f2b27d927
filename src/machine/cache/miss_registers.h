// Miss registers (MSHRs): which lines are being fetched, and who waits for them.
#pragma once

#include <cassert>
#include <memory>
#include <vector>

#include "machine/coalescer/transaction.h"

namespace raddle::machine {

/// A bounded set of registers, one per line, each with a bounded list of waiters.
/// (Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981.)
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

  /// A register for the line in `slot`; full() was false.
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

  /// `waiter` waits for `sectors`, all of which are pending.
  void wait(std::uint32_t id, const Waiter& waiter, SectorMask sectors) {
    assert(can_wait(id) && (sectors & ~pending(id)) == 0);
    waiters_[id][entries_[id].count++] = {waiter, sectors};
  }

  /// `sectors` have come: calls answered(waiter) for each waiter that now has all it waits for, in
  /// the order in which they came. True when nothing is pending any more: the register is free.
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
  // [register][waiter]. A list is made when its register is first used: there is room for 200 MB of
  // them in a large GPU, of which little is ever needed.
  std::vector<std::unique_ptr<Waiting[]>> waiters_;
  std::vector<std::uint32_t> free_;
  unsigned most_;
};

}  // namespace raddle::machine
