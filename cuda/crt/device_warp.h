// Vote and shuffle without a mask, as programs for GPUs before Volta write them: the lanes which
// are active together take part.
#pragma once

__device__ inline int __all(int predicate) { return __all_sync(__activemask(), predicate); }
__device__ inline int __any(int predicate) { return __any_sync(__activemask(), predicate); }
__device__ inline unsigned int __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}

template <class T>
__device__ inline T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T>
__device__ inline T __shfl_up(T value, unsigned int delta, int width = 32) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class T>
__device__ inline T __shfl_down(T value, unsigned int delta, int width = 32) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class T>
__device__ inline T __shfl_xor(T value, int mask, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, mask, width);
}

// redux.sync needs sm_80; before it, the same results come from butterfly shuffles. All lanes that
// the mask names execute the call, so every lane named can be read in turn.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T, class Operation>
__device__ inline T __raddle_reduce_sync(unsigned int mask, T value, Operation operation) {
  T result = __shfl_sync(mask, value, __ffs(mask) - 1);
  for (unsigned int rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    result = operation(result, __shfl_sync(mask, value, __ffs(rest) - 1));
  }
  return result;
}
#define RADDLE_REDUCE(name, type, expression, instruction)                               \
  __device__ inline type name(unsigned int mask, type value) {                           \
    return __raddle_reduce_sync(mask, value, [](type a, type b) { return expression; }); \
  }
#else
#define RADDLE_REDUCE(name, type, expression, instruction)     \
  __device__ inline type name(unsigned int mask, type value) { \
    type result;                                               \
    __asm__ volatile("redux.sync." instruction " %0, %1, %2;"  \
                     : "=r"(result)                            \
                     : "r"(value), "r"(mask));                 \
    return result;                                             \
  }
#endif
RADDLE_REDUCE(__reduce_add_sync, unsigned int, a + b, "add.u32")
RADDLE_REDUCE(__reduce_min_sync, unsigned int, a < b ? a : b, "min.u32")
RADDLE_REDUCE(__reduce_max_sync, unsigned int, a > b ? a : b, "max.u32")
RADDLE_REDUCE(__reduce_min_sync, int, a < b ? a : b, "min.s32")
RADDLE_REDUCE(__reduce_max_sync, int, a > b ? a : b, "max.s32")
RADDLE_REDUCE(__reduce_and_sync, unsigned int, a& b, "and.b32")
RADDLE_REDUCE(__reduce_or_sync, unsigned int, a | b, "or.b32")
RADDLE_REDUCE(__reduce_xor_sync, unsigned int, a ^ b, "xor.b32")
#undef RADDLE_REDUCE
__device__ inline int __reduce_add_sync(unsigned int mask, int value) {
  return (int)__reduce_add_sync(mask, (unsigned int)value);
}
