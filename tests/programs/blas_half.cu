// Matrix products of cuBLAS in half precision and bfloat16, compared with sums in double precision
// of the same elements: by cublasGemmEx and its batches, and by cublasHgemm and its batches (cuBLAS
// documentation, "cublasGemmEx()": its table of types).
// links: cublas
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "blas.h"

cublasHandle_t handle;

template <typename T>
struct Named;
template <>
struct Named<__half> {
  static constexpr cudaDataType value = CUDA_R_16F;
  static constexpr double rounding = 1.0 / 2048;  // of a result: half a unit of 11 bits
};
template <>
struct Named<__nv_bfloat16> {
  static constexpr cudaDataType value = CUDA_R_16BF;
  static constexpr double rounding = 1.0 / 256;
};
template <>
struct Named<float> {
  static constexpr cudaDataType value = CUDA_R_32F;
  static constexpr double rounding = 0;
};

float number(float x) { return x; }
float number(__half x) { return __half2float(x); }
float number(__nv_bfloat16 x) { return __bfloat162float(x); }
void set(float& x, float to) { x = to; }
void set(__half& x, float to) { x = __float2half(to); }
void set(__nv_bfloat16& x, float to) { x = __float2bfloat16(to); }

template <typename T>
std::vector<T> rounded_values(std::size_t count) {
  const std::vector<float> exact = random_values<float>(count);
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) set(all[i], exact[i]);
  return all;
}

template <typename In, typename Out>
struct Product {
  int m, n, k, extra;
  cublasOperation_t op_a, op_b;
  float alpha, beta;
  int lda = (op_a == CUBLAS_OP_N ? m : k) + extra, ldb = (op_b == CUBLAS_OP_N ? k : n) + extra;
  int ldc = m + extra;
  std::vector<In> a = rounded_values<In>(std::size_t(lda) * (op_a == CUBLAS_OP_N ? k : m));
  std::vector<In> b = rounded_values<In>(std::size_t(ldb) * (op_b == CUBLAS_OP_N ? n : k));
  std::vector<Out> c = rounded_values<Out>(std::size_t(ldc) * n);

  void check(const std::vector<Out>& found, int line) const {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < ldc; ++i) {
        const std::size_t here = i + std::size_t(j) * ldc;
        if (i >= m) {
          expect_equal(number(found[here]), number(c[here]), "what lies between columns", line, i);
          continue;
        }
        double sum = 0;
        for (int l = 0; l < k; ++l) {
          sum += double(number(at(a, lda, op_a, i, l))) * double(number(at(b, ldb, op_b, l, j)));
        }
        sum *= alpha;
        if (beta != 0) sum += double(beta) * double(number(c[here]));
        const double room = tolerance<float>(k) + Named<Out>::rounding * std::fabs(sum);
        expect_close(number(found[here]), sum, room, "an element of C", line);
      }
    }
  }
};

const float* to_scalar(float value, bool on_device) {
  static std::vector<float> kept;
  if (on_device) return to_device(std::vector<float>{value});
  kept.reserve(1000);
  kept.push_back(value);
  return &kept.back();
}

template <typename In, typename Out>
void by_types(const Product<In, Out>& of, bool device_scalars) {
  BLAS(cublasSetPointerMode(
      handle, device_scalars ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
  Out* const c = to_device(of.c);
  BLAS(cublasGemmEx(handle, of.op_a, of.op_b, of.m, of.n, of.k, to_scalar(of.alpha, device_scalars),
                    to_device(of.a), Named<In>::value, of.lda, to_device(of.b), Named<In>::value,
                    of.ldb, to_scalar(of.beta, device_scalars), c, Named<Out>::value, of.ldc,
                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  of.check(to_host(c, of.c.size()), __LINE__);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <typename In, typename Out>
void all_of() {
  const cublasOperation_t n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  by_types(Product<In, Out>{1, 1, 1, 0, n, n, 1, 1}, false);
  by_types(Product<In, Out>{17, 33, 5, 3, t, n, 1.5f, -0.5f}, true);
  by_types(Product<In, Out>{64, 64, 16, 0, n, t, 1, 0}, false);
  by_types(Product<In, Out>{65, 40, 33, 1, t, t, 0.3f, 2}, false);
  by_types(Product<In, Out>{300, 200, 20, 1, n, n, 1, 1}, true);  // large tiles
  // A beta of 0 takes no notice of what is in C.
  Product<In, Out> fresh{20, 30, 10, 0, n, n, 1, 0};
  for (Out& one : fresh.c) set(one, NAN);
  by_types(fresh, false);
}

// Elements and scalars of half precision.
void halves() {
  const Product<__half, __half> of{33, 20, 12, 1, CUBLAS_OP_T, CUBLAS_OP_N, 1.5f, 0.5f};
  const __half scalars[] = {__float2half(of.alpha), __float2half(of.beta)};
  const __half* const on_device = to_device(std::vector<__half>{scalars[0], scalars[1]});
  const __half *const a = to_device(of.a), *const b = to_device(of.b);
  for (const __half* at : {scalars, on_device}) {
    BLAS(cublasSetPointerMode(
        handle, at == on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
    __half* c = to_device(of.c);
    BLAS(cublasHgemm(handle, of.op_a, of.op_b, of.m, of.n, of.k, at, a, of.lda, b, of.ldb, at + 1,
                     c, of.ldc));
    of.check(to_host(c, of.c.size()), __LINE__);
    c = to_device(of.c);
    BLAS(cublasGemmEx(handle, of.op_a, of.op_b, of.m, of.n, of.k, at, a, CUDA_R_16F, of.lda, b,
                      CUDA_R_16F, of.ldb, at + 1, c, CUDA_R_16F, of.ldc, CUBLAS_COMPUTE_16F,
                      CUBLAS_GEMM_DEFAULT));
    of.check(to_host(c, of.c.size()), __LINE__);
  }
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

// Two members, of which the second is the first again.
void batches() {
  const Product<__half, __half> of{19, 23, 11, 1, CUBLAS_OP_T, CUBLAS_OP_N, 0.5f, 2};
  const __half alpha = __float2half(of.alpha), beta = __float2half(of.beta);
  const __half *const a = to_device(of.a), *const b = to_device(of.b);
  std::vector<__half> twice = of.c;
  twice.insert(twice.end(), of.c.begin(), of.c.end());
  const auto size = static_cast<long long>(of.c.size());
  const __half* const* const list_a = to_device(std::vector<const __half*>{a, a});
  const __half* const* const list_b = to_device(std::vector<const __half*>{b, b});
  for (int way = 0; way < 4; ++way) {
    __half* const c = to_device(twice);
    __half* const* const list_c = to_device(std::vector<__half*>{c, c + size});
    if (way == 0) {
      BLAS(cublasHgemmStridedBatched(handle, of.op_a, of.op_b, of.m, of.n, of.k, &alpha, a, of.lda,
                                     0, b, of.ldb, 0, &beta, c, of.ldc, size, 2));
    } else if (way == 1) {
      BLAS(cublasHgemmBatched(handle, of.op_a, of.op_b, of.m, of.n, of.k, &alpha, list_a, of.lda,
                              list_b, of.ldb, &beta, list_c, of.ldc, 2));
    } else if (way == 2) {
      BLAS(cublasGemmStridedBatchedEx(handle, of.op_a, of.op_b, of.m, of.n, of.k, &of.alpha, a,
                                      CUDA_R_16F, of.lda, 0, b, CUDA_R_16F, of.ldb, 0, &of.beta, c,
                                      CUDA_R_16F, of.ldc, size, 2, CUBLAS_COMPUTE_32F,
                                      CUBLAS_GEMM_DEFAULT));
    } else {
      BLAS(cublasGemmBatchedEx(handle, of.op_a, of.op_b, of.m, of.n, of.k, &of.alpha,
                               reinterpret_cast<const void* const*>(list_a), CUDA_R_16F, of.lda,
                               reinterpret_cast<const void* const*>(list_b), CUDA_R_16F, of.ldb,
                               &of.beta, reinterpret_cast<void* const*>(list_c), CUDA_R_16F, of.ldc,
                               2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    }
    const std::vector<__half> found = to_host(c, twice.size());
    of.check({found.begin(), found.begin() + size}, __LINE__);
    of.check({found.begin() + size, found.end()}, __LINE__);
  }
}

// A product of 1 x 1 is rounded once, to nearest even (IEEE 754); beyond the largest number it is
// infinite, and a NaN stays one.
template <typename T>
void rounded_once(float a, float b, float expected) {
  T one, other, zero;
  set(one, a);
  set(other, b);
  set(zero, 0);
  T* const c = to_device(std::vector<T>{zero});
  const float alpha = 1, beta = 0;
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha,
                    to_device(std::vector<T>{one}), Named<T>::value, 1,
                    to_device(std::vector<T>{other}), Named<T>::value, 1, &beta, c, Named<T>::value,
                    1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  const float found = number(to_host(c, 1)[0]);
  EXPECT(found == expected || (std::isnan(found) && std::isnan(expected)));
}

int main() {
  BLAS(cublasCreate(&handle));
  all_of<__half, __half>();
  all_of<__half, float>();
  all_of<__nv_bfloat16, __nv_bfloat16>();
  all_of<__nv_bfloat16, float>();
  halves();
  batches();
  rounded_once<__half>(2049.0f / 2048 * 2, 1, 2);  // not a half: 2 is nearest
  rounded_once<__half>(1 + 1.0f / 1024, 1 + 1.0f / 1024, 1 + 2.0f / 1024);
  rounded_once<__half>(65504, 2, INFINITY);
  rounded_once<__half>(1.0f / 16384, 1.0f / 1024, 1.0f / 16777216);  // the smallest subnormal
  rounded_once<__half>(NAN, 1, NAN);
  rounded_once<__nv_bfloat16>(1 + 1.0f / 128, 1.5f, 1.5f + 1.0f / 64);  // a tie, to the even one
  rounded_once<__nv_bfloat16>(1 + 1.0f / 128, 1 + 1.0f / 128, 1 + 2.0f / 128);
  rounded_once<__nv_bfloat16>(3e38f, 2, INFINITY);
  rounded_once<__nv_bfloat16>(NAN, 1, NAN);
  BLAS(cublasDestroy(handle));
  return finish();
}
