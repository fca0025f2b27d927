#include "experiment/experiment.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {

/// Reads `text` as an experiment's file.
Experiment read(const std::string& text) {
  // Tests run side by side, each in a process of its own.
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("raddle-experiment-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = folder / "experiment.toml";
  std::ofstream(file) << text;
  struct Removed {
    std::filesystem::path folder;
    ~Removed() { std::filesystem::remove_all(folder); }
  } const removed{folder};
  return read_experiment(file);
}

/// What reading `text` complains about, without the file's folder.
std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(message.find("experiment.toml:"));
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
  ASSERT_EQ(experiment.variants[3].settings.size(), 2u);
  EXPECT_EQ(experiment.variants[3].settings[0].text, "dtbl.agt_entries=512");
  EXPECT_EQ(experiment.variants[3].settings[0].place.line, 8u);
  EXPECT_EQ(experiment.variants[3].settings[1].text, "l1.size=49152");
  EXPECT_EQ(experiment.variants[3].settings[1].place.line, 14u);
}

TEST(ExperimentFile, ValuesAndArgumentsMayBeNumbersAndBooleans) {
  const Experiment experiment = read(
      "title = \"T\"\n[[variant]]\nname = \"v\"\narguments = [0.5, 8, true]\n[[vary]]\n"
      "setting = \"gpu.skip_idle\"\nvalues = [true, false, 700.5]\n[[program]]\nname = \"p\"\n"
      "workload = \"bfs\"\nsmall = []\n");
  EXPECT_EQ(experiment.variants[0].arguments, (std::vector<std::string>{"0.5", "8", "true"}));
  EXPECT_EQ(experiment.variants[1].name, "v,gpu.skip_idle=false");
  EXPECT_EQ(experiment.variants[2].settings[0].text, "gpu.skip_idle=700.5");
}

TEST(ExperimentFile, ListInPlaceOfATextIsRefused) {
  EXPECT_EQ(complaint("title = \"T\"\n[[variant]]\nname = []\n"),
            "experiment.toml:3:8: 'name' should be a string, a number, true or false");
}

TEST(ExperimentFile, UnknownKeyIsToldWithItsPlaceAndANearName) {
  EXPECT_EQ(complaint("title = \"T\"\n[[variant]]\nname = \"a\"\nargument = []\n"),
            "experiment.toml:4:1: this [[variant]] knows no 'argument'; did you mean arguments");
}

/// A figure of `flat` with these lines in it; its first line is the file's 14th.
std::string figure_with(const std::string& lines) {
  return kSmall + ("[[figure]]\nid = 1\nmetric = \"m\"\ntitle = \"t\"\n"
                   "statistic = \"totals.ipc\"\n" +
                   lines);
}

TEST(ExperimentFile, FigureOfAnUnknownVariantIsRefused) {
  EXPECT_EQ(complaint(figure_with("variants = [\"cdp\"]\n")),
            "experiment.toml:14:1: the figure m names a variant 'cdp' which is not described");
}

TEST(ExperimentFile, RelationWithoutAnotherVariantIsRefused) {
  const std::string lines = "relation = \"speedup\"\nvariants = [\"flat\"]\n";
  EXPECT_NE(complaint(figure_with(lines)).find("needs 'against'"), std::string::npos);
}

TEST(ExperimentFile, VariantOfAnUnknownProgramIsRefused) {
  EXPECT_NE(complaint("title = 'T'\n[[variant]]\nname = 'v'\nprograms = ['p', 'none']\n"
                      "[[program]]\nname = 'p'\nworkload = 'bfs'\nsmall = []\n")
                .find("there is no [[program]] called 'none'"),
            std::string::npos);
}

TEST(ExperimentFile, FigureWithoutVariantsIsRefused) {
  EXPECT_EQ(complaint(figure_with("")), "experiment.toml:14:1: the figure m shows no variants");
}

TEST(ExperimentFile, PublishedNumberOfAVariantThatIsNotShownIsRefused) {
  EXPECT_EQ(
      complaint(figure_with("variants = [\"flat\"]\npublished = { dtbl = 1.2 }\n")),
      "experiment.toml:14:1: 'published' has 'dtbl', which is not among the figure's variants");
}

TEST(ExperimentFile, GeometricAverageOfDifferencesIsRefused) {
  for (const char* relation : {"difference", "reduction"}) {
    const std::string lines = fmt::format(
        "variants = [\"dtbl\"]\nagainst = \"flat\"\naverage = \"geometric\"\nrelation = \"{}\"\n",
        relation);
    EXPECT_NE(complaint(figure_with(lines)).find("have no geometric average"), std::string::npos);
  }
}

TEST(ExperimentFile, FormulaThatIsNoneIsToldWithItsPlace) {
  const std::string figure =
      "[[figure]]\nid = 1\nmetric = \"m\"\ntitle = \"t\"\nstatistic = \"a / / b\"\n"
      "variants = [\"flat\"]\n";
  EXPECT_EQ(complaint(kSmall + figure),
            "experiment.toml:18:13: in 'a / / b', the path of a statistic is missing before '/ b'");
}

constexpr const char* kFigure = R"([[figure]]
id = "1"
metric = "cycles"
title = "Cycles"
axis = "cycles"
statistic = "totals.cycles"
variants = ["flat", "dtbl"]
)";

TEST(ExperimentFile, WhatIsSaidOfProgramsIsRead) {
  const Experiment experiment =
      read(std::string(kSmall) + kFigure +
           "said = [{ program = \"bfs_road\", value = 3 },"
           " { program = [\"bfs_road\"], variant = \"dtbl\", words = \"little\" }]\n"
           "[[order]]\ntitle = \"O\"\nstatistic = \"totals.cycles\"\n"
           "variants = [\"dtbl\", \"flat\"]\n");
  const Figure& figure = experiment.figures.at(0);
  EXPECT_EQ(figure.axis, "cycles");
  ASSERT_EQ(figure.said.size(), 2u);
  EXPECT_EQ(figure.said[0].value, 3);
  EXPECT_EQ(figure.said[0].variants, figure.variants);
  EXPECT_EQ(figure.said[1].value, std::nullopt);
  EXPECT_EQ(figure.said[1].variants, std::vector<std::string>{"dtbl"});
  EXPECT_EQ(experiment.orders.at(0).variants, (std::vector<std::string>{"dtbl", "flat"}));
}

TEST(ExperimentFile, WhatIsSaidMustBeOfSomethingThatIsShown) {
  const std::string figure = std::string(kSmall) + kFigure;
  EXPECT_NE(complaint(figure + "said = [{ program = \"elsewhere\", value = 3 }]\n")
                .find("no [[program]] called 'elsewhere'"),
            std::string::npos);
  EXPECT_NE(
      complaint(figure + "said = [{ program = \"bfs_road\", variant = \"cdp\", value = 3 }]\n")
          .find("shows no variant 'cdp'"),
      std::string::npos);
  EXPECT_NE(complaint(figure + "said = [{ program = \"bfs_road\" }]\n").find("neither"),
            std::string::npos);
  EXPECT_NE(
      complaint(std::string(kSmall) +
                "[[order]]\ntitle = \"O\"\nstatistic = \"a\"\nvariants = [\"flat\", \"cdp\"]\n")
          .find("'cdp' which is not described"),
      std::string::npos);
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
