// Triangular systems and products with triangular matrices (cuBLAS documentation,
// "cublas<t>trsm()", "cublas<t>trsmBatched()", "cublas<t>trmm()").
#include <algorithm>

#include "cuda/libraries/cublas/kernels.h"
#include "cuda/libraries/cublas/shapes.h"

using namespace raddle::cublas;

namespace {

template <class T>
struct TriangleCall {
  const char* name;
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t op;
  cublasDiagType_t diagonal;
  std::int64_t m, n;
  const T* alpha;
  Batch<const T> a, b;
  Batch<T> c;
  std::int64_t count;
};

template <class T>
cublasStatus_t triangle(cublasHandle_t handle, const TriangleCall<T>& call) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    const auto& [name, side, fill, op, diagonal, m, n, alpha, a, b, c, count] = call;
    blas_require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT);
    blas_require(fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER);
    blas_require(diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT);
    blas_require(m >= 0 && n >= 0 && count >= 0);
    const std::int64_t lda = a.leading, ldb = b.leading, ldc = c.leading;
    const std::int64_t rows_of_a = side == CUBLAS_SIDE_LEFT ? m : n;
    blas_require(lda >= 1 && lda >= rows_of_a);
    blas_require(ldb >= 1 && ldb >= m);
    blas_require(ldc >= 1 && ldc >= m);
    Triangle<T> parameters;
    parameters.right = side == CUBLAS_SIDE_RIGHT;
    parameters.lower = fill == CUBLAS_FILL_MODE_LOWER;
    parameters.transpose = is_transposed(op);
    parameters.unit = diagonal == CUBLAS_DIAG_UNIT;
    parameters.alpha = scalar(runtime, of, alpha, "alpha");
    if (m == 0 || n == 0 || count == 0) return;
    blas_require(c.first != nullptr);
    if (!is_zero(parameters.alpha)) blas_require(a.first != nullptr && b.first != nullptr);
    // In place, each element of C must have the address of its own operand.
    blas_require(c.first != b.first || ldb == ldc);
    parameters.m = narrow(m);
    parameters.n = narrow(n);
    parameters.batches = narrow(count);
    parameters.a = a;
    parameters.b = b;
    parameters.c = c;
    const std::int64_t vectors = side == CUBLAS_SIDE_LEFT ? n : m;
    run(runtime, of, std::string(kLetter<T>) + name, parameters,
        {static_cast<unsigned>(std::min(vectors, kGridMost)),
         static_cast<unsigned>(std::min(count, kGridMost)), 1});
  });
}

}  // namespace

#define RADDLE_TRIANGLES(S, T, suffix, Index)                                                     \
  cublasStatus_t cublas##S##trsm_v2##suffix(                                                      \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,  \
      cublasDiagType_t diagonal, Index m, Index n, const T* alpha, const T* a, Index lda, T* b,   \
      Index ldb) {                                                                                \
    return triangle<T>(handle, {"trsm", side, fill, op, diagonal, m, n, alpha, one(a, lda),       \
                                one<const T>(b, ldb), one(b, ldb), 1});                           \
  }                                                                                               \
  cublasStatus_t cublas##S##trsmBatched##suffix(                                                  \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,  \
      cublasDiagType_t diagonal, Index m, Index n, const T* alpha, const T* const a[], Index lda, \
      T* const b[], Index ldb, Index count) {                                                     \
    return triangle<T>(handle, {"trsm", side, fill, op, diagonal, m, n, alpha, listed(a, lda),    \
                                listed<const T>(b, ldb), listed(b, ldb), count});                 \
  }                                                                                               \
  cublasStatus_t cublas##S##trmm_v2##suffix(                                                      \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,  \
      cublasDiagType_t diagonal, Index m, Index n, const T* alpha, const T* a, Index lda,         \
      const T* b, Index ldb, T* c, Index ldc) {                                                   \
    return triangle<T>(handle, {"trmm", side, fill, op, diagonal, m, n, alpha, one(a, lda),       \
                                one(b, ldb), one(c, ldc), 1});                                    \
  }
RADDLE_TRIANGLES(S, float, , int)
RADDLE_TRIANGLES(D, double, , int)
RADDLE_TRIANGLES(S, float, _64, std::int64_t)
RADDLE_TRIANGLES(D, double, _64, std::int64_t)
