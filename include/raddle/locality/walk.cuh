// A task's tree, executed by one thread to its end: with a stack in place of recursion, which GPUs
// are slow at. Of the calls that a call spawns the first runs next, the others after it, the last
// first.
#pragma once

#include <cstdint>
#include <new>

#include "function.h"
#include "read.cuh"

namespace raddle::locality::detail {

/// An instruction of nothing, which compilers must not copy. Where it stands, all ways through a call
/// meet before the loop is left: otherwise lanes that have spawned would go round the loop while those
/// that look for a waiting call, or for the end, stay behind, and the warp would part for good.
RADDLE_LOCALITY_BOTH inline void meet() {
#ifdef __CUDA_ARCH__
  asm volatile("");
#endif
}

/// Room for an argument. Its constructor is not called: arrays of many would take longer than a task.
template <class Argument>
union Slot {
  RADDLE_LOCALITY_BOTH Slot() {}
  RADDLE_LOCALITY_BOTH void set(const Argument& argument) {
    ::new (static_cast<void*>(&value)) Argument(argument);
  }
  Argument value;
};

/// What a function is given as its last argument (locality.cuh).
template <class F>
class Walk {
 public:
  using Argument = ArgumentOf<F>;
  using Reducer = typename ReducerOf<F>::Type;
  using Value = typename Reducer::Value;

  RADDLE_LOCALITY_BOTH explicit Walk(const Value& begin) : value_(begin) {}

  RADDLE_LOCALITY_BOTH void spawn(const Argument& argument) {
    if (!has_next_) {
      next_.set(argument);
      has_next_ = true;
    } else if (has_room()) {
      stack_[size_++].set(argument);
    } else {
      overflown_ = true;
    }
  }
  RADDLE_LOCALITY_BOTH void reduce(const Value& value) { value_ = Reducer::combine(value_, value); }
  RADDLE_LOCALITY_BOTH const Value& partial() const { return value_; }
  template <class T>
  RADDLE_LOCALITY_BOTH T read(const T* from) const {
    return load(from);
  }
  template <class T, class Index>
  RADDLE_LOCALITY_BOTH T read(const T* array, Index index) const {
    return load(array + index);
  }

  /// False: calls are missing, since the stack was full.
  RADDLE_LOCALITY_BOTH bool run(F function, std::uint32_t iteration, Argument argument) {
    begin(function, iteration, *this);
    for (bool more = true; more;) {
      function(iteration, argument, *this);
      more = has_next_;
      if (has_next_) {
        argument = next_.value;
        has_next_ = false;
      } else if (size_ > 0) {
        argument = stack_[--size_].value;
        more = true;
      }
      meet();
    }
    return !overflown_;
  }
  RADDLE_LOCALITY_BOTH const Value& value() const { return value_; }

 private:
  static constexpr unsigned kSize = StackOf<F>::kSize;

  RADDLE_LOCALITY_BOTH bool has_room() const {
    if constexpr (kSize == 0) {
      return false;  // the comparison would be one that compilers warn of
    } else {
      return size_ < kSize;
    }
  }

  Value value_;
  Slot<Argument> next_;
  bool has_next_ = false;
  bool overflown_ = false;
  unsigned size_ = 0;
  Slot<Argument> stack_[kSize > 0 ? kSize : 1];
};

}  // namespace raddle::locality::detail
