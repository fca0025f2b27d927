// Loads and stores with a cache hint (PTX ISA, "Cache Operators"): __ldca __ldcg __ldcs __ldlu
// __ldcv and __stwb __stcg __stcs __stwt, for the scalar types and the vectors of two and four.
#pragma once

// One type: its PTX width, the register letter and the type that the letter takes.
#define RADDLE_LOAD_SCALAR(name, operator_, type, width, reg, carrier) \
  __device__ inline type name(const type* address) {                   \
    carrier value;                                                     \
    asm volatile("ld.global." operator_ "." width " %0, [%1];"         \
                 : "=" reg(value)                                      \
                 : "l"(address)                                        \
                 : "memory");                                          \
    return (type)value;                                                \
  }
#define RADDLE_LOAD_VECTOR2(name, operator_, type, width, reg, carrier) \
  __device__ inline type name(const type* address) {                    \
    carrier x, y;                                                       \
    asm volatile("ld.global." operator_ ".v2." width " {%0, %1}, [%2];" \
                 : "=" reg(x), "=" reg(y)                               \
                 : "l"(address)                                         \
                 : "memory");                                           \
    return {(decltype(type::x))x, (decltype(type::x))y};                \
  }
#define RADDLE_LOAD_VECTOR4(name, operator_, type, width, reg, carrier)         \
  __device__ inline type name(const type* address) {                            \
    carrier x, y, z, w;                                                         \
    asm volatile("ld.global." operator_ ".v4." width " {%0, %1, %2, %3}, [%4];" \
                 : "=" reg(x), "=" reg(y), "=" reg(z), "=" reg(w)               \
                 : "l"(address)                                                 \
                 : "memory");                                                   \
    return {(decltype(type::x))x, (decltype(type::x))y, (decltype(type::x))z,   \
            (decltype(type::x))w};                                              \
  }
#define RADDLE_STORE_SCALAR(name, operator_, type, width, reg, carrier)                            \
  __device__ inline void name(type* address, type value) {                                         \
    asm volatile("st.global." operator_ "." width " [%0], %1;" ::"l"(address), reg((carrier)value) \
                 : "memory");                                                                      \
  }
#define RADDLE_STORE_VECTOR2(name, operator_, type, width, reg, carrier)                \
  __device__ inline void name(type* address, type value) {                              \
    asm volatile("st.global." operator_ ".v2." width " [%0], {%1, %2};" ::"l"(address), \
                 reg((carrier)value.x), reg((carrier)value.y)                           \
                 : "memory");                                                           \
  }
#define RADDLE_STORE_VECTOR4(name, operator_, type, width, reg, carrier)                        \
  __device__ inline void name(type* address, type value) {                                      \
    asm volatile("st.global." operator_ ".v4." width " [%0], {%1, %2, %3, %4};" ::"l"(address), \
                 reg((carrier)value.x), reg((carrier)value.y), reg((carrier)value.z),           \
                 reg((carrier)value.w)                                                          \
                 : "memory");                                                                   \
  }

// f(shape, name, operator, type, width, register letter, carrier) for every type.
#define RADDLE_CACHE_TYPES(f, name, operator_)                                                     \
  f##_SCALAR(name, operator_, char, "s8", "h", short) f##_SCALAR(                                  \
      name, operator_, signed char, "s8", "h",                                                     \
      short) f##_SCALAR(name, operator_, unsigned char, "u8", "h",                                 \
                        unsigned short) f##_SCALAR(name, operator_, short, "s16", "h", short)      \
      f##_SCALAR(name, operator_, unsigned short, "u16", "h", unsigned short) f##_SCALAR(          \
          name, operator_, int, "s32", "r",                                                        \
          int) f##_SCALAR(name, operator_, unsigned int, "u32", "r",                               \
                          unsigned int) f##_SCALAR(name, operator_, long, "s64", "l", long)        \
          f##_SCALAR(name, operator_, unsigned long, "u64", "l", unsigned long) f##_SCALAR(        \
              name, operator_, long long, "s64", "l",                                              \
              long long) f##_SCALAR(name, operator_, unsigned long long, "u64", "l",               \
                                    unsigned long long)                                            \
              f##_SCALAR(name, operator_, float, "f32", "f", float) f##_SCALAR(                    \
                  name, operator_, double, "f64",                                                  \
                  "d", double) f##_VECTOR2(name, operator_, char2, "s8", "h", short)               \
                  f##_VECTOR2(name, operator_, uchar2, "u8", "h", unsigned short) f##_VECTOR2(     \
                      name, operator_, short2, "s16",                                              \
                      "h",                                                                         \
                      short) f##_VECTOR2(name, operator_, ushort2, "u16", "h", unsigned short)     \
                      f##_VECTOR2(name, operator_, int2, "s32", "r", int) f##_VECTOR2(             \
                          name, operator_, uint2,                                                  \
                          "u32", "r",                                                              \
                          unsigned int) f##_VECTOR2(name, operator_, longlong2, "s64", "l",        \
                                                    long long)                                     \
                          f##_VECTOR2(name, operator_, ulonglong2, "u64", "l", unsigned long long) \
                              f##_VECTOR2(name, operator_, float2, "f32", "f", float) f##_VECTOR2( \
                                  name, operator_, double2, "f64", "d",                            \
                                  double) f##_VECTOR4(name, operator_, char4, "s8", "h", short)    \
                                  f##_VECTOR4(name, operator_, uchar4, "u8", "h", unsigned short)  \
                                      f##_VECTOR4(name, operator_, short4, "s16", "h", short)      \
                                          f##_VECTOR4(name, operator_, ushort4, "u16", "h",        \
                                                      unsigned short)                              \
                                              f##_VECTOR4(name, operator_, int4, "s32", "r", int)  \
                                                  f##_VECTOR4(name, operator_, uint4, "u32", "r",  \
                                                              unsigned int)                        \
                                                      f##_VECTOR4(name, operator_, float4, "f32",  \
                                                                  "f", float)

RADDLE_CACHE_TYPES(RADDLE_LOAD, __ldca, "ca")
RADDLE_CACHE_TYPES(RADDLE_LOAD, __ldcg, "cg")
RADDLE_CACHE_TYPES(RADDLE_LOAD, __ldcs, "cs")
RADDLE_CACHE_TYPES(RADDLE_LOAD, __ldlu, "lu")
RADDLE_CACHE_TYPES(RADDLE_LOAD, __ldcv, "cv")
RADDLE_CACHE_TYPES(RADDLE_STORE, __stwb, "wb")
RADDLE_CACHE_TYPES(RADDLE_STORE, __stcg, "cg")
RADDLE_CACHE_TYPES(RADDLE_STORE, __stcs, "cs")
RADDLE_CACHE_TYPES(RADDLE_STORE, __stwt, "wt")

#undef RADDLE_CACHE_TYPES
#undef RADDLE_LOAD_SCALAR
#undef RADDLE_LOAD_VECTOR2
#undef RADDLE_LOAD_VECTOR4
#undef RADDLE_STORE_SCALAR
#undef RADDLE_STORE_VECTOR2
#undef RADDLE_STORE_VECTOR4
