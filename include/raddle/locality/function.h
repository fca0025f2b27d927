// What a function may have besides its operator(), and what holds when it has not.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "reducers.h"
#include "types.h"

namespace raddle::locality::detail {

template <class F, class = void>
struct ReducerOf {
  using Type = None;
};
template <class F>
struct ReducerOf<F, std::void_t<typename F::Reducer>> {
  using Type = typename F::Reducer;
};

/// Calls that wait on a thread's stack: those spawned in a call but the first, level by level.
template <class F, class = void>
struct StackOf {
  static constexpr unsigned kSize = 64;
};
template <class F>
struct StackOf<F, std::void_t<decltype(F::kStack)>> {
  static constexpr unsigned kSize = F::kStack;
};

template <class F>
using ArgumentOf = typename F::Argument;
template <class F>
using ValueOf = typename ReducerOf<F>::Type::Value;
template <class F>
using TaskOf = Task<ArgumentOf<F>>;

#define RADDLE_LOCALITY_HAS(trait, member)                                             \
  template <class F, class = void>                                                     \
  struct trait : std::false_type {};                                                   \
  template <class F>                                                                   \
  struct trait<F, std::void_t<decltype(std::declval<const F&>().member(                \
                      std::uint32_t{}, std::declval<const typename F::Argument&>()))>> \
      : std::true_type {}
RADDLE_LOCALITY_HAS(HasDomain, domain);
RADDLE_LOCALITY_HAS(HasKind, kind);
RADDLE_LOCALITY_HAS(HasFootprint, footprint);
#undef RADDLE_LOCALITY_HAS

template <class F, class At, class = void>
struct HasBegin : std::false_type {};
template <class F, class At>
struct HasBegin<
    F, At, std::void_t<decltype(std::declval<F&>().begin(std::uint32_t{}, std::declval<At&>()))>>
    : std::true_type {};

/// Before the calls of an iteration: Function::begin(), where there is one.
template <class F, class At>
RADDLE_LOCALITY_BOTH void begin(F& function, std::uint32_t iteration, At& at) {
  if constexpr (HasBegin<F, At>::value) function.begin(iteration, at);
}

/// Which kind of work a task is, by Function::kind(): those of different kinds share no warp.
template <class F>
unsigned kind_of(const F& function, std::uint32_t iteration, const ArgumentOf<F>& argument) {
  if constexpr (HasKind<F>::value) return function.kind(iteration, argument);
  return 0;
}

}  // namespace raddle::locality::detail
