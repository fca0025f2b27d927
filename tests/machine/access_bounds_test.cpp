// Accesses at the end of an allocation whose size is not a multiple of theirs, both as the first
// access of an instruction and as a later one; and accesses to a freed allocation.
#include "kernels.h"

namespace raddle::machine {
namespace {

using isa::Fault;

/// Loads in[1] words one after the other, from the address that in[2] and in[3] hold.
constexpr const char* kLoads = R"(
.visible .entry loads(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.global.u32 %r1, [%rd1+4];
  ld.global.u64 %rd3, [%rd1+8];
AGAIN:
  ld.global.u32 %r2, [%rd3];
  st.global.u32 [%rd2], %r2;
  add.u64 %rd3, %rd3, 4;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra AGAIN;
  ret;
})";

class AccessBounds : public testing::TestWithParam<const char*> {
 protected:
  /// What becomes of `words` loads from `offset` on of an allocation of 42 bytes.
  Fault::Kind fault_of(unsigned offset, unsigned words, bool freed = false) {
    test::Machine machine(kLoads, {{"gpu.functional", GetParam()}});
    const Address base = machine.space().allocate(42, memory::Kind::device, "odd");
    if (freed) machine.space().free(base);
    const Address from = base + offset;
    machine.in(1) = words;
    std::memcpy(&machine.in(2), &from, sizeof from);
    machine.launch("loads", 1, 1);
    machine.run();
    const std::vector<FaultReport> faults = machine.gpu().take_faults();
    return faults.empty() ? Fault::Kind::none : faults[0].kind;
  }
};

TEST_P(AccessBounds, EndWithTheLastByte) {
  EXPECT_EQ(fault_of(0, 10), Fault::Kind::none);
  EXPECT_EQ(fault_of(36, 1), Fault::Kind::none);
  EXPECT_EQ(fault_of(40, 1), Fault::Kind::out_of_bounds) << "bytes 40 to 43 of 42";
  EXPECT_EQ(fault_of(0, 11), Fault::Kind::out_of_bounds) << "the same, after ten that are inside";
}

TEST_P(AccessBounds, EndWithTheAllocation) {
  EXPECT_EQ(fault_of(0, 1, true), Fault::Kind::use_after_free);
}

INSTANTIATE_TEST_SUITE_P(Functional, AccessBounds, testing::Values("false", "true"));

}  // namespace
}  // namespace raddle::machine
