// Where shared memory begins in its window: after the bytes that the system reserves, on GPUs known
// to reserve them at the window's beginning.
#include "kernels.h"

namespace raddle::machine {
namespace {

using isa::Fault;

constexpr const char* kKernels = R"(
.extern .shared .align 16 .b8 dynamic[];
.visible .entry fixed(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  .shared .align 4 .b8 own[100];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, own;
  st.global.u32 [%rd1], %r1;
  cvta.shared.u64 %rd2, own;
  cvta.to.shared.u64 %rd3, %rd2;
  st.global.u64 [%rd1+8], %rd3;
  st.u32 [%rd2+96], 7;
  ld.shared.u32 %r2, [%r1+96];
  st.global.u32 [%rd1+4], %r2;
  ret;
}
.visible .entry extra(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, dynamic;
  st.global.u32 [%rd1], %r1;
  st.shared.u32 [%r1+60], 7;
  cvta.shared.u64 %rd2, dynamic;
  ld.u32 %r2, [%rd2+60];
  st.global.u32 [%rd1+4], %r2;
  cvta.to.shared.u64 %rd3, %rd2;
  st.global.u64 [%rd1+8], %rd3;
  ret;
}
.visible .entry store(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<2>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  ld.global.u32 %r1, [%rd1];
  st.shared.u32 [%r1], 7;
  ret;
}
.visible .entry store_generic(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<2>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  ld.global.u32 %r1, [%rd1];
  cvt.u64.u32 %rd2, %r1;
  cvta.shared.u64 %rd3, %rd2;
  st.u32 [%rd3], 7;
  ret;
})";

/// Code that asks where the reserved bytes are may use them.
constexpr const char* kAsks = R"(
.visible .entry asks(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  .shared .align 4 .b8 own[100];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %reserved_smem_offset_begin;
  st.shared.u32 [%r1], 7;
  mov.u32 %r2, own;
  st.global.u32 [%rd1], %r2;
  st.shared.u32 [%r2+96], 8;
  ld.shared.u32 %r3, [%r1];
  st.global.u32 [%rd1+4], %r3;
  ret;
})";

class SharedBegin : public testing::TestWithParam<const char*> {
 protected:
  test::Settings settings(const char* begin) const {
    return {{"sm.shared_bytes", "65536"},
            {"sm.shared_reserved", "1024"},
            {"sm.shared_begin", begin},
            {"gpu.functional", GetParam()}};
  }
  static Fault::Kind run(test::Machine& machine, const char* kernel, std::uint32_t dynamic) {
    Launch launch = machine.prepare(kernel, 1, 1);
    launch.dynamic_shared_bytes = dynamic;
    machine.launch(std::move(launch));
    machine.run();
    const std::vector<FaultReport> faults = machine.gpu().take_faults();
    return faults.empty() ? Fault::Kind::none : faults[0].kind;
  }
  Fault::Kind stored(const char* kernel, std::uint32_t address) const {
    test::Machine machine(kKernels, settings("1024"));
    machine.in(0) = address;
    return run(machine, kernel, 64);
  }
};

TEST_P(SharedBegin, IsTheAddressOfTheFirstVariable) {
  for (const std::uint32_t begin : {0u, 1024u}) {
    for (const char* kernel : {"fixed", "extra"}) {
      test::Machine machine(kKernels, settings(begin == 0 ? "0" : "1024"));
      const bool dynamic = std::string(kernel) == "extra";
      ASSERT_EQ(run(machine, kernel, dynamic ? 64 : 0), Fault::Kind::none) << kernel;
      EXPECT_EQ(machine.out(0), begin) << kernel;
      EXPECT_EQ(machine.out(1), 7u) << kernel;
      EXPECT_EQ(machine.out(2), begin) << kernel << ", generic";
      EXPECT_EQ(machine.program().find_kernel(kernel)->static_shared_bytes, dynamic ? 0u : 100u);
    }
  }
}

TEST_P(SharedBegin, BoundsAccessesFromBelow) {
  for (const char* kernel : {"store", "store_generic"}) {
    EXPECT_EQ(stored(kernel, 1020), Fault::Kind::out_of_bounds) << kernel;
    EXPECT_EQ(stored(kernel, 0), Fault::Kind::out_of_bounds) << kernel;
    EXPECT_EQ(stored(kernel, 1024), Fault::Kind::none) << kernel;
    EXPECT_EQ(stored(kernel, 1024 + 60), Fault::Kind::none) << kernel;
    EXPECT_EQ(stored(kernel, 1024 + 64), Fault::Kind::out_of_bounds) << kernel;
  }
}

TEST_P(SharedBegin, LeavesTheReservedBytesToCodeThatAsksForThem) {
  test::Machine machine(kAsks, settings("1024"));
  ASSERT_EQ(run(machine, "asks", 0), Fault::Kind::none);
  EXPECT_EQ(machine.out(0), 1024u);
  EXPECT_EQ(machine.out(1), 7u);
  EXPECT_EQ(machine.program().find_kernel("asks")->static_shared_bytes, 100u);
}

INSTANTIATE_TEST_SUITE_P(Functional, SharedBegin, testing::Values("false", "true"));

}  // namespace
}  // namespace raddle::machine
