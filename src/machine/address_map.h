// Which L2 slice and DRAM channel hold an address.
#pragma once

#include "base/types.h"

namespace raddle::machine {

/// Memory is dealt to the slices in chunks. A hash of the round's number chooses the slice at which
/// each round starts, so that strides of a power of two do not all fall on one slice. Slices s n
/// ... s n + n - 1 share channel s.
///
/// With `pair_bytes`, whole regions of `pair_bytes` bytes are dealt to pairs of neighbouring
/// slices. The two slices take the region's chunks in turn; a hash of the region chooses which of
/// them begins.
///
/// A cache of two halves has the first half of the slices in one half of the cache. Each slice has
/// a partner in the other half, linked with it. A multiprocessor asks only slices of its own half:
/// the home of an address, or the home's partner, which asks the home.
class AddressMap {
 public:
  AddressMap(unsigned slices, unsigned slices_per_channel, unsigned chunk_bytes, bool hashed,
             unsigned halves = 1, unsigned pair_bytes = 0)
      : hands_(pair_bytes == 0 ? slices : slices / 2),
        dealt_(pair_bytes == 0 ? chunk_bytes : pair_bytes),
        in_hand_(pair_bytes == 0 ? chunk_bytes : pair_bytes / 2),
        per_channel_(slices_per_channel),
        chunk_(chunk_bytes),
        of_half_(halves == 2 ? slices / 2 : 0),
        hashed_(hashed),
        paired_(pair_bytes != 0) {}

  /// The home slice of an address, which belongs to the channel that holds the address.
  std::uint32_t slice(Address address) const {
    const Address dealt = address / dealt_;
    const Address round = dealt / hands_;
    const auto hand = static_cast<std::uint32_t>((dealt - round * hands_ + start(round)) % hands_);
    if (!paired_) return hand;
    return 2 * hand + static_cast<std::uint32_t>((address / chunk_ + first(dealt)) % 2);
  }
  /// The address as an address of its slice, without gaps.
  Address in_slice(Address address) const {
    const Address round = address / dealt_ / hands_;
    const Address chunk = address % dealt_ / chunk_ / (paired_ ? 2 : 1);
    return round * in_hand_ + chunk * chunk_ + address % chunk_;
  }
  bool halved() const { return of_half_ != 0; }
  bool is_in_second_half(std::uint32_t slice) const { return slice >= of_half_; }
  /// Pairs of multiprocessors, which share a network port on hardware, belong to the halves in
  /// turn.
  static bool asks_second_half(std::uint32_t sm) { return (sm / 2 & 1) != 0; }
  std::uint32_t partner(std::uint32_t slice) const {
    return is_in_second_half(slice) ? slice - of_half_ : slice + of_half_;
  }
  /// The slice that a multiprocessor asks for the address.
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
  static constexpr Address kHash = 0x9e37'79b9'7f4a'7c15u;
  /// Multiplicative hash (Knuth, The Art of Computer Programming 3, 6.4): the top bits.
  Address start(Address round) const { return hashed_ ? (round * kHash) >> 48 : 0; }
  Address first(Address region) const { return hashed_ ? (region * kHash) >> 63 : 0; }

  std::uint32_t hands_;    // slices, or pairs of slices, to which memory is dealt
  std::uint32_t dealt_;    // bytes that each of them gets at a time
  std::uint32_t in_hand_;  // bytes of these that one slice gets
  std::uint32_t per_channel_, chunk_, of_half_;
  bool hashed_, paired_;
};

}  // namespace raddle::machine
