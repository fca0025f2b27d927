// Queues of tasks, one for each domain (and kind of work), and the one queue that they are put into.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "types.h"

namespace raddle::locality {

/// `queues.get(domain).add(iteration, argument)`. Tasks lie in the order in which they were added, each
/// with its domain and kind: a queue costs nothing, so that there may be as many queues as tasks. Not for
/// several threads at once: each has its own, and Merged takes all of them.
template <class Argument>
class Queues {
 public:
  class Queue {
   public:
    void add(std::uint32_t iteration, const Argument& argument) {
      queues_.tasks_.push_back({iteration, argument});
      queues_.keys_.push_back({domain_, kind_});
    }

   private:
    friend class Queues;
    Queue(Queues& queues, Domain domain, unsigned kind)
        : queues_(queues), domain_(domain), kind_(kind) {}
    Queues& queues_;
    const Domain domain_;
    const unsigned kind_;
  };
  struct Key {
    Domain domain;
    unsigned kind;
  };

  /// The queue of a domain and, of these, of a kind of work.
  Queue get(Domain domain, unsigned kind = 0) { return {*this, domain, kind}; }

  const std::vector<Task<Argument>>& tasks() const { return tasks_; }
  const std::vector<Key>& keys() const { return keys_; }  // of each task
  /// Gives a task the domain that it is to have.
  void set_domain(std::size_t task, Domain domain) { keys_[task].domain = domain; }

  /// Its memory is kept.
  void clear() {
    tasks_.clear();
    keys_.clear();
  }
  /// Takes the tasks of another, behind its own.
  void append(const Queues& other) {
    tasks_.insert(tasks_.end(), other.tasks_.begin(), other.tasks_.end());
    keys_.insert(keys_.end(), other.keys_.begin(), other.keys_.end());
  }

 private:
  std::vector<Task<Argument>> tasks_;
  std::vector<Key> keys_;
};

/// The merged queue: by kind, of a kind by domain; of a domain in the order in which tasks were added.
/// Where the kind changes, places are left out so that the next kind begins at a multiple of `alignment`.
class Merged {
 public:
  struct Entry {
    Domain domain;
    unsigned kind;
    std::uint32_t task;  // its number among those of the queues
  };

  /// Throws Error if there are more tasks than a kernel takes.
  template <class Argument>
  Merged(const Queues<Argument>& queues, std::size_t alignment) : alignment_(alignment) {
    const auto& keys = queues.keys();
    if (keys.size() >= kNoIteration) throw_too_many(keys.size());
    entries_.reserve(keys.size());
    for (const auto& key : keys) {
      entries_.push_back({key.domain, key.kind, static_cast<std::uint32_t>(entries_.size())});
    }
    arrange();
  }

  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t tasks() const { return entries_.size(); }
  std::size_t places() const { return places_; }
  std::size_t domains() const { return domains_; }

  /// Calls work(first, end) for the entries of each kind and domain.
  template <class Work>
  void for_domains(const Work& work) const {
    for (std::size_t first = 0, end = 0; first < entries_.size(); first = end) {
      while (end < entries_.size() && is_same_domain(entries_[first], entries_[end])) ++end;
      work(first, end);
    }
  }

  /// Gives the entries from `first` to before `end` another domain; arrange() moves them there.
  void set_domain(std::size_t first, std::size_t end, Domain domain) {
    for (std::size_t i = first; i < end; ++i) entries_[i].domain = domain;
  }
  /// By kind and domain; those of one domain stay in their order.
  void arrange() {
    sort();
    places_ = domains_ = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (begins_kind(i)) places_ = aligned(places_);
      if (i == 0 || !is_same_domain(entries_[i - 1], entries_[i])) ++domains_;
      ++places_;
    }
    if (places_ >= kNoIteration) throw_too_many(places_);
    if (places_ > kFewPlaces && places_ / kMostEmpty > entries_.size()) {
      throw Error("locality: the kinds of work leave " + std::to_string(places_) + " places for " +
                  std::to_string(entries_.size()) +
                  " tasks, since each kind begins a warp of strips; lower Options::strip, or tell "
                  "fewer kinds apart");
    }
  }

  /// Writes all tasks to `to`, which has places(); those left out have iteration kNoIteration.
  template <class Argument>
  void write(const Queues<Argument>& queues, Task<Argument>* to) const {
    const Task<Argument>* const tasks = queues.tasks().data();
    std::size_t place = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (begins_kind(i)) {
        for (const std::size_t end = aligned(place); place < end;)
          to[place++].iteration = kNoIteration;
      }
      to[place++] = tasks[entries_[i].task];
    }
  }

 private:
  static constexpr unsigned kDigit = 11;  // bits: counters of a pass fit a first-level cache

  static bool is_same_domain(const Entry& a, const Entry& b) {
    return a.domain == b.domain && a.kind == b.kind;
  }
  bool begins_kind(std::size_t i) const {
    return i != 0 && entries_[i].kind != entries_[i - 1].kind;
  }
  std::size_t aligned(std::size_t place) const {
    return (place + alignment_ - 1) / alignment_ * alignment_;
  }
  [[noreturn]] static void throw_too_many(std::size_t count) {
    throw Error("locality: " + std::to_string(count) +
                " tasks are too many for one kernel; choose a threshold that makes fewer");
  }

  /// A radix sort, from the lowest digit on, of those digits in which keys differ: of node numbers these
  /// are two or three.
  void sort() {
    if (entries_.empty()) return;
    Domain differ = 0;
    unsigned kinds_differ = 0;
    for (const Entry& entry : entries_) {
      differ |= entry.domain ^ entries_[0].domain;
      kinds_differ |= entry.kind ^ entries_[0].kind;
    }
    for (unsigned shift = 0; shift < 64 && differ >> shift != 0; shift += kDigit) {
      if ((differ >> shift & kMask) == 0) continue;
      pass([shift](const Entry& entry) { return entry.domain >> shift & kMask; });
    }
    for (unsigned shift = 0; shift < 32 && kinds_differ >> shift != 0; shift += kDigit) {
      if ((kinds_differ >> shift & kMask) == 0) continue;
      pass([shift](const Entry& entry) { return entry.kind >> shift & kMask; });
    }
  }
  template <class Digit>
  void pass(const Digit& digit) {
    std::array<std::uint32_t, kMask + 1> next = {};
    for (const Entry& entry : entries_) ++next[digit(entry)];
    std::uint32_t first = 0;
    for (std::uint32_t& count : next) {
      const std::uint32_t here = count;
      count = first;
      first += here;
    }
    sorted_.resize(entries_.size());
    for (const Entry& entry : entries_) sorted_[next[digit(entry)]++] = entry;
    entries_.swap(sorted_);
  }

  static constexpr unsigned kMask = (1u << kDigit) - 1;
  static constexpr std::size_t kFewPlaces = 1u << 20, kMostEmpty = 64;  // of each task
  const std::size_t alignment_;
  std::vector<Entry> entries_, sorted_;
  std::size_t places_ = 0, domains_ = 0;
};

}  // namespace raddle::locality
