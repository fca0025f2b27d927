// Which L2 slice and DRAM channel hold an address.
#pragma once

#include "base/types.h"

namespace raddle::machine {

/// Memory is dealt to the slices in chunks. Each round of the deal starts at another slice, which a
/// hash of the round's number chooses, so that strides of a power of two do not all fall on one
/// slice. Slices s n ... s n + n - 1 share channel s.
/// `paired`: four chunks at a time are dealt to pairs of slices, one of which has the first and the
/// third, the other the rest; which one, the hash says.
/// In a cache of two halves the first half of the slices is the one half, and each slice has a
/// partner in the other, with which it is linked. A multiprocessor asks the slices of its own half
/// alone: the home of an address, or the home's partner, which asks the home.
class AddressMap {
 public:
  AddressMap(unsigned slices, unsigned slices_per_channel, unsigned chunk_bytes, bool hashed,
             unsigned halves = 1, bool paired = false)
      : slices_(slices),
        per_channel_(slices_per_channel),
        chunk_(chunk_bytes),
        of_half_(halves == 2 ? slices / 2 : 0),
        hashed_(hashed),
        paired_(paired) {}

  /// The home of an address: in front of the channel that holds it.
  std::uint32_t slice(Address address) const {
    const Address chunk = address / chunk_;
    if (paired_) {
      const Address turn = chunk / kTurn, pairs = slices_ / 2, round = turn / pairs;
      const Address pair = (turn - round * pairs + start(round)) % pairs;
      return static_cast<std::uint32_t>(2 * pair + (chunk + start(turn)) % 2);
    }
    const Address round = chunk / slices_;
    return static_cast<std::uint32_t>((chunk - round * slices_ + start(round)) % slices_);
  }
  /// The address among those of its slice, without gaps.
  Address in_slice(Address address) const {
    const Address chunk = address / chunk_;
    if (paired_) {
      const Address round = chunk / kTurn / (slices_ / 2);
      return (round * 2 + chunk % kTurn / 2) * chunk_ + address % chunk_;
    }
    return chunk / slices_ * chunk_ + address % chunk_;
  }
  bool halved() const { return of_half_ != 0; }
  bool is_in_second_half(std::uint32_t slice) const { return slice >= of_half_; }
  /// Pairs of multiprocessors (which share a network port on hardware) belong to the halves in turn.
  static bool asks_second_half(std::uint32_t sm) { return (sm / 2 & 1) != 0; }
  std::uint32_t partner(std::uint32_t slice) const {
    return is_in_second_half(slice) ? slice - of_half_ : slice + of_half_;
  }
  /// The slice that a multiprocessor asks.
  std::uint32_t asked(Address address, std::uint32_t sm) const {
    const std::uint32_t home = slice(address);
    if (!halved() || is_in_second_half(home) == asks_second_half(sm)) return home;
    return partner(home);
  }
  std::uint32_t channel(std::uint32_t slice) const { return slice / per_channel_; }
  /// An address of a slice as an address of its channel, without gaps.
  Address in_channel(std::uint32_t slice, Address in_slice) const {
    const Address chunk = in_slice / chunk_;
    return (chunk * per_channel_ + slice % per_channel_) * chunk_ + in_slice % chunk_;
  }

 private:
  static constexpr Address kTurn = 4;  // chunks of a pair
  /// Multiplicative hash (Knuth, The Art of Computer Programming 3, 6.4): the top bits.
  Address start(Address round) const {
    return hashed_ ? (round * 0x9e37'79b9'7f4a'7c15u) >> 48 : 0;
  }

  std::uint32_t slices_, per_channel_, chunk_, of_half_;
  bool hashed_, paired_;
};

}  // namespace raddle::machine
