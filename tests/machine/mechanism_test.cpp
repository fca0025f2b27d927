// The registry, with a mechanism that has only what it must: this test's own in place of those that
// are built in.
#include "machine/mechanism.h"

#include <gmock/gmock.h>

#include "kernels.h"

namespace raddle::machine {

namespace {
struct TinyConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
};
struct Tiny : Mechanism {};
}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind tiny;
    tiny.name = "tiny";
    tiny.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
      return std::make_unique<TinyConfig>(root, "tiny");
    };
    tiny.attach = [](const ConfigGroup&, LaunchPath&) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Tiny>();
    };
    return std::vector<MechanismKind>{tiny};
  }();
  return kinds;
}

namespace {

using namespace test;

TEST(Mechanism, WithoutBuiltinsAndDefaultIsOffUntilAskedFor) {
  GpuConfig config;
  EXPECT_THAT(mechanism_names(config), testing::IsEmpty());
  switch_on(config, "tiny");
  EXPECT_THAT(mechanism_names(config), testing::ElementsAre("tiny"));
}

TEST(Mechanism, WithoutBuiltinsRuns) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(kAddIndex, {{"gpu.functional", functional}, {"gpu.mechanisms", "tiny"}});
    machine.launch("add_index", 2, 64);
    machine.run();
    EXPECT_EQ(machine.out(100), 400u);
  }
}

}  // namespace
}  // namespace raddle::machine
