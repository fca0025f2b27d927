// The tex and tld4 instructions, a function each for the three vectors that they give.
#pragma once

#include "../texture_types.h"
#include "texture_texels.h"

namespace raddle_textures {

template <class Fetched>
struct Tag {};

// A function `name` for one result type. `operands` names its operands in assembly from %5 on,
// after the four results and the handle; `parameters` and `inputs` are in parentheses.
#define RADDLE_LIST(...) __VA_ARGS__
#define RADDLE_LOOKUP_OF(name, fetched, letter, word, instruction, coordinate, operands, \
                         parameters, inputs)                                             \
  __device__ inline fetched name(Tag<fetched>, cudaTextureObject_t texture,              \
                                 RADDLE_LIST parameters) {                               \
    fetched r;                                                                           \
    asm(instruction "." word "." coordinate " {%0, %1, %2, %3}, [%4, " operands ";"      \
        : "=" letter(r.x), "=" letter(r.y), "=" letter(r.z), "=" letter(r.w)             \
        : "l"(texture), RADDLE_LIST inputs);                                             \
    return r;                                                                            \
  }
#define RADDLE_LOOKUP(name, instruction, coordinate, operands, parameters, inputs)                \
  RADDLE_LOOKUP_OF(name, float4, "f", "f32", instruction, coordinate, operands, parameters,       \
                   inputs)                                                                        \
  RADDLE_LOOKUP_OF(name, int4, "r", "s32", instruction, coordinate, operands, parameters, inputs) \
  RADDLE_LOOKUP_OF(name, uint4, "r", "u32", instruction, coordinate, operands, parameters, inputs)

RADDLE_LOOKUP(fetch_1d, "tex.1d.v4", "s32", "{%5}]", (int x), ("r"(x)))
RADDLE_LOOKUP(lookup_1d, "tex.1d.v4", "f32", "{%5}]", (float x), ("f"(x)))
RADDLE_LOOKUP(lookup_1d_level, "tex.level.1d.v4", "f32", "{%5}], %6", (float x, float level),
              ("f"(x), "f"(level)))
RADDLE_LOOKUP(lookup_1d_gradient, "tex.grad.1d.v4", "f32", "{%5}], {%6}, {%7}",
              (float x, float dx, float dy), ("f"(x), "f"(dx), "f"(dy)))
RADDLE_LOOKUP(lookup_2d, "tex.2d.v4", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
RADDLE_LOOKUP(lookup_2d_level, "tex.level.2d.v4", "f32", "{%5, %6}], %7",
              (float x, float y, float level), ("f"(x), "f"(y), "f"(level)))
RADDLE_LOOKUP(lookup_2d_gradient, "tex.grad.2d.v4", "f32", "{%5, %6}], {%7, %8}, {%9, %10}",
              (float x, float y, float2 dx, float2 dy),
              ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
RADDLE_LOOKUP(lookup_3d, "tex.3d.v4", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z),
              ("f"(x), "f"(y), "f"(z)))
RADDLE_LOOKUP(lookup_3d_level, "tex.level.3d.v4", "f32", "{%5, %6, %7, %7}], %8",
              (float x, float y, float z, float level), ("f"(x), "f"(y), "f"(z), "f"(level)))
RADDLE_LOOKUP(lookup_3d_gradient, "tex.grad.3d.v4", "f32",
              "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
              (float x, float y, float z, float4 dx, float4 dy),
              ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
               "f"(dy.z)))
RADDLE_LOOKUP(lookup_a1d, "tex.a1d.v4", "f32", "{%5, %6}]", (float x, int layer),
              ("r"(layer), "f"(x)))
RADDLE_LOOKUP(lookup_a1d_level, "tex.level.a1d.v4", "f32", "{%5, %6}], %7",
              (float x, int layer, float level), ("r"(layer), "f"(x), "f"(level)))
RADDLE_LOOKUP(lookup_a1d_gradient, "tex.grad.a1d.v4", "f32", "{%5, %6}], {%7}, {%8}",
              (float x, int layer, float dx, float dy), ("r"(layer), "f"(x), "f"(dx), "f"(dy)))
RADDLE_LOOKUP(lookup_a2d, "tex.a2d.v4", "f32", "{%5, %6, %7, %7}]", (float x, float y, int layer),
              ("r"(layer), "f"(x), "f"(y)))
RADDLE_LOOKUP(lookup_a2d_level, "tex.level.a2d.v4", "f32", "{%5, %6, %7, %7}], %8",
              (float x, float y, int layer, float level), ("r"(layer), "f"(x), "f"(y), "f"(level)))
RADDLE_LOOKUP(lookup_a2d_gradient, "tex.grad.a2d.v4", "f32",
              "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
              (float x, float y, int layer, float2 dx, float2 dy),
              ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
RADDLE_LOOKUP(lookup_cube, "tex.cube.v4", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z),
              ("f"(x), "f"(y), "f"(z)))
RADDLE_LOOKUP(lookup_cube_level, "tex.level.cube.v4", "f32", "{%5, %6, %7, %7}], %8",
              (float x, float y, float z, float level), ("f"(x), "f"(y), "f"(z), "f"(level)))
RADDLE_LOOKUP(lookup_cube_gradient, "tex.grad.cube.v4", "f32",
              "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
              (float x, float y, float z, float4 dx, float4 dy),
              ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
               "f"(dy.z)))
RADDLE_LOOKUP(lookup_acube, "tex.acube.v4", "f32", "{%5, %6, %7, %8}]",
              (float x, float y, float z, int layer), ("r"(layer), "f"(x), "f"(y), "f"(z)))
RADDLE_LOOKUP(lookup_acube_level, "tex.level.acube.v4", "f32", "{%5, %6, %7, %8}], %9",
              (float x, float y, float z, int layer, float level),
              ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)))
RADDLE_LOOKUP(lookup_acube_gradient, "tex.grad.acube.v4", "f32",
              "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
              (float x, float y, float z, int layer, float4 dx, float4 dy),
              ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
               "f"(dy.y), "f"(dy.z)))
RADDLE_LOOKUP(gather_r, "tld4.r.2d.v4", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
RADDLE_LOOKUP(gather_g, "tld4.g.2d.v4", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
RADDLE_LOOKUP(gather_b, "tld4.b.2d.v4", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
RADDLE_LOOKUP(gather_a, "tld4.a.2d.v4", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
#undef RADDLE_LOOKUP
#undef RADDLE_LOOKUP_OF

template <class Fetched>
__device__ inline Fetched gather_2d(Tag<Fetched> tag, cudaTextureObject_t texture, float x, float y,
                                    int channel) {
  switch (channel) {
    case 1:
      return gather_g(tag, texture, x, y);
    case 2:
      return gather_b(tag, texture, x, y);
    case 3:
      return gather_a(tag, texture, x, y);
    default:
      return gather_r(tag, texture, x, y);
  }
}

}  // namespace raddle_textures
