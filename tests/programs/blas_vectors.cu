// Functions of cuBLAS for vectors, and for a matrix and vectors, compared with a reference in
// double precision: steps of both signs, both pointer modes, sizes of one block and of many.
// links: cublas
#include "blas.h"

BY_TYPE(axpy, axpy_v2)
BY_TYPE(copy, copy_v2)
BY_TYPE(swap_, swap_v2)
BY_TYPE(scal, scal_v2)
BY_TYPE(dot, dot_v2)
BY_TYPE(gemv, gemv_v2)
BY_TYPE(gemv_strided, gemvStridedBatched)
BY_TYPE(ger, ger_v2)
BY_TYPE(geam, geam)
BY_TYPE(nrm2, nrm2_v2)
BY_TYPE(asum, asum_v2)
inline cublasStatus_t iamax(cublasHandle_t h, int n, const float* x, int s, int* r) {
  return cublasIsamax(h, n, x, s, r);
}
inline cublasStatus_t iamax(cublasHandle_t h, int n, const double* x, int s, int* r) {
  return cublasIdamax(h, n, x, s, r);
}
inline cublasStatus_t iamin(cublasHandle_t h, int n, const float* x, int s, int* r) {
  return cublasIsamin(h, n, x, s, r);
}
inline cublasStatus_t iamin(cublasHandle_t h, int n, const double* x, int s, int* r) {
  return cublasIdamin(h, n, x, s, r);
}

cublasHandle_t handle;

template <typename T>
void elements(int n, int step_x, int step_y) {
  const std::vector<T> x = random_values<T>(room(n, step_x)), y = random_values<T>(room(n, step_y));
  const T alpha = T(1.25);
  T *dx = to_device(x), *dy = to_device(y);
  BLAS(axpy(T(), handle, n, &alpha, static_cast<const T*>(dx), step_x, dy, step_y));
  std::vector<T> expected = y;
  for (int i = 0; i < n; ++i) expected[place(i, n, step_y)] += alpha * x[place(i, n, step_x)];
  std::vector<T> found = to_host(dy, y.size());
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_CLOSE(found[i], expected[i], tolerance<T>(1));

  dy = to_device(y);
  BLAS(copy(T(), handle, n, static_cast<const T*>(dx), step_x, dy, step_y));
  found = to_host(dy, y.size());
  for (int i = 0; i < n; ++i) EXPECT_EQ(found[place(i, n, step_y)], x[place(i, n, step_x)]);

  dy = to_device(y);
  BLAS(swap_(T(), handle, n, dx, step_x, dy, step_y));
  found = to_host(dy, y.size());
  const std::vector<T> other = to_host(dx, x.size());
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(found[place(i, n, step_y)], x[place(i, n, step_x)]);
    EXPECT_EQ(other[place(i, n, step_x)], y[place(i, n, step_y)]);
  }

  dx = to_device(x);
  BLAS(scal(T(), handle, n, &alpha, dx, step_x));
  found = to_host(dx, x.size());
  const T factor = step_x > 0 ? alpha : T(1);  // nothing with a step that is not positive
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(found[place(i, n, step_x)], factor * x[place(i, n, step_x)]);
  }
}

// The result of `call` at an address of the host and of the device.
template <typename R, typename Call>
void both_modes(Call call, double expected, double tolerance, const char* what, int line) {
  R result{};
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  BLAS(call(&result));
  expect_close(static_cast<double>(result), expected, tolerance, what, line);
  R* const there = device_array<R>(1);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(call(there));
  expect_close(static_cast<double>(to_host(there, 1)[0]), expected, tolerance, what, line);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <typename T>
void numbers(int n, int step_x, int step_y) {
  const std::vector<T> x = random_values<T>(room(n, step_x)), y = random_values<T>(room(n, step_y));
  const T *dx = to_device(x), *dy = to_device(y);
  double sum = 0, sizes = 0, squares = 0;
  int largest = 0, smallest = 0;
  for (int i = 0; i < n; ++i) {
    const double one = x[place(i, n, step_x)];
    sum += one * double(y[place(i, n, step_y)]);
    sizes += std::abs(one);
    squares += one * one;
    if (std::abs(one) > std::abs(double(x[place(largest, n, step_x)]))) largest = i;
    if (std::abs(one) < std::abs(double(x[place(smallest, n, step_x)]))) smallest = i;
  }
  both_modes<T>([&](T* r) { return dot(T(), handle, n, dx, step_x, dy, step_y, r); }, sum,
                tolerance<T>(n), "dot", __LINE__);
  const bool none = step_x < 0;  // of one vector: nothing with a step that is not positive
  both_modes<T>([&](T* r) { return asum(T(), handle, n, dx, step_x, r); }, none ? 0 : sizes,
                tolerance<T>(64) * sizes, "asum", __LINE__);
  both_modes<T>([&](T* r) { return nrm2(T(), handle, n, dx, step_x, r); },
                none ? 0 : std::sqrt(squares), tolerance<T>(n), "nrm2", __LINE__);
  both_modes<int>([&](int* r) { return iamax(handle, n, dx, step_x, r); }, none ? 0 : largest + 1,
                  0, "iamax", __LINE__);
  both_modes<int>([&](int* r) { return iamin(handle, n, dx, step_x, r); }, none ? 0 : smallest + 1,
                  0, "iamin", __LINE__);
}

// Norms whose squares overflow or vanish; of what is no number; the lowest index of equal elements.
template <typename T>
void extremes() {
  const T huge = sizeof(T) == 4 ? T(1e30) : T(1e300), tiny = sizeof(T) == 4 ? T(1e-35) : T(1e-300);
  const double relative = sizeof(T) == 4 ? 1e-6 : 1e-14;
  for (const T size : {huge, tiny, T(1)}) {
    const std::vector<T> x(3000, size);
    T norm = 0;
    BLAS(nrm2(T(), handle, 3000, static_cast<const T*>(to_device(x)), 1, &norm));
    EXPECT_CLOSE(norm / size, std::sqrt(3000.0), relative * std::sqrt(3000.0));
  }
  T norm = 0;
  BLAS(
      nrm2(T(), handle, 3, static_cast<const T*>(to_device(std::vector<T>{1, huge, 1})), 1, &norm));
  EXPECT_CLOSE(norm / huge, 1, relative);
  BLAS(nrm2(T(), handle, 2, static_cast<const T*>(to_device(std::vector<T>{1, T(NAN)})), 1, &norm));
  EXPECT(std::isnan(norm));
  BLAS(nrm2(T(), handle, 2, static_cast<const T*>(to_device(std::vector<T>{1, -T(INFINITY)})), 1,
            &norm));
  EXPECT(std::isinf(norm) && norm > 0);
  int index = 0;
  std::vector<T> equal(5000, T(-2));
  equal[0] = 1;
  BLAS(iamax(handle, 5000, static_cast<const T*>(to_device(equal)), 1, &index));
  EXPECT_EQ(index, 2);
  T sum = 7;
  BLAS(dot(T(), handle, 0, static_cast<const T*>(nullptr), 1, static_cast<const T*>(nullptr), 1,
           &sum));
  EXPECT_EQ(sum, 0);
}

template <typename T>
void matrix_by_vector(int m, int n, cublasOperation_t op, int step_x, int step_y, T beta) {
  const int lda = m + 2, of_x = op == CUBLAS_OP_N ? n : m, of_y = op == CUBLAS_OP_N ? m : n;
  const T alpha = T(-0.75);
  const std::vector<T> a = random_values<T>(static_cast<std::size_t>(lda) * n);
  const std::vector<T> x = random_values<T>(room(of_x, step_x));
  std::vector<T> y = random_values<T>(room(of_y, step_y));
  if (beta == 0) std::fill(y.begin(), y.end(), T(NAN));
  T* const dy = to_device(y);
  BLAS(gemv(T(), handle, op, m, n, &alpha, static_cast<const T*>(to_device(a)), lda,
            static_cast<const T*>(to_device(x)), step_x, &beta, dy, step_y));
  const std::vector<T> found = to_host(dy, y.size());
  for (int i = 0; i < of_y; ++i) {
    double sum = 0;
    for (int j = 0; j < of_x; ++j) {
      sum += double(at(a, lda, op, i, j)) * double(x[place(j, of_x, step_x)]);
    }
    sum *= alpha;
    if (beta != 0) sum += double(beta) * double(y[place(i, of_y, step_y)]);
    EXPECT_CLOSE(found[place(i, of_y, step_y)], sum, tolerance<T>(of_x));
  }
}

template <typename T>
void batch_of_matrices_by_vectors() {
  constexpr int kM = 13, kN = 21, kCount = 4;
  const std::vector<T> a = random_values<T>(kM * kN * kCount), x = random_values<T>(kN * kCount);
  const T one = 1, zero = 0;
  T* const y = device_array<T>(kM * kCount);
  BLAS(gemv_strided(T(), handle, CUBLAS_OP_N, kM, kN, &one, static_cast<const T*>(to_device(a)), kM,
                    static_cast<long long>(kM * kN), static_cast<const T*>(to_device(x)), 1,
                    static_cast<long long>(kN), &zero, y, 1, static_cast<long long>(kM), kCount));
  const std::vector<T> found = to_host(y, kM * kCount);
  for (int b = 0; b < kCount; ++b) {
    for (int i = 0; i < kM; ++i) {
      double sum = 0;
      for (int j = 0; j < kN; ++j)
        sum += double(a[b * kM * kN + i + j * kM]) * double(x[b * kN + j]);
      EXPECT_CLOSE(found[b * kM + i], sum, tolerance<T>(kN));
    }
  }
}

template <typename T>
void outer_product(int m, int n, int step_x, int step_y) {
  const int lda = m + 1;
  const T alpha = T(0.5);
  const std::vector<T> a = random_values<T>(static_cast<std::size_t>(lda) * n);
  const std::vector<T> x = random_values<T>(room(m, step_x)), y = random_values<T>(room(n, step_y));
  T* const da = to_device(a);
  BLAS(ger(T(), handle, m, n, &alpha, static_cast<const T*>(to_device(x)), step_x,
           static_cast<const T*>(to_device(y)), step_y, da, lda));
  const std::vector<T> found = to_host(da, a.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const double expected =
          a[i + j * lda] + alpha * double(x[place(i, m, step_x)]) * double(y[place(j, n, step_y)]);
      EXPECT_CLOSE(found[i + j * lda], expected, tolerance<T>(2));
    }
  }
}

template <typename T>
void sum_of_matrices(cublasOperation_t op_a, cublasOperation_t op_b, T beta) {
  constexpr int kM = 37, kN = 18;
  const int lda = op_a == CUBLAS_OP_N ? kM : kN, ldb = op_b == CUBLAS_OP_N ? kM : kN;
  const T alpha = 2;
  const std::vector<T> a = random_values<T>(kM * kN);
  std::vector<T> b = random_values<T>(kM * kN);
  if (beta == 0) std::fill(b.begin(), b.end(), T(NAN));
  T* const c = device_array<T>(kM * kN);
  BLAS(geam(T(), handle, op_a, op_b, kM, kN, &alpha, static_cast<const T*>(to_device(a)), lda,
            &beta, static_cast<const T*>(to_device(b)), ldb, c, kM));
  const std::vector<T> found = to_host(c, kM * kN);
  for (int j = 0; j < kN; ++j) {
    for (int i = 0; i < kM; ++i) {
      double expected = 2 * double(at(a, lda, op_a, i, j));
      if (beta != 0) expected += double(beta) * double(at(b, ldb, op_b, i, j));
      EXPECT_CLOSE(found[i + j * kM], expected, tolerance<T>(2));
    }
  }
}

template <typename T>
void all() {
  for (const int n : {1, 300, 5000}) {
    elements<T>(n, 1, 1);
    elements<T>(n, 2, -3);
    elements<T>(n, -2, 1);
    numbers<T>(n, 1, 1);
    numbers<T>(n, 3, -2);
    numbers<T>(n, -1, 2);
  }
  extremes<T>();
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    matrix_by_vector<T>(70, 45, op, 1, 1, T(0.5));
    matrix_by_vector<T>(5, 130, op, -2, 3, T(0));
    matrix_by_vector<T>(130, 5, op, 2, -1, T(2));
    for (const auto other : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      sum_of_matrices<T>(op, other, T(-1));
      sum_of_matrices<T>(op, other, T(0));
    }
  }
  batch_of_matrices_by_vectors<T>();
  outer_product<T>(20, 33, 1, 1);
  outer_product<T>(33, 20, -2, 3);
}

int main() {
  BLAS(cublasCreate(&handle));
  all<float>();
  all<double>();
  BLAS(cublasDestroy(handle));
  return finish();
}
