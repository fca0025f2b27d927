// The host's part: each iteration's tree is executed from its root down to the threshold; what is
// spawned there becomes a task.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "function.h"
#include "queues.h"
#include "read.cuh"

namespace raddle::locality::detail {

/// Expands trees of one range of iterations into queues of its own.
template <class F>
class Expansion {
 public:
  using Argument = ArgumentOf<F>;
  using Reducer = typename ReducerOf<F>::Type;
  using Value = typename Reducer::Value;

  /// Tasks go into `queues`. `threshold` is not automatic; `grouping` is domain or none, or footprint, in
  /// which case each argument is a domain of its own for now.
  Expansion(const F& function, const Threshold& threshold, Grouping grouping,
            Queues<Argument>& queues)
      : origin_(function), threshold_(threshold), grouping_(grouping), queues_(queues) {
    if (threshold.kind == Threshold::Kind::footprint && !HasFootprint<F>::value) {
      throw Error("locality: Threshold::footprint needs a member footprint(iteration, argument)");
    }
    if (grouping == Grouping::domain && !HasDomain<F>::value) {
      throw Error("locality: Grouping::domain needs a member domain(iteration, argument)");
    }
    if (grouping == Grouping::footprint && !ReadsOnly<F>::value) {
      throw Error(
          "locality: Grouping::footprint executes tasks on the host to see what they read, and the "
          "GPU executes them again; what a function writes to memory would be written twice. Where "
          "it writes none, give it `static constexpr bool kReadsOnly = true`; otherwise domain()");
    }
    if (grouping == Grouping::footprint && !HasHash<F>::value) {
      throw Error(
          "locality: Grouping::footprint compares arguments by their bytes, and this Argument has "
          "bytes without meaning (padding) or floating-point numbers: give the function a member "
          "hash(iteration, argument), or domain()");
    }
  }

  /// What the host has found for the iteration is combined into `value`. Each iteration has a copy of the
  /// function, as each task of the GPU has: begin() finds its members as the caller gave them.
  void run(std::uint32_t iteration, Value& value) {
    F function(origin_);
    function_ = &function;
    iteration_ = iteration;
    value_ = value;
    begin(function, iteration, *this);
    if (threshold_.kind == Threshold::Kind::tasks || threshold_.kind == Threshold::Kind::levels) {
      level_by_level(function.root(iteration));
    } else {
      depth_first(function.root(iteration));
    }
    value = value_;
  }

  std::uint64_t calls() const { return calls_; }

  // What a function is given as its last argument (locality.cuh). Functions are for both sides, and so
  // is what they call, though these are only called on the host.
  RADDLE_LOCALITY_BOTH void spawn([[maybe_unused]] const Argument& argument) {
#ifndef __CUDA_ARCH__
    waiting_.push_back({argument, depth_ + 1});
#endif
  }
  RADDLE_LOCALITY_BOTH void reduce(const Value& value) { value_ = Reducer::combine(value_, value); }
  RADDLE_LOCALITY_BOTH const Value& partial() const { return value_; }
  template <class T>
  RADDLE_LOCALITY_BOTH T read(const T* from) const {
    return *from;
  }
  template <class T, class Index>
  RADDLE_LOCALITY_BOTH T read(const T* array, Index index) const {
    return array[index];
  }

 private:
  struct Waiting {
    Argument argument;
    unsigned depth;
  };

  void call(const Waiting& which) {
    const Waiting now = which;  // spawn() may move it
    depth_ = now.depth;
    ++calls_;
    (*function_)(iteration_, now.argument, *this);
  }
  bool is_task(const Waiting& which) const {
    if (threshold_.kind == Threshold::Kind::depth) return which.depth >= threshold_.value;
    if constexpr (HasFootprint<F>::value) {
      return function_->footprint(iteration_, which.argument) <= threshold_.value;
    }
    return false;
  }
  void add(const Argument& argument) {
    queues_.get(domain_of(argument), kind_of(*function_, iteration_, argument))
        .add(iteration_, argument);
  }
  Domain domain_of(const Argument& argument) const {
    if constexpr (HasDomain<F>::value) {
      if (grouping_ == Grouping::domain) return function_->domain(iteration_, argument);
    }
    if constexpr (HasHash<F>::value) {
      if (grouping_ == Grouping::footprint) return hash_of(*function_, iteration_, argument);
    }
    return 0;
  }

  /// Calls run, and tasks are met, in the order of recursion.
  void depth_first(const Argument& root) {
    waiting_.assign(1, {root, 0});
    while (!waiting_.empty()) {
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      if (is_task(next)) {
        add(next.argument);
        continue;
      }
      const std::size_t before = waiting_.size();
      call(next);
      std::reverse(waiting_.begin() + static_cast<std::ptrdiff_t>(before), waiting_.end());
    }
  }
  /// Until enough calls wait, or enough were executed; with whole levels that is asked where one begins.
  void level_by_level(const Argument& root) {
    const bool whole = threshold_.kind == Threshold::Kind::levels;
    waiting_.assign(1, {root, 0});
    std::size_t first = 0, level = 0;
    while (first < waiting_.size()) {
      const bool begins = first == level;
      if (begins) level = waiting_.size();
      if ((begins || !whole) &&
          (first >= threshold_.calls || waiting_.size() - first >= threshold_.value)) {
        break;
      }
      call(waiting_[first++]);
    }
    for (; first < waiting_.size(); ++first) add(waiting_[first].argument);
  }

  const F& origin_;
  F* function_ = nullptr;  // the iteration's copy
  const Threshold threshold_;
  const Grouping grouping_;
  Queues<Argument>& queues_;
  std::vector<Waiting> waiting_;
  std::uint64_t calls_ = 0;
  std::uint32_t iteration_ = 0;
  unsigned depth_ = 0;
  Value value_ = Reducer::identity();
};

}  // namespace raddle::locality::detail
