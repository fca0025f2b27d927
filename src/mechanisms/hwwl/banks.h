// The banks of a core: FIFO queues of work ids, with two sides when double-buffered
// (hardware-worklists, section III.B). Lane l uses bank l modulo the number of banks.
#pragma once

#include <cstdint>
#include <vector>

namespace raddle::mechanisms::hwwl {

/// A ring of work ids. For a bank with a limit the ring never grows.
class Fifo {
 public:
  explicit Fifo(unsigned room) : slots_(room < 1 ? 1 : room) {}
  unsigned size() const { return count_; }
  void push(std::uint32_t id) {
    if (count_ == slots_.size()) grow();
    slots_[wrapped(first_ + count_++)] = id;
  }
  std::uint32_t pop() {
    const std::uint32_t id = slots_[first_];
    first_ = wrapped(first_ + 1);
    --count_;
    return id;
  }
  void clear() { first_ = count_ = 0; }

 private:
  unsigned wrapped(unsigned index) const {
    const auto slots = static_cast<unsigned>(slots_.size());
    return index < slots ? index : index - slots;
  }
  void grow();

  std::vector<std::uint32_t> slots_;
  unsigned first_ = 0, count_ = 0;
};

/// Functions take a side (0 or 1), and a bank.
class Banks {
 public:
  static constexpr unsigned kSides = 2;
  /// `entries`: of a bank, for both sides together; 0: no limit.
  Banks(unsigned banks, unsigned entries);

  unsigned count() const { return count_; }
  /// Empties all banks, and gives their entries to one side, or half of them to each side.
  void configure(bool double_buffered);

  unsigned size(unsigned side, unsigned bank) const { return at(side, bank).size(); }
  /// Work ids, and entries that are reserved for work ids.
  unsigned occupied(unsigned side, unsigned bank) const {
    return size(side, bank) + reserved_[index(side, bank)];
  }
  unsigned free(unsigned side, unsigned bank) const {
    const unsigned taken = occupied(side, bank);
    return taken < limit_ ? limit_ - taken : 0;
  }
  /// Entries of a bank on one side.
  unsigned limit() const { return limit_; }
  /// Work ids and reserved entries of all banks.
  unsigned occupied(unsigned side) const { return occupied_[side]; }
  /// The number of work ids in the fullest bank.
  unsigned longest(unsigned side) const;

  void push(unsigned side, unsigned bank, std::uint32_t id) {
    ++occupied_[side];
    at(side, bank).push(id);
  }
  std::uint32_t pop(unsigned side, unsigned bank) {
    --occupied_[side];
    return at(side, bank).pop();
  }
  /// Reserves an entry until fill() brings its work id.
  void reserve(unsigned side, unsigned bank) {
    ++occupied_[side];
    ++reserved_[index(side, bank)];
  }
  void fill(unsigned side, unsigned bank, std::uint32_t id) {
    --reserved_[index(side, bank)];
    at(side, bank).push(id);
  }
  /// Gives back a reserved entry that is not needed.
  void release(unsigned side, unsigned bank) {
    --occupied_[side];
    --reserved_[index(side, bank)];
  }

 private:
  unsigned index(unsigned side, unsigned bank) const { return side * count_ + bank; }
  Fifo& at(unsigned side, unsigned bank) { return fifos_[index(side, bank)]; }
  const Fifo& at(unsigned side, unsigned bank) const { return fifos_[index(side, bank)]; }

  unsigned count_, entries_, limit_ = 0;
  std::vector<Fifo> fifos_;         // [side][bank]
  std::vector<unsigned> reserved_;  // the same
  unsigned occupied_[kSides] = {};
};

}  // namespace raddle::mechanisms::hwwl
