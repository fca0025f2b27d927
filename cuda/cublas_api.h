// cuBLAS, for programs that link raddle's libcublas. Single and double precision products, sums and
// norms are computed there by kernels of raddle's own; other mathematics is refused by name when it
// is called (docs/limits.md). Every function that works is declared, and the most used of the others.
#pragma once

#include "crt/cublas_types.h"
#include "driver_types.h"
#ifdef __cplusplus
#include "cuda_fp16.h"
#endif

#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char* file);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback);

#define RADDLE_INDEX int
#define RADDLE_CUBLAS(name) name
#include "crt/cublas_functions.inc"
#undef RADDLE_INDEX
#undef RADDLE_CUBLAS
#define RADDLE_INDEX int64_t
#define RADDLE_CUBLAS(name) name##_64
#include "crt/cublas_functions.inc"
#undef RADDLE_INDEX
#undef RADDLE_CUBLAS

// Rotations (refused).
#define RADDLE_ROTATIONS(S, T)                                                             \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t, int n, T* x, int incx, T* y, int incy,  \
                                   const T* c, const T* s);                                \
  cublasStatus_t cublas##S##rotg_v2(cublasHandle_t, T* a, T* b, T* c, T* s);               \
  cublasStatus_t cublas##S##rotm_v2(cublasHandle_t, int n, T* x, int incx, T* y, int incy, \
                                    const T* parameters);                                  \
  cublasStatus_t cublas##S##rotmg_v2(cublasHandle_t, T* d1, T* d2, T* x1, const T* y1,     \
                                     T* parameters);
RADDLE_ROTATIONS(S, float)
RADDLE_ROTATIONS(D, double)
#undef RADDLE_ROTATIONS

// Factorizations of batches (refused).
#define RADDLE_FACTORS(S, T)                                                                    \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t, int n, T* const a[], int lda,          \
                                         int* pivots, int* info, int count);                    \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t, int n, const T* const a[], int lda,    \
                                         const int* pivots, T* const c[], int ldc, int* info,   \
                                         int count);                                            \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t, cublasOperation_t, int n, int columns, \
                                         const T* const a[], int lda, const int* pivots,        \
                                         T* const b[], int ldb, int* info, int count);          \
  cublasStatus_t cublas##S##matinvBatched(cublasHandle_t, int n, const T* const a[], int lda,   \
                                          T* const inverse[], int ldi, int* info, int count);
RADDLE_FACTORS(S, float)
RADDLE_FACTORS(D, double)
RADDLE_FACTORS(C, cuComplex)
RADDLE_FACTORS(Z, cuDoubleComplex)
#undef RADDLE_FACTORS

#ifdef __cplusplus
}

// Before CUDA 11 the type of computation was one of values: C++ programs may still say it so.
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType type,
                                                      cublasComputeType_t* compute) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  const cublasStatus_t status = cublasGetMathMode(handle, &mode);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool pedantic = (mode & 0xf) == CUBLAS_PEDANTIC_MATH;
  switch (type) {
    case CUDA_R_32F:
    case CUDA_C_32F:
      *compute = pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_64F:
    case CUDA_C_64F:
      *compute = pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_16F:
      *compute = pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32I:
      *compute = pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
      return CUBLAS_STATUS_SUCCESS;
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, const void* b, cudaDataType type_b, int ldb,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          cudaDataType compute_type, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, compute_type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                      type_c, ldc, compute, algorithm);
}
static inline cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const void* alpha, const void* const a[], cudaDataType type_a, int lda, const void* const b[],
    cudaDataType type_b, int ldb, const void* beta, void* const c[], cudaDataType type_c, int ldc,
    int count, cudaDataType compute_type, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, compute_type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb,
                             beta, c, type_c, ldc, count, compute, algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a,
    const void* b, cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c,
    cudaDataType type_c, int ldc, long long stride_c, int count, cudaDataType compute_type,
    cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, compute_type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, stride_a, b,
                                    type_b, ldb, stride_b, beta, c, type_c, ldc, stride_c, count,
                                    compute, algorithm);
}
#endif
