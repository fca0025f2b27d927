// Loads of memory that does not change while the kernel runs.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "types.h"

namespace raddle::locality::detail {

#ifdef __CUDA_ARCH__
template <class Word, class T>
__device__ T load_words(const T* from) {
  Word words[sizeof(T) / sizeof(Word)];
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(Word); ++i) {
    words[i] = __ldg(reinterpret_cast<const Word*>(from) + i);
  }
  T value;
  memcpy(&value, words, sizeof value);
  return value;
}
#endif

/// *from; on the GPU through the read-only cache, in words as wide as T's alignment allows.
template <class T>
RADDLE_LOCALITY_BOTH T load(const T* from) {
  static_assert(std::is_trivially_copyable<T>::value, "what is read is copied as bytes");
#ifdef __CUDA_ARCH__
  if constexpr (alignof(T) % 16 == 0) return load_words<uint4>(from);
  if constexpr (alignof(T) % 16 == 8) return load_words<uint2>(from);
  if constexpr (alignof(T) % 8 == 4) return load_words<unsigned>(from);
  if constexpr (alignof(T) % 4 != 0) return load_words<unsigned char>(from);
#else
  return *from;
#endif
}

}  // namespace raddle::locality::detail
