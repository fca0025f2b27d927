// What travels between multiprocessors and L2 slices; the reply is the request, sent back.
#pragma once

#include <algorithm>

#include "base/latency_queue.h"
#include "machine/coalescer/transaction.h"

namespace raddle::machine {

/// Who shares a multiprocessor's port to the network: its caches, and what moves the state of
/// blocks; a reply is for the one that asked.
enum class CacheId : std::uint8_t { l1, read_only, constant, instruction, state };

struct Packet {
  /// What the cache does with the reply.
  enum class Reply : std::uint8_t {
    complete,  // token is the load-store unit's
    fill,      // token is the number of a miss register; the line itself says it for instructions
    none       // written-back line: nobody waits
  };

  Address line = 0;
  std::uint32_t token = 0;
  std::uint16_t sm = 0;
  SectorMask sectors = 0;
  SectorMask whole = 0;  // stores: the sectors of which every byte is written
  AccessType type = AccessType::load;
  Reply reply = Reply::complete;
  std::uint8_t operations = 0, contention = 0, passes = 0, wide_passes = 0;  // as in Transaction
  CacheId cache = CacheId::l1;                                               // who asks
  bool past_l2 = false;  // whole sectors that the L2 cache is not to keep: of a block's state
};

inline constexpr unsigned kHeaderBytes = 8;
inline constexpr unsigned kOperandBytes = 4;  // of each lane of an atomic

/// Bytes of values on the way to the L2 cache.
inline unsigned request_payload(const Packet& packet) {
  if (packet.type == AccessType::store) return count(packet.sectors) * kSectorBytes;
  return packet.operations * kOperandBytes;
}
/// Bytes of values on the way back.
inline unsigned reply_payload(const Packet& packet) {
  if (!returns_data(packet.type)) return 0;
  if (packet.type == AccessType::atomic) return packet.operations * kOperandBytes;
  return count(packet.sectors) * kSectorBytes;
}

/// Of a stretch of memory that goes line by line: the packet for the bytes from `address` on that lie
/// in its line, the rest like `like`. `address` moves behind them, at most to `end`.
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

/// A multiprocessor's two ends of the network. Only the multiprocessor sends to `requests` and
/// receives from `replies`, in its own phase of a cycle; the network does the rest in the memory
/// phase: so multiprocessors can run in parallel.
struct MemoryPort {
  MemoryPort(unsigned requests, unsigned replies) : requests(requests, 1), replies(replies, 1) {}
  LatencyQueue<Packet> requests, replies;
};

}  // namespace raddle::machine
