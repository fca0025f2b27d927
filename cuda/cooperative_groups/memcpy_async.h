// memcpy_async: a group copies memory together. The copy is complete after wait().
#pragma once

#include "../cooperative_groups.h"

#include "../crt/library_begin.h"

namespace cooperative_groups {

// Copies `bytes` bytes; by words where both addresses and the length allow.
template <class Group, class T>
__device__ inline void memcpy_async(const Group& group, T* destination, const T* source,
                                    size_t bytes) {
  const size_t first = group.thread_rank(), step = group.size();
  const size_t alignment = (size_t)destination | (size_t)source | bytes;
  if (alignment % sizeof(int4) == 0) {
    for (size_t i = first; i < bytes / sizeof(int4); i += step) {
      ((int4*)destination)[i] = ((const int4*)source)[i];
    }
  } else if (alignment % sizeof(int) == 0) {
    for (size_t i = first; i < bytes / sizeof(int); i += step) {
      ((int*)destination)[i] = ((const int*)source)[i];
    }
  } else {
    for (size_t i = first; i < bytes; i += step) {
      ((char*)destination)[i] = ((const char*)source)[i];
    }
  }
}
// Copies as many elements as both sides have.
template <class Group, class T>
__device__ inline void memcpy_async(const Group& group, T* destination, size_t destination_count,
                                    const T* source, size_t source_count) {
  const size_t count = destination_count < source_count ? destination_count : source_count;
  memcpy_async(group, destination, source, count * sizeof(T));
}

template <class Group>
__device__ inline void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stages, class Group>
__device__ inline void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#include "../crt/library_end.h"
