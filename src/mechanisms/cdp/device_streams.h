// Streams and events as device code names them: handles, the NULL stream of each block, and work
// that belongs to no stream.
#pragma once

#include "mechanisms/cdp/families.h"

namespace raddle::mechanisms::cdp {

// Handles of streams (CUDA, driver_types.h). Work in cudaStreamTailLaunch runs after the grid and
// all that the grid has launched. Work in cudaStreamFireAndForget waits for nothing.
inline constexpr std::uint64_t kTailLaunch = 3, kFireAndForget = 4;

/// `block` is the block of the calling thread.
class DeviceStreams {
 public:
  DeviceStreams(Streams& streams, Families& families) : streams_(streams), families_(families) {}

  /// Whether the handle names a stream that takes work.
  bool exists(std::uint64_t handle) const {
    return handle <= kFireAndForget || streams_.accepts(handle);
  }
  /// Calls start() when the work before it in the stream has ended. The work counts as a child of
  /// the block's grid, or as its tail.
  Error submit(const isa::BlockContext& block, std::uint64_t handle, Tail start);
  StreamId create() { return streams_.create(); }
  Error destroy(std::uint64_t handle);

  EventId create_event() { return streams_.create_event(); }
  Error destroy_event(EventId event);
  Error record(const isa::BlockContext& block, EventId event, std::uint64_t handle);
  Error wait(const isa::BlockContext& block, std::uint64_t handle, EventId event);

  void block_ended(const isa::BlockContext& block);

 private:
  /// The stream of a handle; 0 when there is none.
  StreamId stream_of(const isa::BlockContext& block, std::uint64_t handle);

  Streams& streams_;
  Families& families_;
  PerBlock<StreamId> null_streams_;  // 0: none yet
};

}  // namespace raddle::mechanisms::cdp
