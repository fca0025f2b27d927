// Atomic functions (CUDA C++ Programming Guide, "Atomic Functions"). Each exists with device scope,
// and as _block and _system. The results are relaxed: order comes from fences.
#pragma once

// f(scope suffix, PTX scope) for each scope.
#define RADDLE_FOR_SCOPES(f) f(, gpu) f(_block, cta) f(_system, sys)

// Clang's headers name the instruction by its type: i u ll ull f d.
#define RADDLE_ATOMICS(suffix, scope)                                                           \
  RADDLE_ATOMIC(Add, suffix, int, i)                                                            \
  RADDLE_ATOMIC(Add, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC(Add, suffix, unsigned long long, ull)                                           \
  RADDLE_ATOMIC(Add, suffix, float, f)                                                          \
  RADDLE_ATOMIC(Add, suffix, double, d)                                                         \
  RADDLE_ATOMIC(Exch, suffix, int, i)                                                           \
  RADDLE_ATOMIC(Exch, suffix, unsigned int, u)                                                  \
  RADDLE_ATOMIC(Exch, suffix, unsigned long long, ull)                                          \
  RADDLE_ATOMIC(Exch, suffix, float, f)                                                         \
  RADDLE_ATOMIC(Min, suffix, int, i)                                                            \
  RADDLE_ATOMIC(Min, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC(Min, suffix, long long, ill)                                                    \
  RADDLE_ATOMIC(Min, suffix, unsigned long long, ull)                                           \
  RADDLE_ATOMIC(Max, suffix, int, i)                                                            \
  RADDLE_ATOMIC(Max, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC(Max, suffix, long long, ill)                                                    \
  RADDLE_ATOMIC(Max, suffix, unsigned long long, ull)                                           \
  RADDLE_ATOMIC(And, suffix, int, i)                                                            \
  RADDLE_ATOMIC(And, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC(And, suffix, unsigned long long, ull)                                           \
  RADDLE_ATOMIC(Or, suffix, int, i)                                                             \
  RADDLE_ATOMIC(Or, suffix, unsigned int, u)                                                    \
  RADDLE_ATOMIC(Or, suffix, unsigned long long, ull)                                            \
  RADDLE_ATOMIC(Xor, suffix, int, i)                                                            \
  RADDLE_ATOMIC(Xor, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC(Xor, suffix, unsigned long long, ull)                                           \
  RADDLE_ATOMIC(Inc, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC(Dec, suffix, unsigned int, u)                                                   \
  RADDLE_ATOMIC_CAS(suffix, int, i)                                                             \
  RADDLE_ATOMIC_CAS(suffix, unsigned int, u)                                                    \
  RADDLE_ATOMIC_CAS(suffix, unsigned long long, ull)                                            \
  __device__ inline int atomicSub##suffix(int* address, int value) {                            \
    return atomicAdd##suffix(address, (int)(0u - (unsigned int)value));                         \
  }                                                                                             \
  __device__ inline unsigned int atomicSub##suffix(unsigned int* address, unsigned int value) { \
    return atomicAdd##suffix(address, 0u - value);                                              \
  }                                                                                             \
  __device__ inline unsigned short atomicCAS##suffix(                                           \
      unsigned short* address, unsigned short compare, unsigned short value) {                  \
    unsigned short old;                                                                         \
    asm volatile("atom." #scope ".cas.b16 %0, [%1], %2, %3;"                                    \
                 : "=h"(old)                                                                    \
                 : "l"(address), "h"(compare), "h"(value)                                       \
                 : "memory");                                                                   \
    return old;                                                                                 \
  }                                                                                             \
  RADDLE_ATOMIC_LONG(Add, suffix)                                                               \
  RADDLE_ATOMIC_LONG(Exch, suffix)                                                              \
  RADDLE_ATOMIC_LONG(And, suffix) RADDLE_ATOMIC_LONG(Or, suffix) RADDLE_ATOMIC_LONG(Xor, suffix)

#define RADDLE_ATOMIC(operation, suffix, type, letter)                          \
  __device__ inline type atomic##operation##suffix(type* address, type value) { \
    return __##letter##Atomic##operation##suffix(address, value);               \
  }
#define RADDLE_ATOMIC_CAS(suffix, type, letter)                                       \
  __device__ inline type atomicCAS##suffix(type* address, type compare, type value) { \
    return __##letter##AtomicCAS##suffix(address, compare, value);                    \
  }
// Signed 64-bit operands of the operations that do not look at the sign.
#define RADDLE_ATOMIC_LONG(operation, suffix)                                                  \
  __device__ inline long long atomic##operation##suffix(long long* address, long long value) { \
    return (long long)__ullAtomic##operation##suffix((unsigned long long*)address,             \
                                                     (unsigned long long)value);               \
  }

RADDLE_FOR_SCOPES(RADDLE_ATOMICS)

#undef RADDLE_ATOMICS
#undef RADDLE_ATOMIC
#undef RADDLE_ATOMIC_CAS
#undef RADDLE_ATOMIC_LONG

// Vectors in global memory, each element by itself (sm_90).
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define RADDLE_ATOMIC_ADD_VECTORS(suffix, scope)                                        \
  __device__ inline float2 atomicAdd##suffix(float2* address, float2 value) {           \
    float2 old;                                                                         \
    asm volatile("atom." #scope ".add.v2.f32 {%0, %1}, [%2], {%3, %4};"                 \
                 : "=f"(old.x), "=f"(old.y)                                             \
                 : "l"(address), "f"(value.x), "f"(value.y)                             \
                 : "memory");                                                           \
    return old;                                                                         \
  }                                                                                     \
  __device__ inline float4 atomicAdd##suffix(float4* address, float4 value) {           \
    float4 old;                                                                         \
    asm volatile("atom." #scope ".add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};" \
                 : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)                   \
                 : "l"(address), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w) \
                 : "memory");                                                           \
    return old;                                                                         \
  }
RADDLE_FOR_SCOPES(RADDLE_ATOMIC_ADD_VECTORS)
#undef RADDLE_ATOMIC_ADD_VECTORS
#endif

#undef RADDLE_FOR_SCOPES
