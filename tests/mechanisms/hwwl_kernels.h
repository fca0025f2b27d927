// Kernels that use the worklist in hardware.
#pragma once

#include <cstdint>

namespace raddle::mechanisms {

/// `in` is the overflow buffer; out[id]: how often it was pulled. tree: id n has the children
/// 2n + 1 and 2n + 2, below `kIds`.
inline constexpr std::uint32_t kIds = 3000;
inline constexpr const char* kKernels = R"(
.visible .entry single(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  wlinit.b64 %rd1, 262144;
  wlcfg.b32 0;
  ret;
}
.visible .entry double(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  wlinit.b64 %rd1, 262144;
  wlcfg.b32 1;
  ret;
}
.visible .entry root(.param .u64 in, .param .u64 out) {
  wlpush.b32 0, 0;
  ret;
}
.visible .entry tree(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [out];
LOOP:
  wlpull.b32 %r1, 0;
  setp.eq.u32 %p1, %r1, 0xffffffff;
  @%p1 bra DONE;
  setp.eq.u32 %p2, %r1, 0xfffffffe;
  @%p2 bra LOOP;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  red.global.add.u32 [%rd2], 1;
  mad.lo.u32 %r2, %r1, 2, 1;
  setp.lt.u32 %p3, %r2, 3000;
  @%p3 wlpush.b32 %r2, 0;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 3000;
  @%p3 wlpush.b32 %r2, 0;
  bra LOOP;
DONE:
  ret;
}
// Each thread takes what there is at once, and exits with it.
.visible .entry take(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [out];
  wlpull.b32 %r1, 0;
  setp.ge.u32 %p1, %r1, 0xfffffffe;
  @%p1 bra DONE;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  red.global.add.u32 [%rd2], 1;
DONE:
  ret;
}
// Pulls until there is nothing left, and does not push.
.visible .entry drain(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [out];
LOOP:
  wlpull.b32 %r1, 0;
  setp.eq.u32 %p1, %r1, 0xffffffff;
  @%p1 bra DONE;
  setp.eq.u32 %p2, %r1, 0xfffffffe;
  @%p2 bra LOOP;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  red.global.add.u32 [%rd2], 1;
DONE:
  ret;
}
// The same, each id for 500 rounds of a loop.
.visible .entry slow(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [out];
LOOP:
  wlpull.b32 %r1, 0;
  setp.eq.u32 %p1, %r1, 0xffffffff;
  @%p1 bra DONE;
  setp.eq.u32 %p2, %r1, 0xfffffffe;
  @%p2 bra LOOP;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  red.global.add.u32 [%rd2], 1;
  mov.u32 %r2, 0;
BUSY:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p3, %r2, 500;
  @%p3 bra BUSY;
  bra LOOP;
DONE:
  ret;
}
// As drain, and whoever gets something exits there and then, not where the others of its warp end.
.visible .entry one_each(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [out];
LOOP:
  wlpull.b32 %r1, 0;
  setp.eq.u32 %p1, %r1, 0xffffffff;
  @%p1 exit;
  setp.ne.u32 %p2, %r1, 0xfffffffe;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  @%p2 red.global.add.u32 [%rd2], 1;
  @%p2 exit;
  bra LOOP;
}
// Whoever gets an id below 99 pushes the next one, long after, and exits.
.visible .entry relay(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [out];
LOOP:
  wlpull.b32 %r1, 0;
  setp.eq.u32 %p1, %r1, 0xffffffff;
  @%p1 exit;
  setp.ne.u32 %p2, %r1, 0xfffffffe;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  @%p2 red.global.add.u32 [%rd2], 1;
  @%p2 ld.global.cv.u32 %r2, [%rd2];
  add.u32 %r3, %r1, 1;
  setp.lt.and.u32 %p3, %r3, 100, %p2;
  setp.ne.and.u32 %p3, %r2, 0, %p3;
  @%p3 wlpush.b32 %r3, 0;
  @%p2 exit;
  bra LOOP;
}
.visible .entry range(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  wlpush.b32 %r4, 0;
  ret;
}
.visible .entry size(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  wlsize.b32 %r1, 0;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry large_id(.param .u64 in, .param .u64 out) {
  wlpush.b32 0x1000000, 0;
  ret;
}
.visible .entry other_list(.param .u64 in, .param .u64 out) {
  wlpush.b32 1, 3;
  ret;
}
.visible .entry unaligned(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  add.u64 %rd1, %rd1, 4;
  wlinit.b64 %rd1, 4096;
  ret;
}
.visible .entry too_long(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  wlinit.b64 %rd1, 0x10000000;
  ret;
}
.visible .entry third_mode(.param .u64 in, .param .u64 out) {
  wlcfg.b32 2;
  ret;
}
)";

}  // namespace raddle::mechanisms
