// Groups of multiprocessors (NVIDIA: a graphics processing cluster) that fetch the same lines at
// the same time. The first request crosses the network, and all requesters get its reply. NVIDIA
// calls this unit the L2 request coalescer. Multiprocessors that ask different halves of L2 are in
// different groups, because their requests go to different slices.
#pragma once

#include <bit>
#include <vector>

#include "machine/address_map.h"
#include "machine/interconnect/packet.h"

namespace raddle::machine {

class FetchGroups {
 public:
  /// `size`: multiprocessors in a group. `loads`: the group shares loads of programs, too, not only
  /// fetches of code and constants.
  FetchGroups(unsigned size, bool loads, const AddressMap& map)
      : size_(size), loads_(loads), halved_(map.halved()), table_(kFirstPlaces) {}

  /// Whether the packet can be shared. Only fills of a cache are shared: a load that bypasses the
  /// L1 cache crosses by itself.
  bool concerns(const Packet& packet) const {
    if (packet.cache == CacheId::instruction || packet.cache == CacheId::constant) return true;
    return loads_ && packet.reply == Packet::Reply::fill && packet.type == AccessType::load &&
           (packet.cache == CacheId::l1 || packet.cache == CacheId::read_only);
  }
  /// Returns true when a request for all its sectors is under way. Then the packet waits for the
  /// reply to that request.
  bool join(const Packet& packet) {
    Fetch& fetch = table_[place_of(packet)];
    if (!fetch.taken || (packet.sectors & ~fetch.sectors) != 0) return false;
    fetch.last = add_waiting(packet, fetch.last);
    return true;
  }
  /// The packet crosses the network. For each line one request is shared: a second request for
  /// other sectors is not.
  void open(const Packet& packet) {
    if (taken_ * 2 >= table_.size()) grow();
    Fetch& fetch = table_[place_of(packet)];
    if (fetch.taken) return;
    fetch = {packet.line, group_of(packet), kNobody, packet.sm, packet.cache, packet.sectors, true};
    ++taken_;
  }
  /// The reply has crossed. Calls f(packet) for each packet that has waited for it, in the order of
  /// joining.
  template <class F>
  void answered(const Packet& packet, F f) {
    const std::size_t place = place_of(packet);
    const Fetch fetch = table_[place];
    if (!fetch.taken || fetch.sm != packet.sm || fetch.sectors != packet.sectors) return;
    remove(place);
    if (fetch.last == kNobody) return;
    for (std::uint32_t one = waiting_[fetch.last].next;; one = waiting_[one].next) {
      f(waiting_[one].packet);
      if (one == fetch.last) break;
    }
    std::swap(waiting_[fetch.last].next, free_);  // all of the ring become free
  }

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr std::size_t kFirstPlaces = 256;
  struct Fetch {
    Address line = 0;
    std::uint32_t group = 0;
    std::uint32_t last = kNobody;  // the last packet that waits
    std::uint16_t sm = 0;          // whose request crossed
    CacheId cache = CacheId::l1;
    SectorMask sectors = 0;
    bool taken = false;
  };
  /// Packets that wait for one fetch form a ring: after the last comes the first.
  struct Waiting {
    Packet packet;
    std::uint32_t next = kNobody;
  };

  std::uint32_t group_of(const Packet& packet) const {
    const bool second = halved_ && AddressMap::asks_second_half(packet.sm);
    return packet.sm / size_ * 2 + (second ? 1 : 0);
  }
  /// The table index at which a search for the fetch starts: the high bits of a product (Fibonacci
  /// hashing).
  std::size_t home(Address line, std::uint32_t group, CacheId cache) const {
    const std::uint64_t key = line / kLineBytes * 1024 + group * 8 + static_cast<unsigned>(cache);
    return (key * 0x9e3779b97f4a7c15u) >> (64 - std::countr_zero(table_.size()));
  }
  /// The index of the fetch for the packet's line, or of the free entry where it would be.
  std::size_t place_of(const Packet& packet) const {
    const std::uint32_t group = group_of(packet);
    std::size_t place = home(packet.line, group, packet.cache);
    while (table_[place].taken &&
           (table_[place].line != packet.line || table_[place].group != group ||
            table_[place].cache != packet.cache)) {
      place = next(place);
    }
    return place;
  }
  std::size_t next(std::size_t place) const { return (place + 1) & (table_.size() - 1); }

  /// Removes an entry. Moves later entries forward if a search would not find them behind the gap.
  void remove(std::size_t gap) {
    for (std::size_t from = next(gap); table_[from].taken; from = next(from)) {
      const Fetch& fetch = table_[from];
      const std::size_t mask = table_.size() - 1;
      const std::size_t way = (from - home(fetch.line, fetch.group, fetch.cache)) & mask;
      if (way < ((from - gap) & mask)) continue;
      table_[gap] = fetch;
      gap = from;
    }
    table_[gap].taken = false;
    --taken_;
  }
  void grow() {
    std::vector<Fetch> before(table_.size() * 2);
    before.swap(table_);
    for (const Fetch& fetch : before) {
      if (!fetch.taken) continue;
      std::size_t place = home(fetch.line, fetch.group, fetch.cache);
      while (table_[place].taken) place = next(place);
      table_[place] = fetch;
    }
  }
  /// Adds the packet to a ring behind `last`. Returns its index.
  std::uint32_t add_waiting(const Packet& packet, std::uint32_t last) {
    std::uint32_t one = free_;
    if (one == kNobody) {
      one = static_cast<std::uint32_t>(waiting_.size());
      waiting_.emplace_back();
    } else {
      free_ = waiting_[one].next;
    }
    waiting_[one] = {packet, last == kNobody ? one : waiting_[last].next};
    if (last != kNobody) waiting_[last].next = one;
    return one;
  }

  unsigned size_;
  bool loads_, halved_;
  std::vector<Fetch> table_;  // open addressing; the size is a power of two, at most half is taken
  std::size_t taken_ = 0;
  std::vector<Waiting> waiting_;
  std::uint32_t free_ = kNobody;  // the first free entry of waiting_
};

}  // namespace raddle::machine
