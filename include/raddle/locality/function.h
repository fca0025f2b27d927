// What a function may have besides its operator(), and what holds when it has not.
#pragma once

#include <cstddef>
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
  using Type = typename Checked<typename F::Reducer>::Type;
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

/// Whether F says that its calls write no memory, so that they may be executed more than once.
template <class F, class = void>
struct ReadsOnly : std::false_type {};
template <class F>
struct ReadsOnly<F, std::void_t<decltype(F::kReadsOnly)>> : std::bool_constant<F::kReadsOnly> {};

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
RADDLE_LOCALITY_HAS(HasOwnHash, hash);
#undef RADDLE_LOCALITY_HAS

/// Whether F has a member of that name, be it a template: then it is ambiguous beside one of a base.
#define RADDLE_LOCALITY_NAMES(trait, member)                             \
  template <class F>                                                     \
  class trait {                                                          \
    struct Other {                                                       \
      int member;                                                        \
    };                                                                   \
    struct Both : F, Other {};                                           \
    template <class T>                                                   \
    static std::false_type names(decltype(&T::member)*);                 \
    template <class T>                                                   \
    static std::true_type names(...);                                    \
                                                                         \
   public:                                                               \
    static constexpr bool value = decltype(names<Both>(nullptr))::value; \
  }
RADDLE_LOCALITY_NAMES(NamesBegin, begin);
RADDLE_LOCALITY_NAMES(NamesDomain, domain);
RADDLE_LOCALITY_NAMES(NamesKind, kind);
RADDLE_LOCALITY_NAMES(NamesFootprint, footprint);
#undef RADDLE_LOCALITY_NAMES

template <class F, class At, class = void>
struct HasBegin : std::false_type {};
template <class F, class At>
struct HasBegin<
    F, At, std::void_t<decltype(std::declval<F&>().begin(std::uint32_t{}, std::declval<At&>()))>>
    : std::true_type {};

/// What begin() is given in place of `at`. It runs once for each task on the GPU, so that what it reduced
/// or spawned would count as often.
template <class F, class At>
class Beginning {
 public:
  using Value = ValueOf<F>;

  RADDLE_LOCALITY_BOTH explicit Beginning(At& at) : at_(at) {}
  template <class Of = typename ReducerOf<F>::Type>
  RADDLE_LOCALITY_BOTH void reduce(const Value& value) {
    static_assert(Of::kIdempotent,
                  "begin() runs once for each task: it can reduce() only with a reducer of which "
                  "combine(a, a) is a (kIdempotent), such as Min or Nearest");
    at_.reduce(value);
  }
  template <class Given>
  RADDLE_LOCALITY_BOTH void spawn(const Given&) {
    static_assert(sizeof(Given) == 0,
                  "begin() runs once for each task: what it spawned would run as often; spawn in "
                  "operator()");
  }
  RADDLE_LOCALITY_BOTH const Value& partial() const { return at_.partial(); }
  template <class T>
  RADDLE_LOCALITY_BOTH T read(const T* from) {
    return at_.read(from);
  }
  template <class T, class Index>
  RADDLE_LOCALITY_BOTH T read(const T* array, Index index) {
    return at_.read(array, index);
  }

 private:
  At& at_;
};

/// Before the calls of an iteration: Function::begin(), where there is one.
template <class F, class At>
RADDLE_LOCALITY_BOTH void begin(F& function, std::uint32_t iteration, At& at) {
  if constexpr (HasBegin<F, Beginning<F, At>>::value) {
    Beginning<F, At> beginning(at);
    function.begin(iteration, beginning);
  } else {
    static_assert(!NamesBegin<F>::value,
                  "begin() must be callable as begin(std::uint32_t iteration, At& at), not const");
  }
}

/// Whether arguments can be told apart by a number: Function::hash(), or that of their bytes, if all
/// bytes have a meaning.
template <class F>
struct HasHash : std::bool_constant<HasOwnHash<F>::value ||
                                    std::has_unique_object_representations<ArgumentOf<F>>::value> {
};

/// The number. (Of bytes by FNV-1a; two that have one number by chance share a footprint, which does no
/// harm.)
template <class F>
Domain hash_of([[maybe_unused]] const F& function, [[maybe_unused]] std::uint32_t iteration,
               const ArgumentOf<F>& argument) {
  if constexpr (HasOwnHash<F>::value) {
    return function.hash(iteration, argument);
  } else {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&argument);
    Domain hash = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < sizeof argument; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
  }
}

/// Which kind of work a task is, by Function::kind(): those of different kinds share no warp.
template <class F>
unsigned kind_of(const F& function, std::uint32_t iteration, const ArgumentOf<F>& argument) {
  if constexpr (HasKind<F>::value) return function.kind(iteration, argument);
  return 0;
}

}  // namespace raddle::locality::detail
