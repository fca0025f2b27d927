// Queues of tasks, one for each domain (and kind of work), and the one queue that they are put into.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.h"

namespace raddle::locality {

/// What the tasks of a queue have in common. Queues are merged in the order of their keys.
struct Key {
  unsigned kind;
  Domain domain;
  std::uint64_t argument = 0;  // where footprints say what the domain is: what had this footprint

  friend bool operator==(const Key& a, const Key& b) {
    return a.kind == b.kind && a.domain == b.domain && a.argument == b.argument;
  }
  friend bool operator<(const Key& a, const Key& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.domain != b.domain ? a.domain < b.domain : a.argument < b.argument;
  }
};

/// `queues.get(domain).add(iteration, argument)`. Tasks lie in the order in which they were added, each
/// with the number of its queue: there may be many queues of few tasks. Not for several threads at
/// once: each has its own, and Merged takes all of them.
template <class Argument>
class Queues {
 public:
  /// One of them, until the next call of get().
  class Queue {
   public:
    void add(std::uint32_t iteration, const Argument& argument) {
      queues_.tasks_.push_back({iteration, argument});
      queues_.queue_of_.push_back(number_);
    }

   private:
    friend class Queues;
    Queue(Queues& queues, std::uint32_t number) : queues_(queues), number_(number) {}
    Queues& queues_;
    std::uint32_t number_;
  };

  Queues() : table_(64, kEmpty) {}

  Queue get(Domain domain, unsigned kind = 0) {
    const Key key{kind, domain};
    if (last_ < keys_.size() && keys_[last_] == key) return {*this, last_};
    std::size_t slot = slot_of(key);
    if (table_[slot] == kEmpty) {
      if (2 * (keys_.size() + 1) > table_.size()) {
        grow();
        slot = slot_of(key);
      }
      table_[slot] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    last_ = table_[slot];
    return {*this, last_};
  }

  const std::vector<Task<Argument>>& tasks() const { return tasks_; }
  /// Of each task, the number of its queue; of each queue, its key.
  const std::vector<std::uint32_t>& queue_of() const { return queue_of_; }
  const std::vector<Key>& keys() const { return keys_; }
  /// Gives a queue, whose domain was its argument, the domain that it is to have; when all tasks are in.
  void set_domain(std::uint32_t queue, Domain domain) {
    keys_[queue].argument = keys_[queue].domain;
    keys_[queue].domain = domain;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;

  std::size_t slot_of(const Key& key) const {
    // Multiplication by 2^64 over the golden ratio spreads neighbouring keys (Knuth, 6.4).
    const std::uint64_t mixed =
        (key.domain ^ (std::uint64_t{key.kind} << 56)) * 0x9e3779b97f4a7c15u;
    std::size_t slot = static_cast<std::size_t>(mixed >> 32) & (table_.size() - 1);
    while (table_[slot] != kEmpty && !(keys_[table_[slot]] == key)) {
      slot = (slot + 1) & (table_.size() - 1);
    }
    return slot;
  }
  void grow() {
    table_.assign(2 * table_.size(), kEmpty);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      table_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<Task<Argument>> tasks_;
  std::vector<std::uint32_t> queue_of_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> table_;  // of a power of two slots, at most half of them taken
  std::uint32_t last_ = 0;
};

/// The merged queue, as a plan: where each queue's tasks begin. Tasks of one key lie in the order of
/// `parts`, and within a part in that in which they were added. Where the kind changes, places are left
/// out so that the next kind begins at a multiple of `alignment`.
template <class Argument>
class Merged {
 public:
  /// Queues of one key, in the order of parts.
  struct Segment {
    Key key;
    std::uint32_t part, queue;
    std::size_t first, tasks;
  };

  Merged(const std::vector<Queues<Argument>>& parts, std::size_t alignment) : parts_(parts) {
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
      const std::size_t before = segments_.size();
      for (const Key& key : parts[part].keys()) {
        segments_.push_back(
            {key, part, static_cast<std::uint32_t>(segments_.size() - before), 0, 0});
      }
      for (const std::uint32_t queue : parts[part].queue_of()) ++segments_[before + queue].tasks;
    }
    std::sort(segments_.begin(), segments_.end(), [](const Segment& a, const Segment& b) {
      return a.key == b.key ? a.part < b.part : a.key < b.key;
    });
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const bool new_kind = i != 0 && segments_[i].key.kind != segments_[i - 1].key.kind;
      if (new_kind) places_ = (places_ + alignment - 1) / alignment * alignment;
      if (i == 0 || new_kind || segments_[i].key.domain != segments_[i - 1].key.domain) ++domains_;
      segments_[i].first = places_;
      places_ += segments_[i].tasks;
      tasks_ += segments_[i].tasks;
    }
  }

  const std::vector<Segment>& segments() const { return segments_; }
  std::size_t places() const { return places_; }
  std::size_t tasks() const { return tasks_; }
  std::size_t domains() const { return domains_; }

  /// Writes all tasks to `to`, which has places(); those left out have iteration kNoIteration.
  void write(Task<Argument>* to) const {
    std::vector<std::vector<std::size_t>> next(parts_.size());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      next[part].resize(parts_[part].keys().size());
    }
    std::size_t end = 0;
    for (const Segment& segment : segments_) {
      for (; end < segment.first; ++end) to[end].iteration = kNoIteration;
      next[segment.part][segment.queue] = segment.first;
      end = segment.first + segment.tasks;
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const auto& tasks = parts_[part].tasks();
      const auto& queue_of = parts_[part].queue_of();
      for (std::size_t i = 0; i < tasks.size(); ++i) to[next[part][queue_of[i]]++] = tasks[i];
    }
  }

 private:
  const std::vector<Queues<Argument>>& parts_;
  std::vector<Segment> segments_;
  std::size_t places_ = 0, tasks_ = 0, domains_ = 0;
};

}  // namespace raddle::locality
