// The kernels of our cuBLAS, for single (s) and double (d) precision; products also for narrower
// types. They are compiled when raddle is built, and libcublas contains them as PTX. The PTX is for
// the oldest GPU with a description, so that it runs on all.
#include "gemm.cuh"
#include "matrices.cuh"
#include "reductions.cuh"
#include "triangles.cuh"
#include "vectors.cuh"

using namespace raddle::cublas;

#define RADDLE_KERNEL(name, Parameters, ...)                                  \
  extern "C" __global__ void                                                  \
      __attribute__((launch_bounds(kThreads))) raddle_##name(Parameters of) { \
    __VA_ARGS__;                                                              \
  }

#define RADDLE_REDUCTION(name, T, ...)                            \
  RADDLE_KERNEL(name, Reduction<T>, (reduce<__VA_ARGS__, T>(of))) \
  RADDLE_KERNEL(name##_parts, Reduction<T>, (reduce_parts<__VA_ARGS__, T>(of)))

#define RADDLE_GEMM(s, ...)                        \
  using s##Gemm = Gemm<__VA_ARGS__>;               \
  RADDLE_KERNEL(s##gemm, s##Gemm, gemm<kTile>(of)) \
  RADDLE_KERNEL(s##gemm_small, s##Gemm, gemm<kSmallTile>(of))

#define RADDLE_KERNELS(s, T)                                   \
  RADDLE_GEMM(s, T)                                            \
  RADDLE_KERNEL(s##gemv, Gemv<T>, gemv(of))                    \
  RADDLE_KERNEL(s##ger, Ger<T>, ger(of))                       \
  RADDLE_KERNEL(s##geam, Geam<T>, geam(of))                    \
  RADDLE_KERNEL(s##trsm, Triangle<T>, triangle<true>(of))      \
  RADDLE_KERNEL(s##trmm, Triangle<T>, triangle<false>(of))     \
  RADDLE_KERNEL(s##axpy, Vectors<T>, axpy(of))                 \
  RADDLE_KERNEL(s##scal, Vectors<T>, scal(of))                 \
  RADDLE_KERNEL(s##copy, Vectors<T>, copy(of))                 \
  RADDLE_KERNEL(s##swap, Vectors<T>, raddle::cublas::swap(of)) \
  RADDLE_REDUCTION(s##dot, T, Dot<T>)                          \
  RADDLE_REDUCTION(s##asum, T, Asum<T>)                        \
  RADDLE_REDUCTION(s##nrm2, T, Nrm2<T>)                        \
  RADDLE_REDUCTION(i##s##amax, T, Extreme<T, 1>)               \
  RADDLE_REDUCTION(i##s##amin, T, Extreme<T, -1>)

RADDLE_KERNELS(s, float)
RADDLE_KERNELS(d, double)
// For half precision (h) and bfloat16 (b). Letters: elements of A and B, scalars, elements of C.
RADDLE_GEMM(hhh, Half)
RADDLE_GEMM(hsh, Half, float, Half)
RADDLE_GEMM(hss, Half, float, float)
RADDLE_GEMM(bsb, Bfloat16, float, Bfloat16)
RADDLE_GEMM(bss, Bfloat16, float, float)
