#include "experiment/experiment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {

/// Reads `text` as an experiment's file.
Experiment read(const std::string& text) {
  const std::string file = testing::TempDir() + "experiment.toml";
  std::ofstream(file) << text;
  return read_experiment(file);
}

/// What reading `text` complains about, without the file's folder.
std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(message.find("experiment.toml"));
  }
  return "none";
}

constexpr const char* kSmall = R"(title = "T"
[[variant]]
name = "flat"
arguments = ["--variant", "flat"]
[[variant]]
name = "dtbl"
with = ["dtbl"]
set = ["dtbl.agt_entries=512"]
gpu = "v100"
[[program]]
name = "bfs_road"
workload = "bfs"
small = ["--input", "road.gr"]
)";

TEST(ExperimentFile, IsReadInItsOrder) {
  const Experiment experiment = read(kSmall);
  ASSERT_EQ(experiment.variants.size(), 2u);
  EXPECT_EQ(experiment.variants[0].arguments, (std::vector<std::string>{"--variant", "flat"}));
  EXPECT_EQ(experiment.variants[0].gpu, "k20c");
  EXPECT_EQ(experiment.variants[1].gpu, "v100");
  EXPECT_EQ(experiment.variants[1].mechanisms, std::vector<std::string>{"dtbl"});
  ASSERT_EQ(experiment.programs.size(), 1u);
  EXPECT_EQ(experiment.programs[0].arguments.at("small"),
            (std::vector<std::string>{"--input", "road.gr"}));
}

TEST(ExperimentFile, VaryMultipliesVariants) {
  const Experiment experiment =
      read(std::string(kSmall) + "[[vary]]\nsetting = \"l1.size\"\nvalues = [16384, 49152]\n");
  ASSERT_EQ(experiment.variants.size(), 4u);
  EXPECT_EQ(experiment.variants[1].name, "flat,l1.size=49152");
  EXPECT_EQ(experiment.variants[3].settings,
            (std::vector<std::string>{"dtbl.agt_entries=512", "l1.size=49152"}));
}

TEST(ExperimentFile, UnknownKeyIsToldWithItsPlaceAndANearName) {
  EXPECT_EQ(complaint("title = \"T\"\n[[variant]]\nname = \"a\"\nargument = []\n"),
            "experiment.toml:4:1: this [[variant]] knows no 'argument'; did you mean arguments");
}

TEST(ExperimentFile, FigureOfAnUnknownVariantIsRefused) {
  const std::string figure =
      "[[figure]]\nid = 1\nmetric = \"m\"\ntitle = \"t\"\nstatistic = \"totals.ipc\"\n"
      "variants = [\"cdp\"]\n";
  EXPECT_EQ(complaint(kSmall + figure),
            "experiment.toml:14:1: the figure m names a variant 'cdp' which is not described");
}

TEST(ExperimentFile, RelationWithoutAnotherVariantIsRefused) {
  const std::string figure =
      "[[figure]]\nid = 1\nmetric = \"m\"\ntitle = \"t\"\nstatistic = \"totals.ipc\"\n"
      "relation = \"speedup\"\nvariants = [\"flat\"]\n";
  EXPECT_NE(complaint(kSmall + figure).find("needs 'against'"), std::string::npos);
}

TEST(ExperimentFile, FormulaThatIsNoneIsToldWithItsPlace) {
  const std::string figure =
      "[[figure]]\nid = 1\nmetric = \"m\"\ntitle = \"t\"\nstatistic = \"a / / b\"\n"
      "variants = [\"flat\"]\n";
  EXPECT_EQ(complaint(kSmall + figure),
            "experiment.toml:18:13: in 'a / / b', the path of a statistic is missing before '/ b'");
}

TEST(ExperimentFile, ProgramWithoutItsScaleIsRefused) {
  EXPECT_EQ(complaint("title = \"T\"\nscales = [\"small\", \"full\"]\n[[program]]\nname = \"p\"\n"
                      "workload = \"bfs\"\nsmall = []\n"),
            "experiment.toml:3:1: the program p has no arguments for the scale 'full'");
}

TEST(ExperimentFile, BadTomlNamesTheLine) {
  EXPECT_EQ(complaint("title = \n").substr(0, 17), "experiment.toml:1");
}

}  // namespace
}  // namespace raddle::experiment
