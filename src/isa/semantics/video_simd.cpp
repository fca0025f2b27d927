#include "isa/semantics/video.h"
#include "isa/semantics/video_lanes.h"

namespace raddle::isa {
namespace {

/// Loads element `n` of `count` in each lane's word, extended.
template <unsigned count, bool is_signed>
[[gnu::noinline]] void load_elements(const WarpContext& w, const Instruction& i, unsigned source,
                                     LaneIntegers* elements) {
  constexpr unsigned width = 32 / count;
  const u32* s = w.source<u32>(i.s[source]);
  for (unsigned n = 0; n < count; ++n) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const u32 top = s[l] << (32 - width - n * width);
      elements[n].of[l] =
          is_signed ? static_cast<s32>(top) >> (32 - width) : s64{top >> (32 - width)};
    }
  }
}

/// Stores the elements side by side or, with `accumulate`, their sum with c.
template <unsigned count, bool d_signed, bool sat, bool accumulate>
[[gnu::noinline]] void store_elements(WarpContext& w, const Instruction& i,
                                      const LaneIntegers* elements) {
  constexpr unsigned width = 32 / count;
  constexpr s64 low = d_signed ? -(s64{1} << (width - 1)) : 0;
  constexpr s64 high = d_signed ? (s64{1} << (width - 1)) - 1 : (s64{1} << width) - 1;
  const u32* c = w.source<u32>(i.s[2]);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    u32 result = accumulate ? c[l] : 0;
    for (unsigned n = 0; n < count; ++n) {
      s64 t = elements[n].of[l];
      if constexpr (sat) t = t < low ? low : (t > high ? high : t);
      const u32 bits = static_cast<u32>(t);
      result = accumulate ? result + bits : result | (bits & ((u32{1} << width) - 1)) << n * width;
    }
    results[l] = result;
  }
  store_lanes<u32>(w, i.d, results);
}

template <class Operator, unsigned count, bool d_signed, bool a_signed, bool b_signed, bool sat,
          bool accumulate>
void execute_simd(WarpContext& w, const Instruction& i) {
  LaneIntegers a[count], b[count];
  load_elements<count, a_signed>(w, i, 0, a);
  load_elements<count, b_signed>(w, i, 1, b);
  for (unsigned n = 0; n < count; ++n) combine_integers<Operator>(a[n], b[n]);
  store_elements<count, d_signed, sat, accumulate>(w, i, a);
}

/// An instruction cannot both saturate and accumulate.
template <class Operator, unsigned count>
Execute select_simd(const Form& f) {
  return for_signs(f.type2, f.type3, [&]<bool a_signed, bool b_signed>() -> Execute {
    return for_flag(f.type == Type::s32, [&]<bool d_signed>() -> Execute {
      if (f.operation == Operation::add) {
        return execute_simd<Operator, count, d_signed, a_signed, b_signed, false, true>;
      }
      return for_flag(f.sat, []<bool sat>() -> Execute {
        return execute_simd<Operator, count, d_signed, a_signed, b_signed, sat, false>;
      });
    });
  });
}

template <unsigned count>
Execute select_simd_set(const Form& f) {
  return for_signs(f.type, f.type2, [&]<bool a_signed, bool b_signed>() -> Execute {
    return for_flag(f.operation == Operation::add, [&]<bool accumulate>() -> Execute {
      return for_video_compare(f, []<class Operator>() -> Execute {
        return execute_simd<Operator, count, false, a_signed, b_signed, false, accumulate>;
      });
    });
  });
}

}  // namespace

Execute select_vadd2(const Form& f) { return select_simd<VideoAdd, 2>(f); }
Execute select_vsub2(const Form& f) { return select_simd<VideoSub, 2>(f); }
Execute select_vavrg2(const Form& f) { return select_simd<VideoAverage, 2>(f); }
Execute select_vabsdiff2(const Form& f) { return select_simd<VideoAbsoluteDifference, 2>(f); }
Execute select_vmin2(const Form& f) { return select_simd<VideoMin, 2>(f); }
Execute select_vmax2(const Form& f) { return select_simd<VideoMax, 2>(f); }
Execute select_vset2(const Form& f) { return select_simd_set<2>(f); }
Execute select_vadd4(const Form& f) { return select_simd<VideoAdd, 4>(f); }
Execute select_vsub4(const Form& f) { return select_simd<VideoSub, 4>(f); }
Execute select_vavrg4(const Form& f) { return select_simd<VideoAverage, 4>(f); }
Execute select_vabsdiff4(const Form& f) { return select_simd<VideoAbsoluteDifference, 4>(f); }
Execute select_vmin4(const Form& f) { return select_simd<VideoMin, 4>(f); }
Execute select_vmax4(const Form& f) { return select_simd<VideoMax, 4>(f); }
Execute select_vset4(const Form& f) { return select_simd_set<4>(f); }

}  // namespace raddle::isa
