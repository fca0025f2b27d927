// Kernels made from a seed. Their results do not depend on the order in which warps and blocks run.
#pragma once

#include <fmt/core.h>

#include <random>
#include <string>

namespace raddle::machine::test {

/// Kernel `generated` for blocks of `threads` threads: arithmetic, divergent branches and loops,
/// block barriers around exchanges in shared memory, shuffles, reductions in global memory, arrays
/// in local memory, calls, fences and sleeps. Words 0 to 15 of `out` collect reductions; word 16 + i
/// is the result of thread i of the grid.
class GeneratedKernel {
 public:
  GeneratedKernel(unsigned seed, unsigned threads) : random_(seed), threads_(threads) {
    for (unsigned n = 0; n < 4 + pick(4); ++n) statement(2, true);
  }

  std::string text() const {
    std::string text = R"(
.visible .func (.param .b32 r) mixed(.param .b32 a, .param .b32 depth) {
  .reg .b32 %r<8>; .reg .pred %p;
  ld.param.u32 %r1, [a];
  ld.param.u32 %r2, [depth];
  mad.lo.u32 %r3, %r1, 1664525, 1013904223;
  setp.eq.u32 %p, %r2, 0;
  @%p bra DONE;
  sub.u32 %r2, %r2, 1;
  { .param .b32 x; .param .b32 y; .param .b32 z;
    st.param.b32 [x], %r3; st.param.b32 [y], %r2;
    call (z), mixed, (x, y);
    ld.param.b32 %r4, [z]; }
  xor.b32 %r3, %r4, %r1;
DONE:
  st.param.b32 [r], %r3;
  ret;
}
.visible .entry generated(.param .u64 in, .param .u64 out) {
  .shared .align 4 .b8 tile[4096];
  .local .align 4 .b8 array[64];
  .reg .b32 %r<60>; .reg .b32 %a<8>; .reg .b64 %rd<12>; .reg .pred %p<40>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mov.u32 %r5, tile;
  mov.u32 %r6, array;
)";
    for (unsigned a = 0; a < 8; ++a) {
      text += fmt::format("  mad.lo.u32 %a{}, %r4, {}, {};\n", a, 2 * a + 3, 17 * a);
    }
    for (unsigned word = 0; word < 16; ++word) {
      text += fmt::format("  st.local.u32 [%r6+{}], %a{};\n", 4 * word, word % 8);
    }
    text += body_;
    for (unsigned a = 1; a < 8; ++a) text += fmt::format("  mad.lo.u32 %a0, %a0, 31, %a{};\n", a);
    return text + R"(
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd3, %rd2, %rd3;
  st.global.u32 [%rd3+64], %a0;
  ret;
}
)";
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  template <class... T>
  void add(fmt::format_string<T...> line, T&&... values) {
    body_ += "  " + fmt::format(line, std::forward<T>(values)...) + "\n";
  }

  /// `together`: all threads of the block come here.
  void statement(unsigned depth, bool together) {
    switch (pick(together ? 11 : 8)) {
      case 0:
        return add("mad.lo.u32 %a{}, %a{}, {}, %a{};", pick(8), pick(8), pick(1000), pick(8));
      case 1:
        return branch(depth);
      case 2:
        return loop(depth);
      case 3:
        add("and.b32 %r10, %a{}, 15; shl.b32 %r10, %r10, 2; cvt.u64.u32 %rd4, %r10;", pick(8));
        return add("add.u64 %rd4, %rd2, %rd4; red.global.add.u32 [%rd4], %a{};", pick(8));
      case 4:
        add("and.b32 %r10, %a{}, 15; shl.b32 %r10, %r10, 2; add.u32 %r10, %r6, %r10;", pick(8));
        add("ld.local.u32 %r11, [%r10]; xor.b32 %r11, %r11, %a{};", pick(8));
        return add("st.local.u32 [%r10], %r11; add.u32 %a{}, %a{}, %r11;", pick(8), pick(8));
      case 5: {
        const unsigned a = pick(8);
        add("{{ .param .b32 x; .param .b32 y; .param .b32 z; and.b32 %r12, %a{}, 3;", pick(8));
        add("st.param.b32 [x], %a{}; st.param.b32 [y], %r12; call (z), mixed, (x, y);", a);
        return add("ld.param.b32 %a{}, [z]; }}", a);
      }
      case 6:
        add("and.b32 %r10, %a{}, 1023; shl.b32 %r10, %r10, 2; cvt.u64.u32 %rd4, %r10;", pick(8));
        return add(
            "add.u64 %rd4, %rd1, %rd4; ld.global.u32 %r11, [%rd4]; add.u32 %a{0}, %a{0}, %r11;",
            pick(8));
      case 7:
        if (pick(3) == 0) return add("membar.gl;");
        return add("nanosleep.u32 {};", 100 + pick(600));
      case 8:
        return exchange();
      case 9:
        return add(
            "shfl.sync.bfly.b32 %r13, %a{0}, {1}, 31, 0xffffffff; add.u32 %a{0}, %a{0}, %r13;",
            pick(8), 1u << pick(5));
      default:
        return add("bar.sync {};", pick(4));
    }
  }

  void exchange() {
    add("shl.b32 %r14, %r1, 2; add.u32 %r14, %r5, %r14; st.shared.u32 [%r14], %a{};", pick(8));
    add("bar.sync 0;");
    add("add.u32 %r15, %r1, {}; rem.u32 %r15, %r15, {}; shl.b32 %r15, %r15, 2;", pick(threads_),
        threads_);
    add("add.u32 %r15, %r5, %r15; ld.shared.u32 %r16, [%r15]; xor.b32 %a{0}, %a{0}, %r16;",
        pick(8));
    add("bar.sync 0;");
  }

  void branch(unsigned depth) {
    if (depth == 0) return add("add.u32 %a0, %a0, 7;");
    const unsigned label = labels_++, p = label % 40;
    add("and.b32 %r20, %a{}, {}; setp.eq.u32 %p{}, %r20, 0;", pick(8), 1 + pick(7), p);
    add("@%p{} bra ELSE{};", p, label);
    for (unsigned n = 0; n < 1 + pick(2); ++n) statement(depth - 1, false);
    add("bra JOIN{};", label);
    add("ELSE{}:", label);
    for (unsigned n = 0; n < 1 + pick(2); ++n) statement(depth - 1, false);
    add("JOIN{}:", label);
  }

  void loop(unsigned depth) {
    if (depth == 0) return add("mul.lo.u32 %a1, %a1, 13;");
    const unsigned label = labels_++, p = label % 40, counter = 30 + label % 30;
    add("and.b32 %r{}, %a{}, 3;", counter, pick(8));
    add("LOOP{}:", label);
    for (unsigned n = 0; n < 1 + pick(2); ++n) statement(depth - 1, false);
    add("setp.ne.u32 %p{}, %r{}, 0; sub.u32 %r{}, %r{}, 1;", p, counter, counter, counter);
    add("@%p{} bra LOOP{};", p, label);
  }

  std::mt19937 random_;
  unsigned threads_, labels_ = 0;
  std::string body_;
};

}  // namespace raddle::machine::test
