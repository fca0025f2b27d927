#include "isa/semantics/video.h"

namespace raddle::isa {

namespace {
#define RADDLE_WORD "(.u32|.s32)"
#define RADDLE_WORDS RADDLE_WORD RADDLE_WORD RADDLE_WORD
#define RADDLE_SECONDARY "(.add|.min|.max)"
#define RADDLE_COMPARE "(.eq|.ne|.lt|.le|.gt|.ge)"
#define RADDLE_OPERANDS "d a:b32 b:b32"

// Operands may select parts of words (a.b0, d.h1): lower/video.cpp.
#define RADDLE_SCALAR(name, select)                                   \
  {                                                                   \
      name,         RADDLE_WORDS "{.sat}", RADDLE_OPERANDS " c:b32?", \
      Class::video, Kind::compute,         select,                    \
      "9.7.17.1"},                                                    \
      {name,                                                          \
       RADDLE_WORDS "{.sat}" RADDLE_SECONDARY,                        \
       RADDLE_OPERANDS " c:b32",                                      \
       Class::video,                                                  \
       Kind::compute,                                                 \
       select,                                                        \
       "9.7.17.1"}
#define RADDLE_SHIFT(name, select)                                          \
  {name,                                                                    \
   RADDLE_WORD RADDLE_WORD ".u32{.sat}(.clamp|.wrap)",                      \
   RADDLE_OPERANDS " c:b32?",                                               \
   Class::video,                                                            \
   Kind::compute,                                                           \
   select,                                                                  \
   "9.7.17.2"},                                                             \
      {name,                                                                \
       RADDLE_WORD RADDLE_WORD ".u32{.sat}(.clamp|.wrap)" RADDLE_SECONDARY, \
       RADDLE_OPERANDS " c:b32",                                            \
       Class::video,                                                        \
       Kind::compute,                                                       \
       select,                                                              \
       "9.7.17.2"}
#define RADDLE_SIMD(name, select, section)                                                       \
  {name,   RADDLE_WORDS "{.sat}", RADDLE_OPERANDS " c:b32", Class::video, Kind::compute, select, \
   section},                                                                                     \
  {                                                                                              \
    name, RADDLE_WORDS ".add", RADDLE_OPERANDS " c:b32", Class::video, Kind::compute, select,    \
        section                                                                                  \
  }
#define RADDLE_SIMD_SET(name, select, section)      \
  {name,                                            \
   RADDLE_WORD RADDLE_WORD RADDLE_COMPARE "{.add}", \
   RADDLE_OPERANDS " c:b32",                        \
   Class::video,                                    \
   Kind::compute,                                   \
   select,                                          \
   section}
}  // namespace

std::span<const Row> video_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static const Row rows[] = {
      {"dp4a", RADDLE_WORD RADDLE_WORD, "d:b32 a:b32 b:b32 c:b32", int_mul, compute, select_dp4a,
       "9.7.1.23"},
      {"dp2a", "(.lo|.hi)" RADDLE_WORD RADDLE_WORD, "d:b32 a:b32 b:b32 c:b32", int_mul, compute,
       select_dp2a, "9.7.1.24"},
      RADDLE_SCALAR("vadd", select_vadd),
      RADDLE_SCALAR("vsub", select_vsub),
      RADDLE_SCALAR("vabsdiff", select_vabsdiff),
      RADDLE_SCALAR("vmin", select_vmin),
      RADDLE_SCALAR("vmax", select_vmax),
      RADDLE_SHIFT("vshl", select_vshl),
      RADDLE_SHIFT("vshr", select_vshr),
      {"vmad", RADDLE_WORDS "{.sat}{.shr7|.shr15}", RADDLE_OPERANDS " c:b32", video, compute,
       select_vmad, "9.7.17.3", "po shr7 shr15"},
      {"vmad", RADDLE_WORDS ".po{.sat}{.shr7|.shr15}", RADDLE_OPERANDS " c:b32", video, compute,
       select_vmad, "9.7.17.3", "po shr7 shr15"},
      {"vset", RADDLE_WORD RADDLE_WORD RADDLE_COMPARE, RADDLE_OPERANDS " c:b32?", video, compute,
       select_vset, "9.7.17.4"},
      {"vset", RADDLE_WORD RADDLE_WORD RADDLE_COMPARE RADDLE_SECONDARY, RADDLE_OPERANDS " c:b32",
       video, compute, select_vset, "9.7.17.4"},
      RADDLE_SIMD("vadd2", select_vadd2, "9.7.17.5"),
      RADDLE_SIMD("vsub2", select_vsub2, "9.7.17.5"),
      RADDLE_SIMD("vavrg2", select_vavrg2, "9.7.17.5"),
      RADDLE_SIMD("vabsdiff2", select_vabsdiff2, "9.7.17.5"),
      RADDLE_SIMD("vmin2", select_vmin2, "9.7.17.5"),
      RADDLE_SIMD("vmax2", select_vmax2, "9.7.17.5"),
      RADDLE_SIMD_SET("vset2", select_vset2, "9.7.17.6"),
      RADDLE_SIMD("vadd4", select_vadd4, "9.7.17.7"),
      RADDLE_SIMD("vsub4", select_vsub4, "9.7.17.7"),
      RADDLE_SIMD("vavrg4", select_vavrg4, "9.7.17.7"),
      RADDLE_SIMD("vabsdiff4", select_vabsdiff4, "9.7.17.7"),
      RADDLE_SIMD("vmin4", select_vmin4, "9.7.17.7"),
      RADDLE_SIMD("vmax4", select_vmax4, "9.7.17.7"),
      RADDLE_SIMD_SET("vset4", select_vset4, "9.7.17.8"),
  };
  return rows;
}

#undef RADDLE_WORD
#undef RADDLE_WORDS
#undef RADDLE_SECONDARY
#undef RADDLE_COMPARE
#undef RADDLE_OPERANDS
#undef RADDLE_SCALAR
#undef RADDLE_SHIFT
#undef RADDLE_SIMD
#undef RADDLE_SIMD_SET

}  // namespace raddle::isa
