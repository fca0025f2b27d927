// Streams and events of device code: the order of their work (CUDA C++ Programming Guide, "CUDA
// Dynamic Parallelism", Streams and Events).
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/gpu.h"

namespace raddle::mechanisms::cdp {

using StreamId = std::uint64_t;
using EventId = std::uint64_t;

/// A point in a stream that other streams may wait for.
struct Point {
  bool reached = false;
  std::vector<StreamId> waiters;
};

/// Work of a stream. It starts when all work before it in the stream has ended.
struct Work {
  std::function<void(StreamId)> start;  // a grid or a copy, which calls ended(); or:
  std::shared_ptr<Point> record, wait;
};

class Streams {
 public:
  StreamId create();
  /// The work in the stream still runs to its end.
  void destroy(StreamId stream);
  /// Whether the stream takes further work. A destroyed stream does not, even while it has work
  /// left.
  bool accepts(StreamId stream) const {
    const auto found = streams_.find(stream);
    return found != streams_.end() && !found->second.destroyed;
  }

  void submit(StreamId stream, Work work);
  /// The work that the stream started last has ended.
  void ended(StreamId stream);

  EventId create_event();
  bool destroy_event(EventId event) { return events_.erase(event) == 1; }
  bool event_exists(EventId event) const { return events_.contains(event); }
  void record(EventId event, StreamId stream);
  void wait(StreamId stream, EventId event);

 private:
  struct Stream {
    std::deque<Work> waiting;
    bool busy = false, destroyed = false;
  };
  void run(StreamId stream);
  void reach(Point& point);

  std::unordered_map<StreamId, Stream> streams_;
  std::unordered_map<EventId, std::shared_ptr<Point>> events_;
  // Handles. None equals a CUDA constant (cudaStreamTailLaunch is 3) or an address.
  std::uint64_t next_ = 0x100;
};

}  // namespace raddle::mechanisms::cdp
