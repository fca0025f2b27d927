// The examples of HACKING.md that settings choose: a warp scheduler policy and a scheme of lane
// control.
#include <gmock/gmock.h>

#include "machine/control_flow/random_program.h"
#include "machine/kernels.h"
#include "machine/lane_controls.h"
#include "machine/warp_policies.h"

namespace raddle::mechanisms {
namespace youngest_first {
machine::MechanismKind kind();
}
namespace largest_split {
machine::MechanismKind kind();
}
}  // namespace raddle::mechanisms

namespace raddle::machine {

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = {mechanisms::youngest_first::kind(),
                                                   mechanisms::largest_split::kind()};
  return kinds;
}

namespace {

using test::Machine;
using test::RandomProgram;

TEST(Choices, APolicyOfAMechanismIsChosenByItsName) {
  Machine machine(test::kAddIndex, {{"scheduler.policy", "youngest_first"}});
  machine.launch("add_index", 20, 256);
  machine.run();
  EXPECT_EQ(machine.out(777), 4 * 777u);
}

/// Two warps that are ready all the time, of one scheduler: the one that was placed later ends
/// first.
TEST(Choices, TheYoungestWarpIssuesFirst) {
  std::string body;
  for (int n = 0; n < 400; ++n) body += "add.u32 %r" + std::to_string(10 + n % 20) + ", %r1, 1;\n";
  const std::string text =
      ".visible .entry work(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<32>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n" +
      body +
      "atom.global.add.u32 %r5, [%rd1], 1; shr.u32 %r1, %r1, 5; mul.wide.u32 %rd2, %r1, 4;\n"
      "add.u64 %rd2, %rd2, %rd1; st.global.u32 [%rd2+4], %r5; ret; }\n";
  const auto first = [&](const char* policy) {
    Machine machine(text.c_str(), {{"scheduler.policy", policy},
                                   {"gpu.sms", "1"},
                                   {"scheduler.count", "1"},
                                   {"scheduler.dispatch_width", "1"}});
    machine.launch("work", 1, 4 * 32);
    machine.run();
    unsigned warp = 0;
    for (unsigned other = 1; other < 4; ++other) {
      if (machine.out(1 + other) < machine.out(1 + warp)) warp = other;
    }
    return warp;
  };
  EXPECT_EQ(first("youngest_first"), 3u);
  EXPECT_NE(first("gto"), 3u);
}

TEST(Choices, ASchemeOfAMechanismIsChosenByItsName) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const RandomProgram program(seed, 64);
    const std::string text = program.ptx();
    Machine machine(text.c_str(), {{"scheduler.divergence", "largest_split"}, {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 64);
    machine.run();
    std::vector<std::uint32_t> results;
    for (std::uint32_t t = 0; t < 64; ++t) results.push_back(machine.out(t));
    ASSERT_EQ(results, program.results()) << "seed " << seed;
  }
}

TEST(Choices, AnUnknownNameIsRefusedWithNearOnes) {
  GpuConfig config;
  config.set("scheduler.divergence", "largest_splits");
  try {
    config.check();
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean largest_split?"));
  }
  GpuConfig other;
  other.set("scheduler.policy", "gro");
  try {
    other.check();
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("should be one of gto|lrr|two_level"));
  }
}

}  // namespace
}  // namespace raddle::machine
