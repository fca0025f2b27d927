// Stores of warps that have exited (load_store.stores_hold_warps): what waits for them, and what
// does not.
#include "kernels.h"

namespace raddle::machine {
namespace {

using namespace test;

/// out[i] = i, and nothing to wait for.
constexpr const char* kStoreIndex = R"(
.visible .entry store_index(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r4;
  ret;
})";

/// Cycles of a grid whose blocks follow one another on the one place there is.
Cycle cycles_of(unsigned blocks, const char* hold) {
  Machine machine(kStoreIndex,
                  {{"gpu.sms", "1"}, {"sm.blocks", "1"}, {"load_store.stores_hold_warps", hold}});
  machine.launch("store_index", blocks, 64);
  machine.run();
  for (std::uint32_t i = 0; i < blocks * 64; ++i) EXPECT_EQ(machine.out(i), i);
  const std::vector<GridRecord> ended = machine.gpu().take_ended();
  EXPECT_EQ(ended.size(), 1u);
  return ended[0].end_cycle - ended[0].start_cycle;
}

// An acknowledgement crosses the network twice (30 cycles each way) and an L2 slice (125).
TEST(StoresLeft, TheNextBlockWaitsForThemOnlyWhereTheyHoldTheirWarp) {
  constexpr unsigned kBlocks = 16, kAcknowledged = 30 + 125 + 30;
  const Cycle held = cycles_of(kBlocks, "true"), left = cycles_of(kBlocks, "false");
  EXPECT_GE(held, left + (kBlocks - 1) * kAcknowledged);
}

TEST(StoresLeft, AGridEndsWhenTheyHaveCome) {
  EXPECT_EQ(cycles_of(1, "true"), cycles_of(1, "false"));
}

}  // namespace
}  // namespace raddle::machine
