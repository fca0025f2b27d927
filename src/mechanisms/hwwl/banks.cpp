#include "mechanisms/hwwl/banks.h"

#include <algorithm>
#include <limits>

namespace raddle::mechanisms::hwwl {

void Fifo::grow() {
  std::vector<std::uint32_t> larger;
  larger.reserve(2 * slots_.size());
  for (unsigned n = 0; n < count_; ++n) larger.push_back(slots_[wrapped(first_ + n)]);
  larger.resize(2 * slots_.size());
  slots_ = std::move(larger);
  first_ = 0;
}

Banks::Banks(unsigned banks, unsigned entries)
    : count_(banks),
      entries_(entries),
      fifos_(std::size_t{kSides} * banks, Fifo(entries == 0 ? 64 : entries)),
      reserved_(std::size_t{kSides} * banks) {
  configure(false);
}

void Banks::configure(bool double_buffered) {
  const unsigned side = double_buffered ? entries_ / 2 : entries_;
  limit_ = entries_ == 0 ? std::numeric_limits<unsigned>::max() : side;
  for (Fifo& fifo : fifos_) fifo.clear();
  std::fill(reserved_.begin(), reserved_.end(), 0);
  std::fill(std::begin(occupied_), std::end(occupied_), 0);
}

unsigned Banks::longest(unsigned side) const {
  unsigned most = 0;
  for (unsigned bank = 0; bank < count_; ++bank) most = std::max(most, size(side, bank));
  return most;
}

}  // namespace raddle::mechanisms::hwwl
