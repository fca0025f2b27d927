#include "mechanisms/cdp/streams.h"

#include <utility>

namespace raddle::mechanisms::cdp {

StreamId Streams::create() {
  streams_[++next_];
  return next_;
}

void Streams::destroy(StreamId id) {
  Stream& stream = streams_.at(id);
  stream.destroyed = true;
  if (!stream.busy && stream.waiting.empty()) streams_.erase(id);
}

void Streams::submit(StreamId id, Work work) {
  streams_.at(id).waiting.push_back(std::move(work));
  run(id);
}

void Streams::ended(StreamId id) {
  streams_.at(id).busy = false;
  run(id);
}

/// Starts the work of the stream until one must be waited for.
void Streams::run(StreamId id) {
  for (;;) {
    const auto found = streams_.find(id);
    if (found == streams_.end() || found->second.busy) return;
    Stream& stream = found->second;
    if (stream.waiting.empty()) {
      if (stream.destroyed) streams_.erase(found);
      return;
    }
    if (const auto& wait = stream.waiting.front().wait; wait != nullptr && !wait->reached) {
      wait->waiters.push_back(id);
      stream.busy = true;
      return;
    }
    const Work work = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    if (work.record != nullptr) reach(*work.record);
    if (work.start) {
      stream.busy = true;
      work.start(id);
    }
  }
}

void Streams::reach(Point& point) {
  point.reached = true;
  for (const StreamId waiter : std::exchange(point.waiters, {})) ended(waiter);
}

EventId Streams::create_event() {
  auto never_recorded = std::make_shared<Point>();
  never_recorded->reached = true;
  events_[++next_] = std::move(never_recorded);
  return next_;
}

void Streams::record(EventId event, StreamId stream) {
  auto point = std::make_shared<Point>();
  events_.at(event) = point;
  Work work;
  work.record = std::move(point);
  submit(stream, std::move(work));
}

void Streams::wait(StreamId stream, EventId event) {
  Work work;
  work.wait = events_.at(event);
  submit(stream, std::move(work));
}

}  // namespace raddle::mechanisms::cdp
