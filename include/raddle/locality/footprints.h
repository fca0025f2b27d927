// Domains by what tasks read: some tasks of each argument are executed on the host for a few calls,
// and the lines of memory that they have read are noted. Lines that all tried tasks of one argument
// have in common are its footprint (what only some have read is their iterations' own); arguments are
// put into the order of the middle of their footprints.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
    merged.for_domains([&](std::size_t first, std::size_t end) {
      const Domain domain = domain_of(queues.tasks(), merged.entries(), first, end, values);
      for (std::size_t i = first; i < end; ++i) {
        queues.set_domain(merged.entries()[i].task, domain);
      }
      footprints_.push_back({first, end, domain});
    });
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
  std::vector<Footprint> footprints_;
  std::vector<std::uint64_t> first_, common_, shared_;
};

}  // namespace raddle::locality::detail
