// Operations for reduce and scan.
#pragma once

#include "../../crt/host_defines.h"

#include "../../crt/library_begin.h"

namespace cooperative_groups {

// As in CUDA, an operation may be named with its type or without: plus<int>() or plus<>().
#define RADDLE_GROUP_OPERATION(name, expression)       \
  template <class Type = void>                         \
  struct name {                                        \
    template <class T>                                 \
    __host__ __device__ T operator()(T a, T b) const { \
      return expression;                               \
    }                                                  \
  };
RADDLE_GROUP_OPERATION(plus, a + b)
RADDLE_GROUP_OPERATION(less, b < a ? b : a)
RADDLE_GROUP_OPERATION(greater, a < b ? b : a)
RADDLE_GROUP_OPERATION(bit_and, a& b)
RADDLE_GROUP_OPERATION(bit_or, a | b)
RADDLE_GROUP_OPERATION(bit_xor, a ^ b)
#undef RADDLE_GROUP_OPERATION

}  // namespace cooperative_groups

#include "../../crt/library_end.h"
