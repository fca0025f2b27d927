#include "mechanisms/cdp/device_streams.h"

namespace raddle::mechanisms::cdp {
namespace {

// Handles that mean the block's NULL stream, as 0 does (CUDA, driver_types.h).
constexpr std::uint64_t kLegacyStream = 1, kPerThreadStream = 2;

/// CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", Device Runtime Streams.
bool takes_no_events(std::uint64_t handle) {
  return handle == kTailLaunch || handle == kFireAndForget;
}

}  // namespace

StreamId DeviceStreams::stream_of(const isa::BlockContext& block, std::uint64_t handle) {
  if (handle == kFireAndForget) return streams_.create();
  if (handle == 0 || handle == kLegacyStream || handle == kPerThreadStream) {
    StreamId& stream = null_streams_.of(block);
    if (stream == 0) stream = streams_.create();
    return stream;
  }
  return streams_.accepts(handle) ? handle : 0;
}

Error DeviceStreams::submit(const isa::BlockContext& block, std::uint64_t handle, Tail start) {
  if (handle == kTailLaunch) {
    families_.add_tail(block.grid->id, std::move(start));
    return Error::success;
  }
  const StreamId stream = stream_of(block, handle);
  if (stream == 0) return Error::invalid_resource_handle;
  Work work;
  work.start = [start = std::move(start), child = families_.adopt(block)](StreamId in) {
    start({child, in, {}});
  };
  streams_.submit(stream, std::move(work));
  if (handle == kFireAndForget) streams_.destroy(stream);
  return Error::success;
}

Error DeviceStreams::destroy(std::uint64_t handle) {
  if (!streams_.accepts(handle)) return Error::invalid_resource_handle;
  streams_.destroy(handle);
  return Error::success;
}

Error DeviceStreams::destroy_event(EventId event) {
  return streams_.destroy_event(event) ? Error::success : Error::invalid_resource_handle;
}

Error DeviceStreams::record(const isa::BlockContext& block, EventId event, std::uint64_t handle) {
  if (takes_no_events(handle)) return Error::invalid_value;
  const StreamId stream = stream_of(block, handle);
  if (stream == 0 || !streams_.event_exists(event)) return Error::invalid_resource_handle;
  streams_.record(event, stream);
  return Error::success;
}

Error DeviceStreams::wait(const isa::BlockContext& block, std::uint64_t handle, EventId event) {
  if (takes_no_events(handle)) return Error::invalid_value;
  const StreamId stream = stream_of(block, handle);
  if (stream == 0 || !streams_.event_exists(event)) return Error::invalid_resource_handle;
  streams_.wait(stream, event);
  return Error::success;
}

void DeviceStreams::block_ended(const isa::BlockContext& block) {
  const StreamId stream = null_streams_.take(block).value_or(0);
  if (stream != 0) streams_.destroy(stream);
}

}  // namespace raddle::mechanisms::cdp
