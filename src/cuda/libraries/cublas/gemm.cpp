// Matrix products (cuBLAS documentation, "cublas<t>gemm()" and its batches, "cublasGemmEx()").
#include <fmt/core.h>

#include <algorithm>

#include "cuda/libraries/cublas/kernels.h"
#include "cuda/libraries/cublas/shapes.h"

using namespace raddle::cublas;

namespace {

template <class In, class S = In, class Out = In>
struct Call {
  cublasOperation_t op_a, op_b;
  std::int64_t m, n, k;
  const S *alpha, *beta;
  Batch<const In> a, b;
  Batch<Out> c;
  std::int64_t count;
};

/// "s", or for three types "hsh", as in kernels.cu.
template <class In, class S, class Out>
std::string letters() {
  const std::string in = kLetter<In>;
  return sizeof(In) >= sizeof(float) ? in : in + kLetter<S> + kLetter<Out>;
}

std::int64_t tiles(std::int64_t m, std::int64_t n, int side) {
  return ((m + side - 1) / side) * ((n + side - 1) / side);
}

/// Makes as many launches as the problem needs: usually one.
template <class In, class S, class Out>
void launch(Runtime& runtime, cublasContext& handle, Gemm<In, S, Out> parameters,
            std::int64_t count) {
  // Small tiles are used where large ones are too few to keep the multiprocessors busy.
  const std::int64_t large = tiles(parameters.m, parameters.n, kTile);
  const bool small = 2 * large * count < multiprocessors(runtime);
  const std::int64_t all = small ? tiles(parameters.m, parameters.n, kSmallTile) : large;
  const std::string name = letters<In, S, Out>() + (small ? "gemm_small" : "gemm");
  for (std::int64_t member = 0; member < count; member += kGridMost) {
    parameters.first_member = static_cast<int>(member);
    for (std::int64_t tile = 0; tile < all; tile += kGridMost) {
      parameters.first_tile = tile;
      run(runtime, handle, name, parameters,
          {static_cast<unsigned>(std::min(all - tile, kGridMost)),
           static_cast<unsigned>(std::min(count - member, kGridMost)), 1});
    }
  }
}

template <class In, class S, class Out>
void gemm(Runtime& runtime, cublasContext& of, const Call<In, S, Out>& call) {
  const auto& [op_a, op_b, m, n, k, alpha, beta, a, b, c, count] = call;
  Gemm<In, S, Out> parameters;
  parameters.transpose_a = is_transposed(op_a);
  parameters.transpose_b = is_transposed(op_b);
  const std::int64_t lda = a.leading, ldb = b.leading, ldc = c.leading;
  blas_require(m >= 0 && n >= 0 && k >= 0 && count >= 0);
  const std::int64_t rows_of_a = parameters.transpose_a ? k : m;
  const std::int64_t rows_of_b = parameters.transpose_b ? n : k;
  blas_require(lda >= 1 && lda >= rows_of_a);
  blas_require(ldb >= 1 && ldb >= rows_of_b);
  blas_require(ldc >= 1 && ldc >= m);
  if (m == 0 || n == 0 || count == 0) return;
  parameters.alpha = scalar(runtime, of, alpha, "alpha");
  parameters.beta = scalar(runtime, of, beta, "beta");
  if (k == 0) parameters.alpha = {};
  if (!is_zero(parameters.alpha)) blas_require(a.first != nullptr && b.first != nullptr);
  blas_require(c.first != nullptr);
  parameters.m = narrow(m);
  parameters.n = narrow(n);
  parameters.k = narrow(k);
  parameters.a = a;
  parameters.b = b;
  parameters.c = c;
  launch(runtime, of, parameters, narrow(count));
}

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, const Call<T>& call) {
  return blas(Cost::launch, handle,
              [&](Runtime& runtime, cublasContext& of) { gemm(runtime, of, call); });
}

/// The types that the arguments of functions such as cublasGemmEx() name.
struct Types {
  cudaDataType a, b, c;
  cublasComputeType_t compute;
};

constexpr Types kHalf{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F};

bool is_single(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
         compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_EMULATED_16BFX9;
}
bool is_half(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
}
bool is_double(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT;
}

template <class T>
Batch<T> typed(const Batch<const void>& of) {
  return {static_cast<T*>(const_cast<void*>(of.first)), of.stride, of.listed, of.leading, 0};
}

struct AnyCall {
  cublasOperation_t op_a, op_b;
  std::int64_t m, n, k;
  const void *alpha, *beta;
  Batch<const void> a, b, c;
  std::int64_t count;

  template <class In, class S = In, class Out = In>
  Call<In, S, Out> of() const {
    return {op_a,
            op_b,
            m,
            n,
            k,
            static_cast<const S*>(alpha),
            static_cast<const S*>(beta),
            typed<const In>(a),
            typed<const In>(b),
            typed<Out>(c),
            count};
  }
};

/// Runs the supported combinations of types (cuBLAS documentation, "cublasGemmEx()", has a table of
/// all); false for others.
bool gemm_of(Runtime& runtime, cublasContext& of, const Types& types, const AnyCall& call) {
  const auto are = [&](cudaDataType in, cudaDataType out) {
    return types.a == in && types.b == in && types.c == out;
  };
  if (is_double(types.compute) && are(CUDA_R_64F, CUDA_R_64F)) {
    gemm(runtime, of, call.of<double>());
  } else if (is_half(types.compute) && are(CUDA_R_16F, CUDA_R_16F)) {
    gemm(runtime, of, call.of<Half>());
  } else if (!is_single(types.compute)) {
    return false;
  } else if (are(CUDA_R_32F, CUDA_R_32F)) {
    gemm(runtime, of, call.of<float>());
  } else if (are(CUDA_R_16F, CUDA_R_16F)) {
    gemm(runtime, of, call.of<Half, float, Half>());
  } else if (are(CUDA_R_16F, CUDA_R_32F)) {
    gemm(runtime, of, call.of<Half, float, float>());
  } else if (are(CUDA_R_16BF, CUDA_R_16BF)) {
    gemm(runtime, of, call.of<Bfloat16, float, Bfloat16>());
  } else if (are(CUDA_R_16BF, CUDA_R_32F)) {
    gemm(runtime, of, call.of<Bfloat16, float, float>());
  } else {
    return false;
  }
  return true;
}

cublasStatus_t gemm_of(cublasHandle_t handle, const Types& types, const AnyCall& call) {
  return blas(Cost::launch, handle, [&](Runtime& runtime, cublasContext& of) {
    if (gemm_of(runtime, of, types, call)) return;
    not_here(
        fmt::format("a product of the cudaDataTypes {} by {} to {} with cublasComputeType_t {} "
                    "(docs/limits.md)",
                    +types.a, +types.b, +types.c, +types.compute));
  });
}

Batch<const void> any(const void* first, std::int64_t leading, std::int64_t stride = 0,
                      bool listed = false) {
  return {first, stride, listed, leading, 0};
}

}  // namespace

#define RADDLE_GEMM(S, T, suffix, Index)                                                          \
  cublasStatus_t cublas##S##gemm_v2##suffix(cublasHandle_t handle, cublasOperation_t op_a,        \
                                            cublasOperation_t op_b, Index m, Index n, Index k,    \
                                            const T* alpha, const T* a, Index lda, const T* b,    \
                                            Index ldb, const T* beta, T* c, Index ldc) {          \
    return gemm<T>(handle,                                                                        \
                   {op_a, op_b, m, n, k, alpha, beta, one(a, lda), one(b, ldb), one(c, ldc), 1}); \
  }                                                                                               \
  cublasStatus_t cublas##S##gemmBatched##suffix(                                                  \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const T* alpha, const T* const a[], Index lda, const T* const b[], Index ldb,      \
      const T* beta, T* const c[], Index ldc, Index count) {                                      \
    return gemm<T>(handle, {op_a, op_b, m, n, k, alpha, beta, listed(a, lda), listed(b, ldb),     \
                            listed(c, ldc), count});                                              \
  }                                                                                               \
  cublasStatus_t cublas##S##gemmStridedBatched##suffix(                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const T* alpha, const T* a, Index lda, long long stride_a, const T* b, Index ldb,  \
      long long stride_b, const T* beta, T* c, Index ldc, long long stride_c, Index count) {      \
    return gemm<T>(handle, {op_a, op_b, m, n, k, alpha, beta, strided(a, lda, stride_a),          \
                            strided(b, ldb, stride_b), strided(c, ldc, stride_c), count});        \
  }
RADDLE_GEMM(S, float, , int)
RADDLE_GEMM(D, double, , int)
RADDLE_GEMM(S, float, _64, std::int64_t)
RADDLE_GEMM(D, double, _64, std::int64_t)

// For half precision, through the functions whose arguments name types.
#define RADDLE_GEMM_OF_HALF(suffix, Index)                                                        \
  cublasStatus_t cublasHgemm##suffix(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const __half* alpha, const __half* a, Index lda, const __half* b, Index ldb,       \
      const __half* beta, __half* c, Index ldc) {                                                 \
    return gemm_of(handle, kHalf,                                                                 \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda), any(b, ldb), any(c, ldc), 1}); \
  }                                                                                               \
  cublasStatus_t cublasHgemmBatched##suffix(                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const __half* alpha, const __half* const a[], Index lda, const __half* const b[],  \
      Index ldb, const __half* beta, __half* const c[], Index ldc, Index count) {                 \
    return gemm_of(handle, kHalf,                                                                 \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda, 0, true), any(b, ldb, 0, true), \
                    any(c, ldc, 0, true), count});                                                \
  }                                                                                               \
  cublasStatus_t cublasHgemmStridedBatched##suffix(                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const __half* alpha, const __half* a, Index lda, long long stride_a,               \
      const __half* b, Index ldb, long long stride_b, const __half* beta, __half* c, Index ldc,   \
      long long stride_c, Index count) {                                                          \
    return gemm_of(handle, kHalf,                                                                 \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda, stride_a),                      \
                    any(b, ldb, stride_b), any(c, ldc, stride_c), count});                        \
  }
RADDLE_GEMM_OF_HALF(, int)
RADDLE_GEMM_OF_HALF(_64, std::int64_t)

#define RADDLE_GEMM_OF(suffix, Index)                                                             \
  cublasStatus_t cublasSgemmEx##suffix(                                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const float* alpha, const void* a, cudaDataType type_a, Index lda, const void* b,  \
      cudaDataType type_b, Index ldb, const float* beta, void* c, cudaDataType type_c,            \
      Index ldc) {                                                                                \
    return gemm_of(handle, {type_a, type_b, type_c, CUBLAS_COMPUTE_32F},                          \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda), any(b, ldb), any(c, ldc), 1}); \
  }                                                                                               \
  cublasStatus_t cublasGemmEx##suffix(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const void* alpha, const void* a, cudaDataType type_a, Index lda, const void* b,   \
      cudaDataType type_b, Index ldb, const void* beta, void* c, cudaDataType type_c, Index ldc,  \
      cublasComputeType_t compute, cublasGemmAlgo_t) {                                            \
    return gemm_of(handle, {type_a, type_b, type_c, compute},                                     \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda), any(b, ldb), any(c, ldc), 1}); \
  }                                                                                               \
  cublasStatus_t cublasGemmBatchedEx##suffix(                                                     \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const void* alpha, const void* const a[], cudaDataType type_a, Index lda,          \
      const void* const b[], cudaDataType type_b, Index ldb, const void* beta, void* const c[],   \
      cudaDataType type_c, Index ldc, Index count, cublasComputeType_t compute,                   \
      cublasGemmAlgo_t) {                                                                         \
    return gemm_of(handle, {type_a, type_b, type_c, compute},                                     \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda, 0, true), any(b, ldb, 0, true), \
                    any(c, ldc, 0, true), count});                                                \
  }                                                                                               \
  cublasStatus_t cublasGemmStridedBatchedEx##suffix(                                              \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Index m, Index n,    \
      Index k, const void* alpha, const void* a, cudaDataType type_a, Index lda,                  \
      long long stride_a, const void* b, cudaDataType type_b, Index ldb, long long stride_b,      \
      const void* beta, void* c, cudaDataType type_c, Index ldc, long long stride_c, Index count, \
      cublasComputeType_t compute, cublasGemmAlgo_t) {                                            \
    return gemm_of(handle, {type_a, type_b, type_c, compute},                                     \
                   {op_a, op_b, m, n, k, alpha, beta, any(a, lda, stride_a),                      \
                    any(b, ldb, stride_b), any(c, ldc, stride_c), count});                        \
  }
RADDLE_GEMM_OF(, int)
RADDLE_GEMM_OF(_64, std::int64_t)
