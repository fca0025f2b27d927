// The parameters of our cuBLAS kernels: one structure for each kernel, the same on host and device.
// Matrices are column-major, as in BLAS. Every pointer is a device address, or one that the device
// can read.
#pragma once

namespace raddle::cublas {

/// Numbers of 16 bits, as bit patterns: IEEE 754's binary16, and the upper half of a float.
enum class Half : unsigned short {};
enum class Bfloat16 : unsigned short {};

/// alpha or beta: at an address of the device (CUBLAS_POINTER_MODE_DEVICE), or `value`.
template <class T>
struct Scalar {
  const T* at = nullptr;
  T value = {};
};

/// One matrix or vector for each member of a batch. The first one is at `first`, and each next one
/// `stride` elements further. With `listed`, `first` is an array of addresses in device memory.
template <class T>
struct Batch {
  T* first = nullptr;
  long long stride = 0;
  int listed = 0;
  long long leading = 0;  // elements from column to column, or from element to element
  long long offset = 0;   // elements from the address to the first one used
};

/// C = alpha * op(A) * op(B) + beta * C: op(A) is m x k, op(B) k x n. If alpha is 0, A and B are
/// not read; if beta is 0, C is not read. A and B have elements In, C has Out, and the scalars are
/// S. Sums are float, or double for double.
template <class In, class S = In, class Out = In>
struct Gemm {
  int m = 0, n = 0, k = 0;
  int transpose_a = 0, transpose_b = 0;
  // The first tile and batch member of a launch: one grid may be too small for the whole problem.
  long long first_tile = 0;
  int first_member = 0;
  Scalar<S> alpha, beta;
  Batch<const In> a, b;
  Batch<Out> c;
};

/// y = alpha * op(A) * x + beta * y: A is m x n.
template <class T>
struct Gemv {
  int m = 0, n = 0;
  int transpose = 0;
  int batches = 1;
  Scalar<T> alpha, beta;
  Batch<const T> a, x;
  Batch<T> y;
};

/// A = alpha * x * y' + A: A is m x n.
template <class T>
struct Ger {
  int m = 0, n = 0;
  Scalar<T> alpha;
  const T *x = nullptr, *y = nullptr;
  long long step_x = 0, step_y = 0, leading = 0;
  T* a = nullptr;
};

/// C = alpha * op(A) + beta * op(B): C is m x n, and may be A or B. If alpha is 0, A is not read;
/// if beta is 0, B is not read.
template <class T>
struct Geam {
  int m = 0, n = 0;
  int transpose_a = 0, transpose_b = 0;
  Scalar<T> alpha, beta;
  const T *a = nullptr, *b = nullptr;
  long long leading_a = 0, leading_b = 0, leading_c = 0;
  T* c = nullptr;
};

/// With a triangular A, of which only one half is read, without its diagonal if `unit`. Either
/// solves op(A) * X = alpha * B (`right`: X * op(A) = alpha * B) for X, in place of B, or computes
/// C = alpha * op(A) * B (`right`: alpha * B * op(A)), where C may be B. B is m x n. If alpha is 0,
/// A and B are not read.
template <class T>
struct Triangle {
  int m = 0, n = 0;
  int right = 0, lower = 0, transpose = 0, unit = 0;
  int batches = 1;
  Scalar<T> alpha;
  Batch<const T> a, b;
  Batch<T> c;  // X, or C
};

/// Two vectors of n elements: element i of x is x[i * step_x]. With a negative step, element 0 is
/// the vector's last in memory.
template <class T>
struct Vectors {
  long long n = 0;
  Scalar<T> alpha;
  T *x = nullptr, *y = nullptr;
  long long step_x = 0, step_y = 0;
};

/// A number computed from one or two vectors. Each block writes its part to `parts`, and the second
/// kernel makes the result of them; a single block makes the result at once.
template <class T>
struct Reduction {
  long long n = 0;
  const T *x = nullptr, *y = nullptr;
  long long step_x = 0, step_y = 0;
  void* parts = nullptr;
  int blocks = 1;  // of the first kernel
  void* result = nullptr;
  int wide = 0;  // an index has 64 bits instead of 32
};

/// Threads of every block.
inline constexpr int kThreads = 256;
/// Rows and columns of C that a block of gemm makes.
inline constexpr int kTile = 64, kSmallTile = 16;
/// Rows of y that a block of gemv makes: with A as it is, and with A transposed.
inline constexpr int kGemvRows = 32, kGemvColumns = 8;
/// Maximum of blocks of a reduction, and bytes of a part.
inline constexpr int kReductionBlocks = 256, kPartBytes = 32;

}  // namespace raddle::cublas
