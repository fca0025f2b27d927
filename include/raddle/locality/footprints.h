// Domains by what tasks read: some tasks of each argument are executed on the host for a few calls,
// and the lines of memory that they have read are noted. Lines that all tried tasks of one argument
// have in common are its footprint (what only some have read is their iterations' own); arguments are
// put into the order of the middle of their footprints.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "function.h"
#include "queues.h"
#include "read.cuh"

namespace raddle::locality::detail {

/// One task, executed for a few calls.
template <class F>
class Sample {
 public:
  using Argument = ArgumentOf<F>;
  using Reducer = typename ReducerOf<F>::Type;
  using Value = typename Reducer::Value;

  /// The lines read in at most `calls` calls, in rising order, each once. Those that are spawned first
  /// run first. `known`: what is known of the iteration, by which calls may be left out.
  const std::vector<std::uint64_t>& lines(const F& of, const Task<Argument>& task,
                                          const Value& known, unsigned calls) {
    lines_.clear();
    value_ = known;
    F function = of;
    begin(function, task.iteration, *this);
    waiting_.assign(1, task.argument);
    for (std::size_t next = 0; next < waiting_.size() && next < calls; ++next) {
      const Argument argument = waiting_[next];
      function(task.iteration, argument, *this);
    }
    std::sort(lines_.begin(), lines_.end());
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
    return lines_;
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
#ifndef __CUDA_ARCH__
    constexpr std::uint64_t kLine = 128;  // bytes of a line of every cache of NVIDIA's GPUs
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    for (std::uint64_t line = address / kLine; line <= (address + sizeof(T) - 1) / kLine; ++line) {
      lines_.push_back(line);
    }
#endif
    return *from;
  }

 private:
  std::vector<Argument> waiting_;
  std::vector<std::uint64_t> lines_;
  Value value_ = Reducer::identity();
};

/// Gives queues, whose tasks have one argument each, the domains that their footprints say.
template <class F>
class Footprints {
 public:
  using Argument = ArgumentOf<F>;

  Footprints(const F& function, unsigned samples, unsigned calls)
      : function_(function), samples_(std::max(1u, samples)), calls_(std::max(1u, calls)) {}

  /// `values`: what the host has found for each iteration. Queues of one argument in different parts
  /// are taken as one, so that domains do not depend on the number of parts.
  void assign(std::vector<Queues<Argument>>& parts, const std::vector<ValueOf<F>>& values) {
    const std::vector<Queue<Argument>*> queues = in_order(parts);
    for (std::size_t begin = 0, end; begin < queues.size(); begin = end) {
      end = begin + 1;
      while (end < queues.size() && queues[end]->key() == queues[begin]->key()) ++end;
      const Domain domain = domain_of(queues.data() + begin, queues.data() + end, values);
      for (std::size_t i = begin; i < end; ++i) queues[i]->set_domain(domain);
    }
  }

 private:
  using Range = Queue<Argument>* const*;

  /// Those of one argument side by side, in the order of parts.
  static std::vector<Queue<Argument>*> in_order(std::vector<Queues<Argument>>& parts) {
    std::vector<std::pair<Key, std::size_t>> order;
    std::vector<Queue<Argument>*> queues, sorted;
    for (Queues<Argument>& part : parts) {
      for (Queue<Argument>& queue : part.all()) {
        order.emplace_back(queue.key(), queues.size());
        queues.push_back(&queue);
      }
    }
    std::sort(order.begin(), order.end());
    for (const auto& [key, index] : order) sorted.push_back(queues[index]);
    return sorted;
  }

  static const Task<Argument>& task_at(std::size_t index, Range queue) {
    while (index >= (*queue)->tasks().size()) index -= (*queue++)->tasks().size();
    return (*queue)->tasks()[index];
  }

  Domain domain_of(Range begin, Range end, const std::vector<ValueOf<F>>& values) {
    std::size_t tasks = 0;
    for (Range queue = begin; queue != end; ++queue) tasks += (*queue)->tasks().size();
    const std::size_t tried = std::min<std::size_t>(samples_, tasks);
    for (std::size_t i = 0; i < tried; ++i) {
      const Task<Argument>& task = task_at(i * tasks / tried, begin);
      const auto& lines = sample_.lines(function_, task, values[task.iteration], calls_);
      if (i == 0) {
        first_ = common_ = lines;
        continue;
      }
      shared_.clear();
      std::set_intersection(common_.begin(), common_.end(), lines.begin(), lines.end(),
                            std::back_inserter(shared_));
      common_.swap(shared_);
    }
    const std::vector<std::uint64_t>& lines = common_.empty() ? first_ : common_;
    return lines.empty() ? 0 : lines[lines.size() / 2];
  }

  const F& function_;
  const unsigned samples_, calls_;
  Sample<F> sample_;
  std::vector<std::uint64_t> first_, common_, shared_;
};

}  // namespace raddle::locality::detail
