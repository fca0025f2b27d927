// Domains by what tasks read: some tasks of each argument are executed on the host for a few calls,
// and the places that they have read are noted. Places that all tried tasks of one argument have in
// common are its footprint (what only some have read is their iterations' own); arguments are put into
// the order of the middle of their footprints.
//
// A place is a line of an array, not an address: where the host's memory lies differs from run to run,
// and the order of the queue must not. Arrays are numbered in the order in which they are first read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "function.h"
#include "queues.h"
#include "read.cuh"

namespace raddle::locality::detail {

/// Where something lies, as a number that depends on no address. Near for what is near in one array.
class Places {
 public:
  /// Calls note(place) for each line of the `bytes` at `offset` of the array.
  template <class Note>
  void find(const void* array, std::ptrdiff_t offset, std::size_t bytes, const Note& note) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    const std::uint64_t number = numbers_.try_emplace(array, next).first->second;
    const std::uint64_t first = line_of(offset);
    const std::uint64_t last = line_of(offset + static_cast<std::ptrdiff_t>(bytes) - 1);
    for (std::uint64_t line = first; line <= last; ++line) note(number << 32 | line);
  }

 private:
  static constexpr std::ptrdiff_t kLine = 128;  // bytes of a line of every cache of NVIDIA's GPUs
  static constexpr std::ptrdiff_t kBefore = std::ptrdiff_t{1}
                                            << 31;  // lines before an array's begin

  /// Of arrays of up to 256 GiB on both sides of where they begin; rising with the offset.
  static std::uint64_t line_of(std::ptrdiff_t offset) {
    const std::ptrdiff_t down = offset < 0 ? kLine - 1 : 0;
    return static_cast<std::uint32_t>((offset - down) / kLine + kBefore);
  }

  std::unordered_map<const void*, std::uint32_t> numbers_;
};

/// One task, executed for a few calls.
template <class F>
class Sample {
 public:
  using Argument = ArgumentOf<F>;
  using Reducer = typename ReducerOf<F>::Type;
  using Value = typename Reducer::Value;

  /// The places read in at most `calls` calls, in rising order, each once. Those that are spawned first
  /// run first. `known`: what is known of the iteration, by which calls may be left out.
  const std::vector<std::uint64_t>& places(const F& of, const Task<Argument>& task,
                                           const Value& known, unsigned calls) {
    read_.clear();
    value_ = known;
    F function = of;
    begin(function, task.iteration, *this);
    waiting_.assign(1, task.argument);
    for (std::size_t next = 0; next < waiting_.size() && next < calls; ++next) {
      const Argument argument = waiting_[next];
      function(task.iteration, argument, *this);
    }
    std::sort(read_.begin(), read_.end());
    read_.erase(std::unique(read_.begin(), read_.end()), read_.end());
    return read_;
  }

  // What a function is given as its last argument (locality.cuh); for both sides as in expand.h.
  RADDLE_LOCALITY_BOTH void spawn([[maybe_unused]] const Argument& argument) {
#ifndef __CUDA_ARCH__
    waiting_.push_back(argument);
#endif
  }
  RADDLE_LOCALITY_BOTH void reduce(const Value& value) { value_ = Reducer::combine(value_, value); }
  RADDLE_LOCALITY_BOTH const Value& partial() const { return value_; }
  template <class T>
  RADDLE_LOCALITY_BOTH T read(const T* from) {
    return read(from, 0);
  }
  template <class T, class Index>
  RADDLE_LOCALITY_BOTH T read(const T* array, Index index) {
#ifndef __CUDA_ARCH__
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(index) * std::ptrdiff_t{sizeof(T)};
    places_.find(array, offset, sizeof(T), [this](std::uint64_t place) { read_.push_back(place); });
#endif
    return array[index];
  }

 private:
  Places places_;  // of all tasks that are tried
  std::vector<Argument> waiting_;
  std::vector<std::uint64_t> read_;
  Value value_ = Reducer::identity();
};

/// Gives tasks, whose domain is their argument so far, the domains that their footprints say.
template <class F>
class Footprints {
 public:
  using Argument = ArgumentOf<F>;

  Footprints(const F& function, unsigned samples, unsigned calls)
      : function_(function), samples_(std::max(1u, samples)), calls_(std::max(1u, calls)) {}

  /// `values`: what the host has found for each iteration. `queues` and `merged` are given the domains;
  /// tasks of one domain lie by their arguments.
  void assign(Queues<Argument>& queues, Merged& merged, const std::vector<ValueOf<F>>& values) {
    merged.for_domains(
        [&](std::size_t first, std::size_t end) { footprints_.push_back({first, end, 0}); });
    // In the order in which the host has met them, so that arrays are numbered in that.
    std::sort(footprints_.begin(), footprints_.end(), [&](const Footprint& a, const Footprint& b) {
      return merged.entries()[a.first].task < merged.entries()[b.first].task;
    });
    for (Footprint& of : footprints_) {
      of.domain = domain_of(queues.tasks(), merged.entries(), of.first, of.end, values);
      for (std::size_t i = of.first; i < of.end; ++i) {
        queues.set_domain(merged.entries()[i].task, of.domain);
      }
    }
    for (const Footprint& of : footprints_) merged.set_domain(of.first, of.end, of.domain);
    merged.arrange();
  }

 private:
  struct Footprint {
    std::size_t first, end;
    Domain domain;
  };

  Domain domain_of(const std::vector<Task<Argument>>& tasks,
                   const std::vector<Merged::Entry>& entries, std::size_t first, std::size_t end,
                   const std::vector<ValueOf<F>>& values) {
    const std::size_t count = end - first, tried = std::min<std::size_t>(samples_, count);
    for (std::size_t i = 0; i < tried; ++i) {
      const Task<Argument>& task = tasks[entries[first + i * count / tried].task];
      const auto& places = sample_.places(function_, task, values[task.iteration], calls_);
      if (i == 0) {
        first_ = common_ = places;
        continue;
      }
      shared_.clear();
      std::set_intersection(common_.begin(), common_.end(), places.begin(), places.end(),
                            std::back_inserter(shared_));
      common_.swap(shared_);
    }
    const std::vector<std::uint64_t>& places = common_.empty() ? first_ : common_;
    return places.empty() ? 0 : places[places.size() / 2];
  }

  const F& function_;
  const unsigned samples_, calls_;
  Sample<F> sample_;
  std::vector<Footprint> footprints_;
  std::vector<std::uint64_t> first_, common_, shared_;
};

}  // namespace raddle::locality::detail
