// A thread loads the values that it has stored, also when lanes of several warps issue together,
// and when each scheduler has warps of its own.
#include <gtest/gtest.h>

#include "kernels.h"
#include "machine/lane_controls.h"

namespace raddle::machine {
namespace {

using test::Machine;

constexpr std::uint32_t kWords = 8, kThreads = 96, kBlocks = 10;  // words of a thread

/// Lanes part by bits of c, which is different in each: in c % 3 rounds a word is changed, and then for most
/// of them four words that may have it among them.
constexpr const char* kOwnWords = R"(
.visible .entry own(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<24>; .reg .b64 %rd<12>; .reg .pred %p<8>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 96, %r2;
  mul.wide.u32 %rd3, %r3, 32; add.s64 %rd4, %rd2, %rd3;
  mul.lo.u32 %r4, %r3, 2654435761; shr.u32 %r4, %r4, 7;
  and.b32 %r5, %r4, 2; setp.eq.u32 %p1, %r5, 0; @%p1 bra END;
  rem.u32 %r6, %r4, 3; setp.eq.u32 %p2, %r6, 0; @%p2 bra END;
  shr.u32 %r7, %r4, 8; and.b32 %r7, %r7, 7; mul.wide.u32 %rd5, %r7, 4; add.s64 %rd5, %rd4, %rd5;
  shr.u32 %r8, %r4, 11; and.b32 %r8, %r8, 1; mul.wide.u32 %rd6, %r8, 16; add.s64 %rd6, %rd4, %rd6;
  and.b32 %r9, %r4, 4; setp.ne.u32 %p3, %r9, 0;
ROUND:
  ld.global.u32 %r10, [%rd5]; xor.b32 %r10, %r10, %r4; st.global.u32 [%rd5], %r10;
  @%p3 bra NEXT;
  ld.global.v4.u32 {%r12, %r13, %r14, %r15}, [%rd6];
  add.u32 %r12, %r12, %r4; xor.b32 %r14, %r14, %r15;
  st.global.v4.u32 [%rd6], {%r12, %r13, %r14, %r15};
NEXT:
  sub.u32 %r6, %r6, 1; setp.ne.u32 %p4, %r6, 0; @%p4 bra ROUND;
END:
  ret;
})";

class OwnStores : public testing::TestWithParam<const LaneControlKind*> {};

TEST_P(OwnStores, AreLoaded) {
  const std::string scheme(GetParam()->name);
  Machine machine(kOwnWords, {{"scheduler.divergence", scheme.c_str()}, {"gpu.sms", "2"}});
  std::vector<std::uint32_t> expected(kThreads * kBlocks * kWords);
  for (std::uint32_t n = 0; n < expected.size(); ++n) machine.out(n) = expected[n] = 77 * n;
  for (std::uint32_t thread = 0; thread < kThreads * kBlocks; ++thread) {
    const std::uint32_t c = (thread * 2654435761u) >> 7;
    std::uint32_t* const own = &expected[thread * kWords];
    for (std::uint32_t round = 0; (c & 2) != 0 && round < c % 3; ++round) {
      own[c >> 8 & 7] ^= c;
      if ((c & 4) != 0) continue;
      std::uint32_t* const four = own + 4 * (c >> 11 & 1);
      four[0] += c;
      four[2] ^= four[3];
    }
  }
  machine.launch("own", kBlocks, kThreads);
  machine.run();
  for (std::uint32_t n = 0; n < expected.size(); ++n) {
    ASSERT_EQ(machine.out(n), expected[n]) << "thread " << n / kWords << ", word " << n % kWords;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, OwnStores, testing::ValuesIn(all_lane_controls()),
                         [](const auto& scheme) { return std::string(scheme.param->name); });

}  // namespace
}  // namespace raddle::machine
