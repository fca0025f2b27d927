#include "machine/cache/tags.h"

#include <bit>

namespace raddle::machine {

Tags::Tags(unsigned sets, unsigned ways)
    : sets_(sets),
      ways_(ways),
      used_ways_(ways),
      set_bits_(std::bit_width(sets - 1)),
      tags_(sets * ways, kEmpty),
      used_(sets * ways),
      lines_(sets * ways) {
  guesses_.fill(kNoSlot);
}

/// The bits above the set index are folded onto it, so that power-of-two strides spread over the
/// sets.
std::uint32_t Tags::first_slot(Address number) const {
  const Address folded = number ^ (number >> set_bits_) ^ (number >> (2 * set_bits_));
  const Address set = std::has_single_bit(sets_) ? folded & (sets_ - 1) : folded % sets_;
  return static_cast<std::uint32_t>(set) * ways_;
}

std::uint32_t Tags::search(Address number) const {
  const std::uint32_t first = first_slot(number);
  std::uint32_t found = kNoSlot;
  for (std::uint32_t slot = first; slot < first + used_ways_; ++slot) {
    if (tags_[slot] == number) found = slot;
  }
  return found;
}

std::uint32_t Tags::victim(Address line) const {
  const std::uint32_t first = first_slot(line / kLineBytes);
  std::uint32_t oldest = kNoSlot;
  std::uint64_t oldest_use = kNever;
  for (std::uint32_t slot = first; slot < first + used_ways_; ++slot) {
    if (lines_[slot].miss != kNoMiss || used_[slot] >= oldest_use) continue;
    oldest = slot;
    oldest_use = used_[slot];
  }
  return oldest;
}

unsigned Tags::pinned(Address line) const {
  const std::uint32_t first = first_slot(line / kLineBytes);
  unsigned found = 0;
  for (std::uint32_t slot = first; slot < first + used_ways_; ++slot) {
    if (lines_[slot].miss != kNoMiss) ++found;
  }
  return found;
}

Tags::DirtyLines Tags::dirty_lines(Address line) const {
  const std::uint32_t first = first_slot(line / kLineBytes);
  DirtyLines dirty{0, kNoSlot};
  for (std::uint32_t slot = first; slot < first + used_ways_; ++slot) {
    if (lines_[slot].dirty == 0) continue;
    ++dirty.count;
    if (dirty.oldest == kNoSlot || used_[slot] < used_[dirty.oldest]) dirty.oldest = slot;
  }
  return dirty;
}

void Tags::assign(std::uint32_t slot, Address line) {
  tags_[slot] = line / kLineBytes;
  guesses_[tags_[slot] % kGuesses] = slot;
  (*this)[slot] = {};
  use(slot);
}

void Tags::drop_clean() {
  if (!touched_) return;  // every launch calls this on each multiprocessor
  touched_ = false;
  for (Line& line : lines_) line.valid &= line.dirty;
}

}  // namespace raddle::machine
