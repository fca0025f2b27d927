// A packet between multiprocessors and L2 slices. The reply is the request, sent back.
#pragma once

#include <algorithm>

#include "base/latency_queue.h"
#include "machine/coalescer/transaction.h"

namespace raddle::machine {

/// The users of a multiprocessor's port to the network: its caches, and the unit that moves the
/// state of blocks. A reply goes to the user that asked.
enum class CacheId : std::uint8_t { l1, read_only, constant, instruction, state };

struct Packet {
  /// How the cache handles the reply.
  enum class Reply : std::uint8_t {
    complete,  // token belongs to the load-store unit
    fill,      // token is the number of a miss register; instructions use the line instead
    none       // written-back line: no unit waits
  };

  Address line = 0;
  std::uint32_t token = 0;
  std::uint16_t sm = 0;
  SectorMask sectors = 0;
  SectorMask whole = 0;  // stores: sectors in which every byte is written
  AccessType type = AccessType::load;
  Reply reply = Reply::complete;
  std::uint8_t operations = 0, contention = 0, passes = 0, wide_passes = 0;  // as in Transaction
  CacheId cache = CacheId::l1;                                               // the requester
  bool past_l2 = false;  // whole sectors of a block's state, which the L2 cache should not keep
};

inline constexpr unsigned kHeaderBytes = 8;
inline constexpr unsigned kOperandBytes = 4;  // of each lane of an atomic

/// Bytes of values in the request, on the way to the L2 cache.
inline unsigned request_payload(const Packet& packet) {
  if (packet.type == AccessType::store) return count(packet.sectors) * kSectorBytes;
  return packet.operations * kOperandBytes;
}
/// Bytes of values in the reply.
inline unsigned reply_payload(const Packet& packet) {
  if (!returns_data(packet.type)) return 0;
  if (packet.type == AccessType::atomic) return packet.operations * kOperandBytes;
  return count(packet.sectors) * kSectorBytes;
}

/// Splits a memory range line by line. Returns the packet for the bytes of the range in the line of
/// `address`; its other fields are as in `like`. Moves `address` behind these bytes, at most to
/// `end`.
inline Packet next_packet(const Packet& like, Address& address, Address end) {
  Packet packet = like;
  packet.line = address / kLineBytes * kLineBytes;
  packet.sectors = 0;
  for (const Address until = std::min(end, packet.line + kLineBytes); address < until;
       address = std::min(until, (address / kSectorBytes + 1) * kSectorBytes)) {
    packet.sectors |= static_cast<SectorMask>(1u << (address - packet.line) / kSectorBytes);
  }
  if (packet.type == AccessType::store) packet.whole = packet.sectors;
  return packet;
}

/// A multiprocessor's connection to the network. Only the multiprocessor sends to `requests` and
/// receives from `replies`, in its own phase of a cycle. The network uses the other ends in the
/// memory phase. So multiprocessors can run in parallel.
struct MemoryPort {
  MemoryPort(unsigned requests, unsigned replies) : requests(requests, 1), replies(replies, 1) {}
  LatencyQueue<Packet> requests, replies;
};

}  // namespace raddle::machine
