// Triangular systems and products of cuBLAS, compared with their definition in double precision:
// every side, half, operation and diagonal, vectors of one block and longer ones, in place and not.
// links: cublas
#include "blas.h"

BY_TYPE(trsm, trsm_v2)
BY_TYPE(trsm_batched, trsmBatched)
BY_TYPE(trmm, trmm_v2)

cublasHandle_t handle;

struct Shape {
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t op;
  cublasDiagType_t diagonal;
  int m, n;
  int order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
};

// Element (row, column) of the triangular matrix that op(A) stands for.
template <typename T>
double element(const Shape& s, const std::vector<T>& a, int lda, int row, int column) {
  if (s.op != CUBLAS_OP_N) std::swap(row, column);
  if (row == column)
    return s.diagonal == CUBLAS_DIAG_UNIT ? 1 : double(a[row + std::size_t(row) * lda]);
  const bool lower = s.fill == CUBLAS_FILL_MODE_LOWER;
  return (row > column) == lower ? double(a[row + std::size_t(column) * lda]) : 0;
}

// Element (row, column) of op(A) * X, or X * op(A).
template <typename T>
double product(const Shape& s, const std::vector<T>& a, int lda, const std::vector<T>& x, int ldx,
               int row, int column) {
  double sum = 0;
  for (int k = 0; k < s.order(); ++k) {
    sum += s.side == CUBLAS_SIDE_LEFT
               ? element(s, a, lda, row, k) * double(x[k + std::size_t(column) * ldx])
               : double(x[row + std::size_t(k) * ldx]) * element(s, a, lda, k, column);
  }
  return sum;
}

// With a diagonal by which solutions stay small. What is not to be read is no number.
template <typename T>
std::vector<T> triangular(const Shape& s, int lda) {
  std::vector<T> a = random_values<T>(std::size_t(lda) * s.order());
  for (int j = 0; j < s.order(); ++j) {
    for (int i = 0; i < lda; ++i) {
      T& one = a[i + std::size_t(j) * lda];
      const bool other = s.fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j;
      if (i >= s.order() || other || (i == j && s.diagonal == CUBLAS_DIAG_UNIT))
        one = T(NAN);
      else if (i == j)
        one = T(2) + one / 2;
      else
        one /= T(s.order());
    }
  }
  return a;
}

template <typename T>
void one_shape(const Shape& s) {
  const int lda = s.order() + 2, ldb = s.m + 1, ldc = s.m + 3;
  const T alpha = T(1.5);
  const std::vector<T> a = triangular<T>(s, lda), b = random_values<T>(std::size_t(ldb) * s.n);
  const T* const da = to_device(a);

  T* const dx = to_device(b);
  BLAS(trsm(T(), handle, s.side, s.fill, s.op, s.diagonal, s.m, s.n, &alpha, da, lda, dx, ldb));
  const std::vector<T> x = to_host(dx, b.size());
  T* const dc = device_array<T>(std::size_t(ldc) * s.n);
  BLAS(trmm(T(), handle, s.side, s.fill, s.op, s.diagonal, s.m, s.n, &alpha, da, lda,
            static_cast<const T*>(to_device(b)), ldb, dc, ldc));
  const std::vector<T> c = to_host(dc, std::size_t(ldc) * s.n);
  T* const di = to_device(b);
  BLAS(trmm(T(), handle, s.side, s.fill, s.op, s.diagonal, s.m, s.n, &alpha, da, lda,
            static_cast<const T*>(di), ldb, di, ldb));
  const std::vector<T> in_place = to_host(di, b.size());
  for (int j = 0; j < s.n; ++j) {
    for (int i = 0; i < s.m; ++i) {
      const std::size_t at = i + std::size_t(j) * ldb;
      EXPECT_CLOSE(product(s, a, lda, x, ldb, i, j), double(alpha) * double(b[at]),
                   tolerance<T>(8 * s.order()));
      const double expected = double(alpha) * product(s, a, lda, b, ldb, i, j);
      EXPECT_CLOSE(c[i + std::size_t(j) * ldc], expected, tolerance<T>(s.order()));
      EXPECT_EQ(in_place[at], c[i + std::size_t(j) * ldc]);
    }
    EXPECT_EQ(x[s.m + std::size_t(j) * ldb], b[s.m + std::size_t(j) * ldb]);  // beside the matrix
  }
}

// Systems of a batch, by the addresses of their matrices.
template <typename T>
void batch() {
  constexpr int kCount = 5;
  const Shape s{CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 6, 4};
  std::vector<std::vector<T>> a, b;
  std::vector<const T*> at_a;
  std::vector<T*> at_b;
  for (int k = 0; k < kCount; ++k) {
    a.push_back(triangular<T>(s, s.m));
    b.push_back(random_values<T>(s.m * s.n));
    at_a.push_back(to_device(a.back()));
    at_b.push_back(to_device(b.back()));
  }
  const T alpha = 2;
  BLAS(trsm_batched(T(), handle, s.side, s.fill, s.op, s.diagonal, s.m, s.n, &alpha,
                    static_cast<const T* const*>(to_device(at_a)), s.m,
                    static_cast<T* const*>(to_device(at_b)), s.m, kCount));
  for (int k = 0; k < kCount; ++k) {
    const std::vector<T> x = to_host(at_b[k], b[k].size());
    for (int j = 0; j < s.n; ++j) {
      for (int i = 0; i < s.m; ++i)
        EXPECT_CLOSE(product(s, a[k], s.m, x, s.m, i, j), 2 * double(b[k][i + j * s.m]),
                     tolerance<T>(50));
    }
  }
}

// An alpha of 0 sets everything to 0 and reads nothing; wrong arguments are refused.
template <typename T>
void edges() {
  const T zero = 0;
  T* const b = to_device(std::vector<T>(12, T(NAN)));
  const T* const none = nullptr;
  BLAS(trsm(T(), handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 3,
            4, &zero, none, 3, b, 3));
  for (const T one : to_host(b, 12)) EXPECT_EQ(one, 0);
  const auto status = [&](int m, int lda, int ldb, int side, int fill) {
    return trsm(T(), handle, static_cast<cublasSideMode_t>(side),
                static_cast<cublasFillMode_t>(fill), CUBLAS_OP_N, CUBLAS_DIAG_UNIT, m, 4, &zero,
                none, lda, b, ldb);
  };
  EXPECT_EQ(status(3, 2, 3, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(status(3, 3, 3, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(status(3, 4, 3, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(status(3, 3, 2, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(status(-1, 3, 3, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(status(3, 3, 3, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_FULL), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(status(0, 1, 1, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER), CUBLAS_STATUS_SUCCESS);
}

template <typename T>
void all() {
  for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
    for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
      for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        for (const auto diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT})
          one_shape<T>({side, fill, op, diagonal, 9, 13});
      }
    }
  }
  one_shape<T>(
      {CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 300, 3});
  one_shape<T>(
      {CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 300});
  one_shape<T>({CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 1, 1});
  batch<T>();
  edges<T>();
}

int main() {
  BLAS(cublasCreate(&handle));
  all<float>();
  all<double>();
  BLAS(cublasDestroy(handle));
  return finish();
}
