// Matrix products of cuBLAS, compared with a reference in double precision: transposes, leading
// dimensions, alpha and beta of 0, both pointer modes, batches, and the functions with type
// arguments.
// links: cublas
#include "blas.h"

// With _v2, which is a function where the name without is a macro.
BY_TYPE(gemm, gemm_v2)
BY_TYPE(gemm_batched, gemmBatched)
BY_TYPE(gemm_strided, gemmStridedBatched)

cublasHandle_t handle;
const cublasOperation_t kOps[] = {CUBLAS_OP_N, CUBLAS_OP_T};

struct Shape {
  int m, n, k, extra;  // `extra` rows beyond each matrix's
};

template <typename T>
struct Problem {
  Shape shape;
  cublasOperation_t op_a, op_b;
  T alpha, beta;
  int lda, ldb, ldc;
  std::vector<T> a, b, c;

  Problem(Shape s, cublasOperation_t oa, cublasOperation_t ob, T al, T be)
      : shape(s),
        op_a(oa),
        op_b(ob),
        alpha(al),
        beta(be),
        lda((oa == CUBLAS_OP_N ? s.m : s.k) + s.extra),
        ldb((ob == CUBLAS_OP_N ? s.k : s.n) + s.extra),
        ldc(s.m + s.extra),
        a(random_values<T>(static_cast<std::size_t>(lda) * (oa == CUBLAS_OP_N ? s.k : s.m))),
        b(random_values<T>(static_cast<std::size_t>(ldb) * (ob == CUBLAS_OP_N ? s.n : s.k))),
        c(random_values<T>(static_cast<std::size_t>(ldc) * s.n)) {}

  void check(const std::vector<T>& found, int line) const {
    for (int j = 0; j < shape.n; ++j) {
      for (int i = 0; i < ldc; ++i) {
        const std::size_t here = i + static_cast<std::size_t>(j) * ldc;
        if (i >= shape.m) {
          expect_equal(found[here], c[here], "what lies between columns", line, i);
          continue;
        }
        double sum = 0;
        for (int l = 0; l < shape.k; ++l) {
          sum += double(at(a, lda, op_a, i, l)) * double(at(b, ldb, op_b, l, j));
        }
        sum *= alpha;
        if (beta != 0) sum += double(beta) * double(c[here]);
        expect_close(found[here], sum, tolerance<T>(shape.k), "an element of C", line);
      }
    }
  }
};

template <typename T>
void product(const Problem<T>& of, bool device_scalars) {
  T *a = to_device(of.a), *b = to_device(of.b), *c = to_device(of.c);
  const T *alpha = &of.alpha, *beta = &of.beta;
  if (device_scalars) {
    alpha = to_device(std::vector<T>{of.alpha});
    beta = to_device(std::vector<T>{of.beta});
  }
  BLAS(cublasSetPointerMode(
      handle, device_scalars ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
  BLAS(gemm(T(), handle, of.op_a, of.op_b, of.shape.m, of.shape.n, of.shape.k, alpha,
            static_cast<const T*>(a), of.lda, static_cast<const T*>(b), of.ldb, beta, c, of.ldc));
  of.check(to_host(c, of.c.size()), __LINE__);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <typename T>
void products() {
  const Shape shapes[] = {{1, 1, 1, 0},    {17, 33, 5, 3},  {64, 64, 16, 0}, {65, 130, 33, 1},
                          {3, 200, 70, 2}, {200, 3, 70, 0}, {5, 7, 0, 1}};
  bool device_scalars = false;
  for (const Shape& shape : shapes) {
    for (const auto op_a : kOps) {
      for (const auto op_b : kOps) {
        product(Problem<T>(shape, op_a, op_b, T(1.5), T(-0.5)), device_scalars);
        device_scalars = !device_scalars;
      }
    }
  }
  // Of real numbers, conjugates are what they are.
  product(Problem<T>({17, 9, 12, 0}, CUBLAS_OP_C, CUBLAS_OP_C, T(2), T(1)), false);
  // Enough tiles for the kernel of large ones on a small GPU.
  product(Problem<T>({300, 200, 40, 1}, CUBLAS_OP_N, CUBLAS_OP_T, T(1), T(1)), false);
  product(Problem<T>({300, 200, 40, 1}, CUBLAS_OP_T, CUBLAS_OP_N, T(1), T(0)), true);
}

// C is not read with a beta of 0, A and B are not with an alpha of 0.
template <typename T>
void zeros(bool device_scalars) {
  Problem<T> of({20, 30, 10, 0}, CUBLAS_OP_N, CUBLAS_OP_N, T(1), T(0));
  const std::vector<T> good = of.c;
  std::fill(of.c.begin(), of.c.end(), T(NAN));
  product(of, device_scalars);
  of.c = good;
  of.alpha = 0;
  of.beta = 2;
  std::fill(of.a.begin(), of.a.end(), T(NAN));
  T *a = to_device(of.a), *c = to_device(of.c);
  BLAS(gemm(T(), handle, of.op_a, of.op_b, 20, 30, 10, &of.alpha, static_cast<const T*>(a), 20,
            static_cast<const T*>(a), 20, &of.beta, c, 20));
  const std::vector<T> found = to_host(c, of.c.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ_AT(i, found[i], 2 * good[i]);
}

template <typename T>
void batches() {
  constexpr int kCount = 5;
  const Shape shape{19, 23, 11, 1};
  std::vector<Problem<T>> all;
  for (int i = 0; i < kCount; ++i) {
    all.emplace_back(shape, CUBLAS_OP_T, CUBLAS_OP_N, T(0.5), T(2));
  }
  std::vector<T> a, b, c;
  std::vector<const T*> list_a, list_b;
  std::vector<T*> list_c;
  for (const Problem<T>& one : all) {
    a.insert(a.end(), one.a.begin(), one.a.end());
    b.insert(b.end(), one.b.begin(), one.b.end());
    c.insert(c.end(), one.c.begin(), one.c.end());
    list_a.push_back(to_device(one.a));
    list_b.push_back(to_device(one.b));
    list_c.push_back(to_device(one.c));
  }
  const Problem<T>& first = all.front();
  const auto stride = [](const std::vector<T>& of) { return static_cast<long long>(of.size()); };
  T* const strided = to_device(c);
  BLAS(gemm_strided(T(), handle, first.op_a, first.op_b, shape.m, shape.n, shape.k, &first.alpha,
                    static_cast<const T*>(to_device(a)), first.lda, stride(first.a),
                    static_cast<const T*>(to_device(b)), first.ldb, stride(first.b), &first.beta,
                    strided, first.ldc, stride(first.c), kCount));
  const std::vector<T> found = to_host(strided, c.size());
  BLAS(gemm_batched(T(), handle, first.op_a, first.op_b, shape.m, shape.n, shape.k, &first.alpha,
                    static_cast<const T* const*>(to_device(list_a)), first.lda,
                    static_cast<const T* const*>(to_device(list_b)), first.ldb, &first.beta,
                    static_cast<T* const*>(to_device(list_c)), first.ldc, kCount));
  for (int i = 0; i < kCount; ++i) {
    const std::size_t size = all[i].c.size();
    all[i].check({found.begin() + i * size, found.begin() + (i + 1) * size}, __LINE__);
    all[i].check(to_host(list_c[i], size), __LINE__);
  }
}

void named_types() {
  const Problem<float> single({33, 20, 12, 1}, CUBLAS_OP_N, CUBLAS_OP_T, 1.5f, 0.5f);
  float* c = to_device(single.c);
  BLAS(cublasGemmEx(handle, single.op_a, single.op_b, 33, 20, 12, &single.alpha,
                    to_device(single.a), CUDA_R_32F, single.lda, to_device(single.b), CUDA_R_32F,
                    single.ldb, &single.beta, c, CUDA_R_32F, single.ldc, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT));
  single.check(to_host(c, single.c.size()), __LINE__);
  const Problem<double> twice({33, 20, 12, 1}, CUBLAS_OP_N, CUBLAS_OP_T, 1.5, 0.5);
  double* d = to_device(twice.c);
  BLAS(cublasGemmStridedBatchedEx(handle, twice.op_a, twice.op_b, 33, 20, 12, &twice.alpha,
                                  to_device(twice.a), CUDA_R_64F, twice.lda, 0, to_device(twice.b),
                                  CUDA_R_64F, twice.ldb, 0, &twice.beta, d, CUDA_R_64F, twice.ldc,
                                  0, 1, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT));
  twice.check(to_host(d, twice.c.size()), __LINE__);
}

int main() {
  BLAS(cublasCreate(&handle));
  products<float>();
  products<double>();
  for (const bool device_scalars : {false, true}) {
    zeros<float>(device_scalars);
    zeros<double>(device_scalars);
  }
  batches<float>();
  batches<double>();
  named_types();
  BLAS(cublasDestroy(handle));
  return finish();
}
