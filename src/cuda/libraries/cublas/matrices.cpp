// Products of matrix and vector, outer products and sums of matrices (cuBLAS documentation, "cuBLAS
// Level-2 Function Reference", "cublas<t>geam()").
#include <algorithm>

#include "cuda/libraries/cublas/kernels.h"
#include "cuda/libraries/cublas/shapes.h"

using namespace raddle::cublas;

namespace {

template <class T>
struct GemvCall {
  cublasOperation_t op;
  std::int64_t m, n;
  const T *alpha, *beta;
  Batch<const T> a, x;
  Batch<T> y;
  std::int64_t count;
};

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, const GemvCall<T>& call) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    const auto& [op, m, n, alpha, beta, a, x, y, count] = call;
    const std::int64_t lda = a.leading, incx = x.leading, incy = y.leading;
    blas_require(m >= 0 && n >= 0 && count >= 0);
    blas_require(lda >= 1 && lda >= m);
    blas_require(incx != 0 && incy != 0);
    Gemv<T> parameters;
    parameters.transpose = is_transposed(op);
    parameters.alpha = scalar(runtime, of, alpha, "alpha");
    parameters.beta = scalar(runtime, of, beta, "beta");
    if (m == 0 || n == 0 || count == 0) return;
    blas_require(y.first != nullptr);
    if (!is_zero(parameters.alpha)) blas_require(a.first != nullptr && x.first != nullptr);
    parameters.m = narrow(m);
    parameters.n = narrow(n);
    parameters.batches = narrow(count);
    parameters.a = a;
    parameters.x = x;
    parameters.y = y;
    const std::int64_t of_x = parameters.transpose ? m : n, of_y = parameters.transpose ? n : m;
    parameters.x.offset = incx < 0 ? (1 - of_x) * incx : 0;
    parameters.y.offset = incy < 0 ? (1 - of_y) * incy : 0;
    const int rows = parameters.transpose ? kGemvColumns : kGemvRows;
    const std::int64_t blocks = (of_y + rows - 1) / rows;
    run(runtime, of, std::string(kLetter<T>) + "gemv", parameters,
        {static_cast<unsigned>(std::min(blocks, kGridMost)),
         static_cast<unsigned>(std::min(count, kGridMost)), 1});
  });
}

template <class T>
struct GerCall {
  std::int64_t m, n;
  const T *alpha, *x;
  std::int64_t incx;
  const T* y;
  std::int64_t incy;
  T* a;
  std::int64_t lda;
};

template <class T>
cublasStatus_t ger(cublasHandle_t handle, const GerCall<T>& call) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    const auto& [m, n, alpha, x, incx, y, incy, a, lda] = call;
    blas_require(m >= 0 && n >= 0);
    blas_require(incx != 0 && incy != 0);
    blas_require(lda >= 1 && lda >= m);
    Ger<T> parameters;
    parameters.alpha = scalar(runtime, of, alpha, "alpha");
    if (m == 0 || n == 0 || is_zero(parameters.alpha)) return;
    blas_require(a != nullptr && x != nullptr && y != nullptr);
    parameters.m = narrow(m);
    parameters.n = narrow(n);
    parameters.x = first_of(x, m, incx);
    parameters.y = first_of(y, n, incy);
    parameters.step_x = incx;
    parameters.step_y = incy;
    parameters.a = a;
    parameters.leading = lda;
    run(runtime, of, std::string(kLetter<T>) + "ger", parameters, blocks_for(runtime, m * n));
  });
}

template <class T>
struct GeamCall {
  cublasOperation_t op_a, op_b;
  std::int64_t m, n;
  const T *alpha, *a;
  std::int64_t lda;
  const T *beta, *b;
  std::int64_t ldb;
  T* c;
  std::int64_t ldc;
};

template <class T>
cublasStatus_t geam(cublasHandle_t handle, const GeamCall<T>& call) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    const auto& [op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc] = call;
    Geam<T> parameters;
    parameters.transpose_a = is_transposed(op_a);
    parameters.transpose_b = is_transposed(op_b);
    blas_require(m >= 0 && n >= 0);
    const std::int64_t rows_of_a = parameters.transpose_a ? n : m;
    const std::int64_t rows_of_b = parameters.transpose_b ? n : m;
    blas_require(lda >= 1 && lda >= rows_of_a);
    blas_require(ldb >= 1 && ldb >= rows_of_b);
    blas_require(ldc >= 1 && ldc >= m);
    parameters.alpha = scalar(runtime, of, alpha, "alpha");
    parameters.beta = scalar(runtime, of, beta, "beta");
    if (m == 0 || n == 0) return;
    blas_require(c != nullptr);
    if (!is_zero(parameters.alpha)) blas_require(a != nullptr);
    if (!is_zero(parameters.beta)) blas_require(b != nullptr);
    // In place, each element of C must have the address of its own operand.
    blas_require(c != a || (lda == ldc && !parameters.transpose_a));
    blas_require(c != b || (ldb == ldc && !parameters.transpose_b));
    parameters.m = narrow(m);
    parameters.n = narrow(n);
    parameters.a = a;
    parameters.b = b;
    parameters.c = c;
    parameters.leading_a = lda;
    parameters.leading_b = ldb;
    parameters.leading_c = ldc;
    run(runtime, of, std::string(kLetter<T>) + "geam", parameters, blocks_for(runtime, m * n));
  });
}

}  // namespace

#define RADDLE_MATRICES(S, T, suffix, Index)                                                       \
  cublasStatus_t cublas##S##gemv_v2##suffix(                                                       \
      cublasHandle_t handle, cublasOperation_t op, Index m, Index n, const T* alpha, const T* a,   \
      Index lda, const T* x, Index incx, const T* beta, T* y, Index incy) {                        \
    return gemv<T>(handle, {op, m, n, alpha, beta, one(a, lda), one(x, incx), one(y, incy), 1});   \
  }                                                                                                \
  cublasStatus_t cublas##S##gemvBatched##suffix(                                                   \
      cublasHandle_t handle, cublasOperation_t op, Index m, Index n, const T* alpha,               \
      const T* const a[], Index lda, const T* const x[], Index incx, const T* beta, T* const y[],  \
      Index incy, Index count) {                                                                   \
    return gemv<T>(                                                                                \
        handle, {op, m, n, alpha, beta, listed(a, lda), listed(x, incx), listed(y, incy), count}); \
  }                                                                                                \
  cublasStatus_t cublas##S##gemvStridedBatched##suffix(                                            \
      cublasHandle_t handle, cublasOperation_t op, Index m, Index n, const T* alpha, const T* a,   \
      Index lda, long long stride_a, const T* x, Index incx, long long stride_x, const T* beta,    \
      T* y, Index incy, long long stride_y, Index count) {                                         \
    return gemv<T>(handle, {op, m, n, alpha, beta, strided(a, lda, stride_a),                      \
                            strided(x, incx, stride_x), strided(y, incy, stride_y), count});       \
  }                                                                                                \
  cublasStatus_t cublas##S##ger_v2##suffix(cublasHandle_t handle, Index m, Index n,                \
                                           const T* alpha, const T* x, Index incx, const T* y,     \
                                           Index incy, T* a, Index lda) {                          \
    return ger<T>(handle, {m, n, alpha, x, incx, y, incy, a, lda});                                \
  }                                                                                                \
  cublasStatus_t cublas##S##geam##suffix(cublasHandle_t handle, cublasOperation_t op_a,            \
                                         cublasOperation_t op_b, Index m, Index n, const T* alpha, \
                                         const T* a, Index lda, const T* beta, const T* b,         \
                                         Index ldb, T* c, Index ldc) {                             \
    return geam<T>(handle, {op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc});               \
  }
RADDLE_MATRICES(S, float, , int)
RADDLE_MATRICES(D, double, , int)
RADDLE_MATRICES(S, float, _64, std::int64_t)
RADDLE_MATRICES(D, double, _64, std::int64_t)
