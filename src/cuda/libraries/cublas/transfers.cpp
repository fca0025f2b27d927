// Vectors and matrices between host and device (cuBLAS documentation, "cublasSetVector()" and the
// sections after it).
#include <cstdint>

#include "cuda/libraries/cublas/handle.h"
#include "cuda/runtime/work.h"

using namespace raddle::cublas;

namespace {

struct Rows {
  std::int64_t count, bytes;  // of one row
  std::int64_t to_pitch, from_pitch;
};

/// `kind`: the direction that the program asks for; cuBLAS passes it on to the copy.
cublasStatus_t transfer(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                        bool async, cudaStream_t stream) {
  const cublasStatus_t status = blas(Cost::copy, [&](Runtime& runtime) {
    blas_require(rows.count >= 0 && rows.bytes >= 0);
    if (rows.count == 0 || rows.bytes == 0) return;
    raddle::cuda::CopyWork work;
    work.to = {to, static_cast<std::size_t>(rows.to_pitch), 0};
    work.from = {const_cast<void*>(from), static_cast<std::size_t>(rows.from_pitch), 0};
    const bool packed = rows.to_pitch == rows.bytes && rows.from_pitch == rows.bytes;
    work.width = static_cast<std::size_t>(packed ? rows.bytes * rows.count : rows.bytes);
    work.height = static_cast<std::size_t>(packed ? 1 : rows.count);
    work.kind = kind;
    raddle::cuda::copy(runtime, runtime.stream(stream), work, async);
  });
  return status == CUBLAS_STATUS_EXECUTION_FAILED ? CUBLAS_STATUS_MAPPING_ERROR : status;
}

cublasStatus_t vector(std::int64_t n, std::int64_t bytes, const void* x, std::int64_t incx, void* y,
                      std::int64_t incy, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (incx <= 0 || incy <= 0 || bytes <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return transfer(y, x, {n, bytes, incy * bytes, incx * bytes}, kind, async, stream);
}

cublasStatus_t matrix(std::int64_t rows, std::int64_t columns, std::int64_t bytes, const void* a,
                      std::int64_t lda, void* b, std::int64_t ldb, cudaMemcpyKind kind, bool async,
                      cudaStream_t stream) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return transfer(b, a, {columns, rows * bytes, ldb * bytes, lda * bytes}, kind, async, stream);
}

}  // namespace

#define RADDLE_TRANSFERS(suffix, Index)                                                          \
  cublasStatus_t cublasSetVector##suffix(Index n, Index bytes, const void* x, Index incx,        \
                                         void* device, Index incy) {                             \
    return vector(n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice, false, nullptr);      \
  }                                                                                              \
  cublasStatus_t cublasGetVector##suffix(Index n, Index bytes, const void* device, Index incx,   \
                                         void* y, Index incy) {                                  \
    return vector(n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost, false, nullptr);      \
  }                                                                                              \
  cublasStatus_t cublasSetMatrix##suffix(Index rows, Index columns, Index bytes, const void* a,  \
                                         Index lda, void* device, Index ldb) {                   \
    return matrix(rows, columns, bytes, a, lda, device, ldb, cudaMemcpyHostToDevice, false,      \
                  nullptr);                                                                      \
  }                                                                                              \
  cublasStatus_t cublasGetMatrix##suffix(Index rows, Index columns, Index bytes,                 \
                                         const void* device, Index lda, void* b, Index ldb) {    \
    return matrix(rows, columns, bytes, device, lda, b, ldb, cudaMemcpyDeviceToHost, false,      \
                  nullptr);                                                                      \
  }                                                                                              \
  cublasStatus_t cublasSetVectorAsync##suffix(Index n, Index bytes, const void* x, Index incx,   \
                                              void* device, Index incy, cudaStream_t stream) {   \
    return vector(n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice, true, stream);        \
  }                                                                                              \
  cublasStatus_t cublasGetVectorAsync##suffix(Index n, Index bytes, const void* device,          \
                                              Index incx, void* y, Index incy,                   \
                                              cudaStream_t stream) {                             \
    return vector(n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost, true, stream);        \
  }                                                                                              \
  cublasStatus_t cublasSetMatrixAsync##suffix(Index rows, Index columns, Index bytes,            \
                                              const void* a, Index lda, void* device, Index ldb, \
                                              cudaStream_t stream) {                             \
    return matrix(rows, columns, bytes, a, lda, device, ldb, cudaMemcpyHostToDevice, true,       \
                  stream);                                                                       \
  }                                                                                              \
  cublasStatus_t cublasGetMatrixAsync##suffix(Index rows, Index columns, Index bytes,            \
                                              const void* device, Index lda, void* b, Index ldb, \
                                              cudaStream_t stream) {                             \
    return matrix(rows, columns, bytes, device, lda, b, ldb, cudaMemcpyDeviceToHost, true,       \
                  stream);                                                                       \
  }
RADDLE_TRANSFERS(, int)
RADDLE_TRANSFERS(_64, std::int64_t)
