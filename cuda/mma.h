// Warp matrix functions (CUDA C++ Programming Guide, "Warp Matrix Functions"): nvcuda::wmma.
// A fragment's elements are the registers of PTX's wmma instructions, in their order.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include "crt/library_begin.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
struct tf32 {};
}  // namespace precision

namespace experimental {
namespace precision {
using wmma::precision::b1;
using wmma::precision::s4;
using wmma::precision::u4;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment;

/// `stored` words hold `elements` elements: fewer words than elements for types of less than a
/// byte.
template <typename T, typename Stored, int elements, int stored>
struct __fragment_elements {
  enum { num_elements = elements, num_storage_elements = stored };
  typedef T element_type;
  typedef Stored storage_element_type;
  Stored x[stored];
};

__device__ inline float __float_to_tf32(float value) {
  int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __builtin_bit_cast(float, bits);
}

template <typename Use, int m, int n, int k, typename T, typename Layout, typename Value>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; ++i) f.x[i] = value;
}

#include "crt/mma_functions.inc"

}  // namespace wmma
}  // namespace nvcuda

#include "crt/library_end.h"
