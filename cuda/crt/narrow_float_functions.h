// Functions of a 16-bit floating-point type and its pair, included once for each type by the header
// that defines it. That header sets:
//   RADDLE_NARROW, RADDLE_NARROW2             the types
//   RADDLE_FORMAT                             PTX's name of the format
//   RADDLE_EXPONENT_BITS, _FRACTION_BITS      its layout
//   RADDLE_BITS_AS                            function from bits to the type
//   RADDLE_NAME(a, b), RADDLE_NAME2(a, b)     names of conversions: a<type>b
//   RADDLE_TWICE                              name of the function from a value to a pair of it
//   RADDLE_CONVERT_ARCH, _ADD_, _FMA_, _ATOMIC_   first architecture with instructions of its own
// Where there is none, and on the host, one operation is computed in float (fma: in double) and
// rounded: float has more than twice the bits, so that the second rounding changes nothing.

#define RADDLE_HD __host__ __device__ inline

#if defined(__CUDA_ARCH__)
#define RADDLE_HAS(arch) (__CUDA_ARCH__ >= arch)
#else
#define RADDLE_HAS(arch) 0
#endif

#include "narrow_float_conversions.inc"

#include "narrow_float_arithmetic.inc"

#include "narrow_float_pairs.inc"

#include "narrow_float_comparisons.inc"

#if defined(__CUDA__)
#include "narrow_float_device.inc"
#endif

#undef RADDLE_NARROW
#undef RADDLE_NARROW2
#undef RADDLE_FORMAT
#undef RADDLE_EXPONENT_BITS
#undef RADDLE_FRACTION_BITS
#undef RADDLE_BITS_AS
#undef RADDLE_NAME
#undef RADDLE_NAME2
#undef RADDLE_TWICE
#undef RADDLE_CONVERT_ARCH
#undef RADDLE_ADD_ARCH
#undef RADDLE_FMA_ARCH
#undef RADDLE_ATOMIC_ARCH
#undef RADDLE_HD
#undef RADDLE_HAS
