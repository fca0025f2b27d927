// Functions of vectors (cuBLAS documentation, "cuBLAS Level-1 Function Reference").
#include <algorithm>

#include "cuda/libraries/cublas/kernels.h"
#include "cuda/runtime/graph.h"
#include "machine/host_config.h"

using namespace raddle::cublas;

namespace {

template <class T>
struct Vector {
  T* first;
  std::int64_t step;
};

/// axpy, copy, swap and scal; `y` and `alpha` only for functions that have them.
template <class T>
cublasStatus_t elements(cublasHandle_t handle, const char* name, std::int64_t n, const T* alpha,
                        bool has_alpha, Vector<T> x, Vector<T> y) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    Vectors<T> parameters;
    if (has_alpha) parameters.alpha = scalar(runtime, of, alpha, "alpha");
    if (n <= 0) return;
    blas_require(x.first != nullptr);
    parameters.n = n;
    parameters.x = first_of(x.first, n, x.step);
    parameters.step_x = x.step;
    parameters.y = first_of(y.first, n, y.step);
    parameters.step_y = y.step;
    run(runtime, of, std::string(kLetter<T>) + name, parameters, blocks_for(runtime, n));
  });
}

/// Sets `result` to 0 for vectors without elements.
void clear(Runtime& runtime, cublasContext& handle, void* result, std::size_t bytes) {
  if (handle.pointer_mode == CUBLAS_POINTER_MODE_HOST) {
    std::fill_n(static_cast<std::byte*>(result), bytes, std::byte{0});
  } else {
    raddle::cuda::fill(runtime, runtime.stream(handle.stream),
                       {{result, bytes, 1}, bytes, 1, 1, 0, 1});
  }
}

/// Launches the kernel that makes the parts of a reduction, and for several blocks the one that
/// joins them.
template <class T>
void launch_reduction(Runtime& runtime, cublasContext& handle, const std::string& name,
                      Reduction<T> parameters) {
  constexpr std::int64_t kElements = 4;  // for each thread, before the launch has more blocks
  const std::int64_t blocks = (parameters.n + kElements * kThreads - 1) / (kElements * kThreads);
  parameters.blocks = static_cast<int>(std::min<std::int64_t>(blocks, kReductionBlocks));
  run(runtime, handle, name, parameters, {static_cast<unsigned>(parameters.blocks), 1, 1});
  if (parameters.blocks == 1) return;
  runtime.device().spend(runtime.device().costs().launch_call);
  run(runtime, handle, name + "_parts", parameters, {1, 1, 1});
}

template <class T>
void reduce(Runtime& runtime, cublasContext& handle, const std::string& name,
            Reduction<T> parameters, void* result, std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(scratch(runtime, handle));
  parameters.parts = memory;
  if (handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
    parameters.result = result;
    launch_reduction(runtime, handle, name, parameters);
    return;
  }
  // The host waits for the result, which is impossible while the stream is captured.
  raddle::cuda::Stream& stream = runtime.stream(handle.stream);
  raddle::cuda::forbid_while_captured(stream);
  parameters.result = memory + kReductionBlocks * kPartBytes;
  launch_reduction(runtime, handle, name, parameters);
  raddle::cuda::CopyWork copy{{result, bytes, 1},    {parameters.result, bytes, 1}, bytes, 1, 1,
                              cudaMemcpyDeviceToHost};
  raddle::cuda::copy(runtime, stream, copy, false);
}

/// dot (`y` is a vector), nrm2, asum, iamax and iamin. The result is 0 without elements; in
/// functions of one vector, a step that is not positive means no elements.
template <class T, class Result>
cublasStatus_t number(cublasHandle_t handle, const std::string& name, std::int64_t n,
                      Vector<const T> x, const Vector<const T>* y, Result* result) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    blas_require(result != nullptr);
    if (of.pointer_mode == CUBLAS_POINTER_MODE_HOST) require_on_host(runtime, result, "result");
    if (n <= 0 || (y == nullptr && x.step <= 0)) return clear(runtime, of, result, sizeof *result);
    blas_require(x.first != nullptr);
    Reduction<T> parameters;
    parameters.n = n;
    parameters.x = first_of(x.first, n, x.step);
    parameters.step_x = x.step;
    if (y != nullptr) {
      blas_require(y->first != nullptr);
      parameters.y = first_of(y->first, n, y->step);
      parameters.step_y = y->step;
    }
    parameters.wide = sizeof(Result) == 8;
    reduce(runtime, of, name, parameters, result, sizeof *result);
  });
}

}  // namespace

#define RADDLE_VECTORS(S, s, T, suffix, Index)                                                     \
  cublasStatus_t cublas##S##axpy_v2##suffix(cublasHandle_t handle, Index n, const T* alpha,        \
                                            const T* x, Index incx, T* y, Index incy) {            \
    return elements<T>(handle, "axpy", n, alpha, true, {const_cast<T*>(x), incx}, {y, incy});      \
  }                                                                                                \
  cublasStatus_t cublas##S##copy_v2##suffix(cublasHandle_t handle, Index n, const T* x,            \
                                            Index incx, T* y, Index incy) {                        \
    return elements<T>(handle, "copy", n, nullptr, false, {const_cast<T*>(x), incx}, {y, incy});   \
  }                                                                                                \
  cublasStatus_t cublas##S##swap_v2##suffix(cublasHandle_t handle, Index n, T* x, Index incx,      \
                                            T* y, Index incy) {                                    \
    return elements<T>(handle, "swap", n, nullptr, false, {x, incx}, {y, incy});                   \
  }                                                                                                \
  cublasStatus_t cublas##S##scal_v2##suffix(cublasHandle_t handle, Index n, const T* alpha, T* x,  \
                                            Index incx) {                                          \
    return elements<T>(handle, "scal", incx > 0 ? n : 0, alpha, true, {x, incx}, {x, incx});       \
  }                                                                                                \
  cublasStatus_t cublas##S##dot_v2##suffix(cublasHandle_t handle, Index n, const T* x, Index incx, \
                                           const T* y, Index incy, T* result) {                    \
    const Vector<const T> other{y, incy};                                                          \
    return number<T>(handle, #s "dot", n, {x, incx}, &other, result);                              \
  }                                                                                                \
  cublasStatus_t cublas##S##nrm2_v2##suffix(cublasHandle_t handle, Index n, const T* x,            \
                                            Index incx, T* result) {                               \
    return number<T>(handle, #s "nrm2", n, {x, incx}, nullptr, result);                            \
  }                                                                                                \
  cublasStatus_t cublas##S##asum_v2##suffix(cublasHandle_t handle, Index n, const T* x,            \
                                            Index incx, T* result) {                               \
    return number<T>(handle, #s "asum", n, {x, incx}, nullptr, result);                            \
  }                                                                                                \
  cublasStatus_t cublasI##s##amax_v2##suffix(cublasHandle_t handle, Index n, const T* x,           \
                                             Index incx, Index* result) {                          \
    return number<T>(handle, "i" #s "amax", n, {x, incx}, nullptr, result);                        \
  }                                                                                                \
  cublasStatus_t cublasI##s##amin_v2##suffix(cublasHandle_t handle, Index n, const T* x,           \
                                             Index incx, Index* result) {                          \
    return number<T>(handle, "i" #s "amin", n, {x, incx}, nullptr, result);                        \
  }
RADDLE_VECTORS(S, s, float, , int)
RADDLE_VECTORS(D, d, double, , int)
RADDLE_VECTORS(S, s, float, _64, std::int64_t)
RADDLE_VECTORS(D, d, double, _64, std::int64_t)
