// Texel types of textures and surfaces: what an instruction gives for each, and its conversion.
#pragma once

#include "../vector_types.h"

namespace raddle_textures {

/// `Fetched` is the vector that tex instructions give; from() takes what T has of it.
template <class T>
struct Texel;

#define RADDLE_TEXEL_SCALAR(type, fetched)                                                  \
  template <>                                                                               \
  struct Texel<type> {                                                                      \
    using Fetched = fetched;                                                                \
    static __device__ inline type from(const fetched& v) { return static_cast<type>(v.x); } \
  };
#define RADDLE_TEXEL_VECTORS(vector, scalar, fetched)                                       \
  template <>                                                                               \
  struct Texel<vector##1> {                                                                 \
    using Fetched = fetched;                                                                \
    static __device__ inline vector##1 from(const fetched& v) {                             \
      return {static_cast<scalar>(v.x)};                                                    \
    }                                                                                       \
  };                                                                                        \
  template <>                                                                               \
  struct Texel<vector##2> {                                                                 \
    using Fetched = fetched;                                                                \
    static __device__ inline vector##2 from(const fetched& v) {                             \
      return {static_cast<scalar>(v.x), static_cast<scalar>(v.y)};                          \
    }                                                                                       \
  };                                                                                        \
  template <>                                                                               \
  struct Texel<vector##4> {                                                                 \
    using Fetched = fetched;                                                                \
    static __device__ inline vector##4 from(const fetched& v) {                             \
      return {static_cast<scalar>(v.x), static_cast<scalar>(v.y), static_cast<scalar>(v.z), \
              static_cast<scalar>(v.w)};                                                    \
    }                                                                                       \
  };
RADDLE_TEXEL_SCALAR(char, int4)
RADDLE_TEXEL_SCALAR(signed char, int4)
RADDLE_TEXEL_SCALAR(unsigned char, uint4)
RADDLE_TEXEL_SCALAR(short, int4)
RADDLE_TEXEL_SCALAR(unsigned short, uint4)
RADDLE_TEXEL_SCALAR(int, int4)
RADDLE_TEXEL_SCALAR(unsigned, uint4)
RADDLE_TEXEL_SCALAR(float, float4)
RADDLE_TEXEL_VECTORS(char, signed char, int4)
RADDLE_TEXEL_VECTORS(uchar, unsigned char, uint4)
RADDLE_TEXEL_VECTORS(short, short, int4)
RADDLE_TEXEL_VECTORS(ushort, unsigned short, uint4)
RADDLE_TEXEL_VECTORS(int, int, int4)
RADDLE_TEXEL_VECTORS(uint, unsigned, uint4)
RADDLE_TEXEL_VECTORS(float, float, float4)
#undef RADDLE_TEXEL_SCALAR
#undef RADDLE_TEXEL_VECTORS

/// The float vector with as many channels as T: what a normalized read of T gives.
template <class T>
struct Normalized {
  using Type = float;
};
#define RADDLE_NORMALIZED(type, result) \
  template <>                           \
  struct Normalized<type> {             \
    using Type = result;                \
  };
#define RADDLE_NORMALIZED_VECTORS(vector) \
  RADDLE_NORMALIZED(vector##1, float1)    \
  RADDLE_NORMALIZED(vector##2, float2)    \
  RADDLE_NORMALIZED(vector##4, float4)
RADDLE_NORMALIZED_VECTORS(char)
RADDLE_NORMALIZED_VECTORS(uchar)
RADDLE_NORMALIZED_VECTORS(short)
RADDLE_NORMALIZED_VECTORS(ushort)
#undef RADDLE_NORMALIZED_VECTORS
#undef RADDLE_NORMALIZED

}  // namespace raddle_textures
