#include "isa/semantics/video.h"

#include "isa/lower/rows.h"
#include "isa/table.h"

namespace raddle::isa {

namespace {
#define RADDLE_WORD "(.u32|.s32)"
#define RADDLE_WORDS RADDLE_WORD RADDLE_WORD RADDLE_WORD
#define RADDLE_SECONDARY "(.add|.min|.max)"
#define RADDLE_COMPARE "(.eq|.ne|.lt|.le|.gt|.ge)"
#define RADDLE_OPERANDS "d:u32 a:u32 b:u32"

// Operands may select parts of words: a.b0, d.h1.
constexpr OperandForm words(const char* roles, Lower lower) { return {roles, lower, kTakesParts}; }

#define RADDLE_ROW(name, syntax, operands, select, section) \
  {name, syntax, operands, Class::video, Kind::compute, select, section}
#define RADDLE_SCALAR(name, select)                                                             \
  RADDLE_ROW(name, RADDLE_WORDS "{.sat}", words(RADDLE_OPERANDS " c:u32?", lower_video_scalar), \
             select, "9.7.17.1"),                                                               \
      RADDLE_ROW(name, RADDLE_WORDS "{.sat}" RADDLE_SECONDARY,                                  \
                 words(RADDLE_OPERANDS " c:u32", lower_video_scalar), select, "9.7.17.1")
#define RADDLE_SHIFT(name, select)                                                          \
  RADDLE_ROW(name, RADDLE_WORD RADDLE_WORD ".u32{.sat}(.clamp|.wrap)",                      \
             words(RADDLE_OPERANDS " c:u32?", lower_video_scalar), select, "9.7.17.2"),     \
      RADDLE_ROW(name, RADDLE_WORD RADDLE_WORD ".u32{.sat}(.clamp|.wrap)" RADDLE_SECONDARY, \
                 words(RADDLE_OPERANDS " c:u32", lower_video_scalar), select, "9.7.17.2")
#define RADDLE_SIMD(name, lower, select, section)                                           \
  RADDLE_ROW(name, RADDLE_WORDS "{.sat}", words(RADDLE_OPERANDS " c:u32", lower), select,   \
             section),                                                                      \
      RADDLE_ROW(name, RADDLE_WORDS ".add", words(RADDLE_OPERANDS " c:u32", lower), select, \
                 section)
#define RADDLE_SIMD_SET(name, lower, select, section)               \
  RADDLE_ROW(name, RADDLE_WORD RADDLE_WORD RADDLE_COMPARE "{.add}", \
             words(RADDLE_OPERANDS " c:u32", lower), select, section)
}  // namespace

std::span<const Row> video_rows() {
  using enum Class;
  constexpr Kind compute = Kind::compute;
  static const Row rows[] = {
      {"dp4a", RADDLE_WORD RADDLE_WORD, "d:u32 a b:t2 c:u32", int_mul, compute, select_dp4a,
       "9.7.1.23"},
      {"dp2a", "(.lo|.hi)" RADDLE_WORD RADDLE_WORD, "d:u32 a b:t2 c:u32", int_mul, compute,
       select_dp2a, "9.7.1.24"},
      RADDLE_SCALAR("vadd", select_vadd),
      RADDLE_SCALAR("vsub", select_vsub),
      RADDLE_SCALAR("vabsdiff", select_vabsdiff),
      RADDLE_SCALAR("vmin", select_vmin),
      RADDLE_SCALAR("vmax", select_vmax),
      RADDLE_SHIFT("vshl", select_vshl),
      RADDLE_SHIFT("vshr", select_vshr),
      {"vmad", RADDLE_WORDS "{.sat}{.shr7|.shr15}",
       words(RADDLE_OPERANDS " c:u32", lower_video_mad), video, compute, select_vmad, "9.7.17.3",
       "po shr7 shr15"},
      {"vmad", RADDLE_WORDS ".po{.sat}{.shr7|.shr15}",
       words(RADDLE_OPERANDS " c:u32", lower_video_mad), video, compute, select_vmad, "9.7.17.3",
       "po shr7 shr15"},
      {"vset", RADDLE_WORD RADDLE_WORD RADDLE_COMPARE,
       words(RADDLE_OPERANDS " c:u32?", lower_video_set), video, compute, select_vset, "9.7.17.4"},
      {"vset", RADDLE_WORD RADDLE_WORD RADDLE_COMPARE RADDLE_SECONDARY,
       words(RADDLE_OPERANDS " c:u32", lower_video_set), video, compute, select_vset, "9.7.17.4"},
      RADDLE_SIMD("vadd2", lower_video_halves, select_vadd2, "9.7.17.5"),
      RADDLE_SIMD("vsub2", lower_video_halves, select_vsub2, "9.7.17.5"),
      RADDLE_SIMD("vavrg2", lower_video_halves, select_vavrg2, "9.7.17.5"),
      RADDLE_SIMD("vabsdiff2", lower_video_halves, select_vabsdiff2, "9.7.17.5"),
      RADDLE_SIMD("vmin2", lower_video_halves, select_vmin2, "9.7.17.5"),
      RADDLE_SIMD("vmax2", lower_video_halves, select_vmax2, "9.7.17.5"),
      RADDLE_SIMD_SET("vset2", lower_video_set_halves, select_vset2, "9.7.17.6"),
      RADDLE_SIMD("vadd4", lower_video_bytes, select_vadd4, "9.7.17.7"),
      RADDLE_SIMD("vsub4", lower_video_bytes, select_vsub4, "9.7.17.7"),
      RADDLE_SIMD("vavrg4", lower_video_bytes, select_vavrg4, "9.7.17.7"),
      RADDLE_SIMD("vabsdiff4", lower_video_bytes, select_vabsdiff4, "9.7.17.7"),
      RADDLE_SIMD("vmin4", lower_video_bytes, select_vmin4, "9.7.17.7"),
      RADDLE_SIMD("vmax4", lower_video_bytes, select_vmax4, "9.7.17.7"),
      RADDLE_SIMD_SET("vset4", lower_video_set_bytes, select_vset4, "9.7.17.8"),
  };
  return rows;
}

#undef RADDLE_WORD
#undef RADDLE_WORDS
#undef RADDLE_SECONDARY
#undef RADDLE_COMPARE
#undef RADDLE_OPERANDS
#undef RADDLE_ROW
#undef RADDLE_SCALAR
#undef RADDLE_SHIFT
#undef RADDLE_SIMD
#undef RADDLE_SIMD_SET

}  // namespace raddle::isa
