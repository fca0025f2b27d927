// The example of HACKING.md of a unit with instructions.
#include <gtest/gtest.h>

#include "machine/kernels.h"
#include "machine/mechanism.h"

namespace raddle::mechanisms::places {
machine::MechanismKind kind();
}

namespace raddle::machine {

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds{mechanisms::places::kind()};
  return kinds;
}

namespace {

using namespace test;

/// Each thread adds 1 to out[place], which nobody else does while it has the place.
constexpr const char* kKernel = R"(
.visible .entry add_one(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd2, [out];
  place.take.u32 %r1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.volatile.global.u32 %r2, [%rd4];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%rd4], %r2;
  place.give.u32 %r1;
  ret;
})";

class Places : public testing::TestWithParam<Settings> {
 protected:
  /// out[0..255] after a run of 6 blocks of 100 threads on one multiprocessor.
  std::vector<std::uint32_t> run(const char* count) {
    Settings settings = GetParam();
    settings.insert(settings.end(),
                    {{"gpu.mechanisms", "places"}, {"gpu.sms", "1"}, {"places.count", count}});
    Machine machine(kKernel, settings);
    machine.launch("add_one", 6, 100);
    machine.run();
    EXPECT_TRUE(machine.gpu().take_faults().empty());
    std::vector<std::uint32_t> out;
    for (unsigned n = 0; n < 256; ++n) out.push_back(machine.out(n));
    return out;
  }
};

TEST_P(Places, ALaneHasItsPlaceToItself) {
  for (const char* count : {"1", "5"}) {
    const std::vector<std::uint32_t> out = run(count);
    unsigned sum = 0;
    for (const std::uint32_t one : out) sum += one;
    EXPECT_EQ(sum, 600u) << count << " places";  // none of the additions was lost
  }
}

TEST_P(Places, NobodyHasAPlaceThatIsNotThere) {
  const std::vector<std::uint32_t> out = run("5");
  for (unsigned n = 0; n < 256; ++n) EXPECT_EQ(out[n] != 0, n < 5) << "place " << n;
}

// One thread keeps the only place, and asks for another.
TEST_P(Places, WhoWaitsIsSaidToWaitForTheUnit) {
  constexpr const char* kGreedy = R"(
.visible .entry greedy(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>;
  place.take.u32 %r1;
  place.take.u32 %r2;
  ret;
})";
  Settings settings = GetParam();
  settings.insert(settings.end(),
                  {{"gpu.mechanisms", "places"}, {"gpu.sms", "1"}, {"places.count", "1"}});
  Machine machine(kGreedy, settings);
  machine.launch("greedy", 1, 1);
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::deadlock);
  const std::string expected = "(place.take.u32 %r2) waits for the unit of places";
  EXPECT_NE(faults[0].text.find(expected), std::string::npos) << faults[0].text;
}

INSTANTIATE_TEST_SUITE_P(Machines, Places,
                         testing::Values(Settings{{"gpu.functional", "true"}}, Settings{},
                                         Settings{{"scheduler.divergence", "independent"}},
                                         Settings{{"scheduler.divergence", "dual_path"}}));

}  // namespace
}  // namespace raddle::machine
