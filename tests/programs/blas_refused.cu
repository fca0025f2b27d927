// Unsupported functions of NVIDIA's libraries return a status that says so. Those of cuBLAS can be
// called besides supported ones.
// links: cublas
#include "blas.h"

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  const float one = 1;
  const cuComplex complex_one = {1, 0};
  float* const a = to_device(std::vector<float>(16, 1));
  EXPECT_EQ(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4, &one, a, 4, &one, a, 4),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasCscal(handle, 4, &complex_one, reinterpret_cast<cuComplex*>(a), 1),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(
      cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, CUDA_R_8I, 4, a, CUDA_R_8I,
                   4, &one, a, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cudaGetLastError());
  float sum = 0;
  BLAS(cublasSasum(handle, 16, a, 1, &sum));
  EXPECT_EQ(sum, 16);
  BLAS(cublasDestroy(handle));
  return finish();
}
