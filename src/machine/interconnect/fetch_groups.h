// Multiprocessors that lie together (NVIDIA: a graphics processing cluster) and fetch the same code and
// constants at the same time: the first one's request crosses the network, and all get its answer. Those
// that ask different halves of L2 are groups of their own: their requests go to different slices.
#pragma once

#include <algorithm>
#include <vector>

#include "machine/address_map.h"
#include "machine/interconnect/packet.h"

namespace raddle::machine {

class FetchGroups {
 public:
  /// `size`: multiprocessors of a group.
  FetchGroups(std::size_t sms, unsigned size, const AddressMap& map)
      : size_(size), halved_(map.halved()), open_((sms + size - 1) / size * 2) {}

  static bool concerns(const Packet& packet) {
    return packet.cache == CacheId::instruction || packet.cache == CacheId::constant;
  }
  /// True when another one's request for the same is under way: the packet waits for its answer.
  bool join(const Packet& packet) {
    Fetch* fetch = find(packet);
    if (fetch == nullptr) return false;
    fetch->waiting.push_back(packet);
    return true;
  }
  /// The packet crosses the network.
  void open(const Packet& packet) { of_group(packet).push_back({packet, {}}); }
  /// Its answer has crossed: calls f(packet) for each that has waited for it.
  template <class F>
  void answered(const Packet& packet, F f) {
    Fetch* fetch = find(packet);
    if (fetch == nullptr || fetch->first.sm != packet.sm) return;
    for (const Packet& waiting : fetch->waiting) f(waiting);
    auto& open = of_group(packet);
    open.erase(open.begin() + (fetch - open.data()));
  }

 private:
  struct Fetch {
    Packet first;
    std::vector<Packet> waiting;
  };
  std::vector<Fetch>& of_group(const Packet& packet) {
    const bool second = halved_ && AddressMap::asks_second_half(packet.sm);
    return open_[packet.sm / size_ * 2 + (second ? 1 : 0)];
  }
  Fetch* find(const Packet& packet) {
    auto& open = of_group(packet);
    const auto found = std::find_if(open.begin(), open.end(), [&](const Fetch& one) {
      return one.first.line == packet.line && one.first.sectors == packet.sectors &&
             one.first.cache == packet.cache;
    });
    return found == open.end() ? nullptr : &*found;
  }

  unsigned size_;
  bool halved_;
  std::vector<std::vector<Fetch>> open_;  // [group, half]
};

}  // namespace raddle::machine
