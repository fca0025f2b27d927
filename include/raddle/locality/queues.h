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

template <class Argument>
class Queue {
 public:
  explicit Queue(const Key& key) : key_(key) {}
  void add(std::uint32_t iteration, const Argument& argument) {
    tasks_.push_back({iteration, argument});
  }
  const Key& key() const { return key_; }
  /// Gives a queue, whose domain was its argument, the domain that it is to have.
  void set_domain(Domain domain) {
    key_.argument = key_.domain;
    key_.domain = domain;
  }
  const std::vector<Task<Argument>>& tasks() const { return tasks_; }

 private:
  Key key_;
  std::vector<Task<Argument>> tasks_;
};

/// `queues.get(domain).add(iteration, argument)`. Not for several threads at once: each has its own,
/// and merge() takes all of them.
template <class Argument>
class Queues {
 public:
  Queues() : table_(64, kEmpty) {}

  Queue<Argument>& get(Domain domain, unsigned kind = 0) {
    const Key key{kind, domain};
    if (last_ < queues_.size() && queues_[last_].key() == key) return queues_[last_];
    std::size_t slot = slot_of(key);
    if (table_[slot] == kEmpty) {
      if (2 * (queues_.size() + 1) > table_.size()) {
        grow();
        slot = slot_of(key);
      }
      table_[slot] = static_cast<std::uint32_t>(queues_.size());
      queues_.emplace_back(key);
    }
    last_ = table_[slot];
    return queues_[last_];
  }

  const std::vector<Queue<Argument>>& all() const { return queues_; }
  /// To give queues other domains, when all tasks are in them.
  std::vector<Queue<Argument>>& all() { return queues_; }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;

  std::size_t slot_of(const Key& key) const {
    // Multiplication by 2^64 over the golden ratio spreads neighbouring keys (Knuth, 6.4).
    const std::uint64_t mixed =
        (key.domain ^ (std::uint64_t{key.kind} << 56)) * 0x9e3779b97f4a7c15u;
    std::size_t slot = static_cast<std::size_t>(mixed >> 32) & (table_.size() - 1);
    while (table_[slot] != kEmpty && !(queues_[table_[slot]].key() == key)) {
      slot = (slot + 1) & (table_.size() - 1);
    }
    return slot;
  }
  void grow() {
    table_.assign(2 * table_.size(), kEmpty);
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      table_[slot_of(queues_[i].key())] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<Queue<Argument>> queues_;
  std::vector<std::uint32_t> table_;  // of a power of two slots, at most half of them taken
  std::size_t last_ = 0;
};

/// The merged queue, as a plan: which queue's tasks lie where. Tasks of one key lie in the order of
/// `parts`, and within a part in that in which they were added. Where the kind changes, places are left
/// out so that the next kind begins at a multiple of `alignment`.
template <class Argument>
class Merged {
 public:
  Merged(const std::vector<Queues<Argument>>& parts, std::size_t alignment) {
    for (const Queues<Argument>& part : parts) {
      for (const Queue<Argument>& queue : part.all()) {
        segments_.push_back({&queue, segments_.size()});
      }
    }
    std::sort(segments_.begin(), segments_.end(), [](const Segment& a, const Segment& b) {
      const Key &x = a.queue->key(), &y = b.queue->key();
      return x == y ? a.first < b.first : x < y;
    });
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const Key& key = segments_[i].queue->key();
      const bool first = i == 0;
      if (!first && key.kind != segments_[i - 1].queue->key().kind) {
        places_ = (places_ + alignment - 1) / alignment * alignment;
      }
      if (first || key.kind != segments_[i - 1].queue->key().kind ||
          key.domain != segments_[i - 1].queue->key().domain) {
        ++domains_;
      }
      segments_[i].first = places_;
      places_ += segments_[i].queue->tasks().size();
      tasks_ += segments_[i].queue->tasks().size();
    }
  }

  std::size_t places() const { return places_; }
  std::size_t tasks() const { return tasks_; }
  std::size_t domains() const { return domains_; }

  /// Writes all tasks to `to`, which has places(); those left out have iteration kNoIteration.
  void write(Task<Argument>* to) const {
    std::size_t end = 0;
    for (const Segment& segment : segments_) {
      for (; end < segment.first; ++end) to[end].iteration = kNoIteration;
      const std::vector<Task<Argument>>& tasks = segment.queue->tasks();
      std::copy(tasks.begin(), tasks.end(), to + segment.first);
      end = segment.first + tasks.size();
    }
  }

 private:
  struct Segment {
    const Queue<Argument>* queue;
    std::size_t first;  // place of its first task; at first, which queue it is
  };

  std::vector<Segment> segments_;
  std::size_t places_ = 0, tasks_ = 0, domains_ = 0;
};

}  // namespace raddle::locality
