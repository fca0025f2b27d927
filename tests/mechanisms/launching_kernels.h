// A kernel that launches another, in both ways.
#pragma once

#include <string>

#include "machine/kernels.h"
#include "machine/summary.h"

namespace raddle::mechanisms::test {

/// work: each thread waits at least 50000 cycles, then adds 1 + its block's index to out[its
/// thread's index].
inline constexpr const char* kWork = R"(
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 b);
.extern .func (.param .b32 r) cudaDeviceSynchronize();
.extern .func (.param .b32 r) cudaLaunchAggGroup(.param .b64 f, .param .b64 p,
  .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p,
  .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);
.visible .entry work(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p;
  mov.u64 %rd3, %clock64;
WAIT:
  mov.u64 %rd4, %clock64;
  sub.u64 %rd4, %rd4, %rd3;
  setp.lt.u64 %p, %rd4, 50000;
  @%p bra WAIT;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  add.u32 %r1, %r1, 1;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd1, %rd1, %rd2;
  red.global.add.u32 [%rd1], %r1;
  ret;
})";

/// Every thread launches `groups` times two blocks of `threads` threads of `target`, one after the
/// other; `launch` is the call without its last arguments.
inline std::string spawning(const char* name, int groups, const std::string& launch,
                            unsigned threads = 32, const std::string& target = "work") {
  std::string text = std::string(".visible .entry ") + name +
                     R"((.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u64 %rd4, )" + target +
                     R"(;
  mov.u32 %r1, 2;
  mov.u32 %r2, 1;
  mov.u32 %r3, )" + std::to_string(threads) +
                     ";\n";
  for (int n = 0; n < groups; ++n) {
    text += R"(  { .param .b64 a; .param .b64 b; .param .b64 r;
    st.param.b64 [a], 64; st.param.b64 [b], 16;
    call (r), cudaGetParameterBuffer, (a, b);
    ld.param.b64 %rd3, [r]; }
  st.u64 [%rd3], %rd1;
  st.u64 [%rd3+8], %rd2;
  { .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];
    .param .b32 s; .param .b64 t; .param .b32 r;
    st.param.b64 [f], %rd4; st.param.b64 [p], %rd3;
    st.param.b32 [g], %r1; st.param.b32 [g+4], %r2; st.param.b32 [g+8], %r2;
    st.param.b32 [b], %r3; st.param.b32 [b+4], %r2; st.param.b32 [b+8], %r2;
    st.param.b32 [s], 0; st.param.b64 [t], 4;
    call (r), )" +
            launch + "; }\n";
  }
  return text + "  ret;\n}\n";
}

inline std::string launching_kernels() {
  return kWork + spawning("spawn_kernel", 1, "cudaLaunchDevice, (f, p, g, b, s, t)") +
         spawning("spawn_group", 1, "cudaLaunchAggGroup, (f, p, g, b, s)") +
         spawning("spawn_kernels", 2, "cudaLaunchDevice, (f, p, g, b, s, t)") +
         spawning("spawn_and_wait", 1,
                  "cudaLaunchDevice, (f, p, g, b, s, t); call (r), cudaDeviceSynchronize") +
         spawning("spawn_groups", 2, "cudaLaunchAggGroup, (f, p, g, b, s)") +
         spawning("spawn_too_wide", 1, "cudaLaunchAggGroup, (f, p, g, b, s)", 4096);
}

inline std::uint64_t count(const machine::Gpu& gpu, const char* unit, const char* name) {
  return total(gpu.statistics(), unit, name);
}

}  // namespace raddle::mechanisms::test
