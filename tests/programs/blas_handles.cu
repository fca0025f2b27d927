// The state of cuBLAS handles, statuses for wrong arguments, streams, capture, and copies of
// vectors and matrices (cuBLAS documentation).
// links: cublas
#include "blas.h"

void held(cublasHandle_t handle) {
  cudaStream_t stream = nullptr, found = nullptr;
  CHECK(cudaStreamCreate(&stream));
  BLAS(cublasSetStream(handle, stream));
  BLAS(cublasGetStream(handle, &found));
  EXPECT(found == stream);
  cublasPointerMode_t pointers;
  BLAS(cublasGetPointerMode(handle, &pointers));
  EXPECT_EQ(pointers, CUBLAS_POINTER_MODE_HOST);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasGetPointerMode(handle, &pointers));
  EXPECT_EQ(pointers, CUBLAS_POINTER_MODE_DEVICE);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  cublasMath_t math;
  BLAS(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  BLAS(cublasGetMathMode(handle, &math));
  EXPECT_EQ(math, CUBLAS_TF32_TENSOR_OP_MATH);
  cublasAtomicsMode_t atomics;
  BLAS(cublasGetAtomicsMode(handle, &atomics));
  EXPECT_EQ(atomics, CUBLAS_ATOMICS_NOT_ALLOWED);
  BLAS(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
  BLAS(cublasGetAtomicsMode(handle, &atomics));
  EXPECT_EQ(atomics, CUBLAS_ATOMICS_ALLOWED);
  int version = 0, major = 0;
  BLAS(cublasGetVersion(handle, &version));
  BLAS(cublasGetProperty(MAJOR_VERSION, &major));
  EXPECT_EQ(version / 10000, major);
  EXPECT_EQ(major, CUBLAS_VER_MAJOR);
  BLAS(cublasSetStream(handle, nullptr));
  BLAS(cublasLoggerConfigure(0, 0, 0, nullptr));
}

void wrong_arguments(cublasHandle_t handle) {
  const float one = 1;
  float* const a = device_array<float>(16);
  const auto gemm = [&](cublasHandle_t h, int op, int m, int lda, int ldc) {
    return cublasSgemm(h, static_cast<cublasOperation_t>(op), CUBLAS_OP_N, m, 4, 4, &one, a, lda, a,
                       4, &one, a, ldc);
  };
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(nullptr, 0, 4, 4, 4), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(gemm(handle, 7, 4, 4, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(handle, 0, -1, 4, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(handle, 0, 4, 3, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(handle, 0, 4, 4, 3), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(handle, 0, 0, 4, 4), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, nullptr, a, 4, a, 4, &one, a, 4),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 4, a, 0, &one, a, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetPointerMode(handle, static_cast<cublasPointerMode_t>(5)),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) ==
         "CUBLAS_STATUS_INVALID_VALUE");
}

void vectors_and_matrices() {
  const std::vector<double> matrix = random_values<double>(7 * 5);
  double* const device = device_array<double>(9 * 5);
  BLAS(cublasSetMatrix(6, 5, sizeof(double), matrix.data(), 7, device, 9));
  std::vector<double> back(8 * 5, -1);
  BLAS(cublasGetMatrix(6, 5, sizeof(double), device, 9, back.data(), 8));
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 8; ++i) EXPECT_EQ(back[i + 8 * j], i < 6 ? matrix[i + 7 * j] : -1);
  }
  BLAS(cublasSetVector(5, sizeof(double), matrix.data(), 7, device, 2));
  BLAS(cublasGetVector(5, sizeof(double), device, 2, back.data(), 3));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(back[3 * i], matrix[7 * i]);
  EXPECT_EQ(cublasSetVector(5, sizeof(double), matrix.data(), 0, device, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetMatrix(6, 5, sizeof(double), matrix.data(), 5, device, 9),
            CUBLAS_STATUS_INVALID_VALUE);
}

// A product is a node of a graph; a result at an address of the host cannot be.
void captured(cublasHandle_t handle) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaStreamCreate(&stream));
  BLAS(cublasSetStream(handle, stream));
  const float one = 1, zero = 0;
  const std::vector<float> a(16, 1);
  float *const da = to_device(a), *const c = to_device(std::vector<float>(16, 0));
  float* const sum = to_device(std::vector<float>(1, 0));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, da, 4, da, 4, &zero, c, 4));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasSdot(handle, 16, c, 1, c, 1, sum));
  CHECK(cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(to_host(c, 16)[5], 0);
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT_EQ(to_host(c, 16)[5], 4);
  EXPECT_EQ(to_host(sum, 1)[0], 16 * 16);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  float here = 0;
  EXPECT(cublasSdot(handle, 16, c, 1, c, 1, &here) != CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  BLAS(cublasSetStream(handle, nullptr));
}

__global__ void wait_and_set(float* values, int cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  values[threadIdx.x] = 2;
}

// In the order of its stream.
void ordered(cublasHandle_t handle) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  BLAS(cublasSetStream(handle, stream));
  float* const x = to_device(std::vector<float>(32, 1));
  wait_and_set<<<1, 32, 0, stream>>>(x, 20000);
  float sum = 0;
  BLAS(cublasSasum(handle, 32, x, 1, &sum));
  EXPECT_EQ(sum, 64);
  BLAS(cublasSetStream(handle, nullptr));
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  held(handle);
  wrong_arguments(handle);
  vectors_and_matrices();
  captured(handle);
  ordered(handle);
  BLAS(cublasDestroy(handle));
  EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  return finish();
}
