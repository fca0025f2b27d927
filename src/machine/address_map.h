// Which L2 slice and DRAM channel hold an address.
#pragma once

#include "base/types.h"

namespace raddle::machine {

/// Memory is dealt to the slices in chunks. Each round of the deal starts at another slice, which a
/// hash of the round's number chooses, so that strides of a power of two do not all fall on one
/// slice. Slices s n ... s n + n - 1 share channel s.
class AddressMap {
 public:
  AddressMap(unsigned slices, unsigned slices_per_channel, unsigned chunk_bytes, bool hashed)
      : slices_(slices), per_channel_(slices_per_channel), chunk_(chunk_bytes), hashed_(hashed) {}

  std::uint32_t slice(Address address) const {
    const Address chunk = address / chunk_;
    const Address round = chunk / slices_;
    return static_cast<std::uint32_t>((chunk - round * slices_ + start(round)) % slices_);
  }
  /// The address among those of its slice, without gaps.
  Address in_slice(Address address) const {
    const Address chunk = address / chunk_;
    return chunk / slices_ * chunk_ + address % chunk_;
  }
  std::uint32_t channel(std::uint32_t slice) const { return slice / per_channel_; }
  /// An address of a slice as an address of its channel, without gaps.
  Address in_channel(std::uint32_t slice, Address in_slice) const {
    const Address chunk = in_slice / chunk_;
    return (chunk * per_channel_ + slice % per_channel_) * chunk_ + in_slice % chunk_;
  }

 private:
  /// Multiplicative hash (Knuth, The Art of Computer Programming 3, 6.4): the top bits.
  Address start(Address round) const {
    return hashed_ ? (round * 0x9e37'79b9'7f4a'7c15u) >> 48 : 0;
  }

  std::uint32_t slices_, per_channel_, chunk_;
  bool hashed_;
};

}  // namespace raddle::machine
