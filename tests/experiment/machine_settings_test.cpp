#include "experiment/machine_settings.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace raddle::experiment {
namespace {

TEST(MachineSettings, AreTheSameWhenWrittenAndRead) {
  const MachineSettings settings(*machine::load_gpu("k20c"));
  EXPECT_EQ(MachineSettings(settings.text()).text(), settings.text());
}

TEST(MachineSettings, OfAMachineWithAnotherValueDiffer) {
  const auto one = machine::load_gpu("k20c"), other = machine::load_gpu("k20c");
  EXPECT_TRUE(MachineSettings(*one).same(MachineSettings(*other)));
  other->set("l1.latency", "77");
  EXPECT_FALSE(MachineSettings(*one).same(MachineSettings(*other)));
}

TEST(MachineSettings, OfMechanismsThatAreOffDoNotCount) {
  const auto one = machine::load_gpu("k20c"), other = machine::load_gpu("k20c");
  other->set("blocks.update_latency", "77");
  EXPECT_TRUE(MachineSettings(*one).same(MachineSettings(*other)));
  machine::switch_on(*one, "blocks");
  machine::switch_on(*other, "blocks");
  EXPECT_FALSE(MachineSettings(*one).same(MachineSettings(*other)));
}

TEST(MachineSettings, ThatOneSideDoesNotKnowHaveToBeAtTheirDefault) {
  EXPECT_TRUE(same_machine("a.x=1\n", "a.x=1\na.y=2\n"));
  EXPECT_TRUE(same_machine("a.x=1\na.y=2\n", "a.x=1\n"));
  EXPECT_FALSE(same_machine("a.x=1\n", "a.x=1\n*a.y=2\n"));
  EXPECT_FALSE(same_machine("a.x=1\n*a.y=2\n", "a.x=1\n"));
}

TEST(MachineSettings, AreComparedByValueWhateverTheDefaultIs) {
  EXPECT_TRUE(same_machine("*a.x=1\n", "a.x=1\n"));
  EXPECT_FALSE(same_machine("a.x=1\n", "a.x=2\n"));
}

TEST(MachineSettings, ThatAreNoneAreRefused) { EXPECT_THROW(MachineSettings("a.x\n"), Error); }

}  // namespace
}  // namespace raddle::experiment
