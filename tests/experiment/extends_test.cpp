// What an experiment's file inherits from another file, and variants that are like other variants.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "experiment/experiment.h"

namespace raddle::experiment {
namespace {
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr const char* kBase = R"(title = "Base"
source = "A paper"
scales = ["small", "full"]
gpu = "k20c"
[[variant]]
name = "flat"
arguments = ["--variant", "flat"]
[[variant]]
name = "cdp"
arguments = ["--variant", "cdp", "--threshold", "16"]
with = ["cdp"]
set = ["cdp.depth=2"]
programs = ["bfs", "clr"]
[[variant]]
name = "volta"
gpu = "v100"
[[program]]
name = "bfs"
workload = "bfs"
small = ["--size", 1]
full = ["--size", 2]
[[program]]
name = "clr"
workload = "clr"
small = []
full = []
[[figure]]
id = "1"
metric = "speedup"
title = "Speedup"
statistic = "totals.cycles"
relation = "speedup"
against = "flat"
variants = ["cdp", "volta"]
published = { cdp = 1.5 }
said = [{ program = ["bfs", "clr"], variant = "cdp", words = "more" }]
[[figure]]
id = "2"
metric = "cycles"
title = "Cycles"
statistic = "totals.cycles"
variants = ["volta"]
[[order]]
title = "Order"
statistic = "totals.cycles"
variants = ["cdp", "flat"]
)";

class Extends : public testing::Test {
 protected:
  Extends() {
    fs::create_directories(folder_);
    write("base", kBase);
  }
  ~Extends() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / (name + ".toml")) << text;
  }
  Experiment read(const std::string& text) {
    write("own", text);
    return read_experiment((folder_ / "own.toml").string());
  }
  Experiment extended(const std::string& text) {
    return read("extends = \"base\"\ntitle = \"Own\"\n" + text);
  }
  std::string complaint(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      const std::string message = error.what();
      return message.substr(message.find("own.toml:"));
    }
    return "none";
  }
  static Words names(const Experiment& experiment) {
    Words all;
    for (const Variant& variant : experiment.variants) all.push_back(variant.name);
    return all;
  }
  static Words settings(const Variant& variant) {
    Words all;
    for (const Setting& setting : variant.settings) all.push_back(setting.text);
    return all;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("raddle-extends-" + std::to_string(getpid()));
};

TEST_F(Extends, InheritsEverythingThatIsNotNamed) {
  const Experiment own = extended("");
  EXPECT_EQ(own.name, "own");
  EXPECT_EQ(own.title, "Own");
  EXPECT_EQ(own.source, "A paper");
  EXPECT_EQ(own.scales, (Words{"small", "full"}));
  EXPECT_EQ(names(own), (Words{"flat", "cdp", "volta"}));
  EXPECT_EQ(own.programs.size(), 2u);
  EXPECT_EQ(own.figures.size(), 2u);
  EXPECT_EQ(own.orders.size(), 1u);
}

TEST_F(Extends, ListsSelectFromWhatIsInherited) {
  const Experiment own =
      extended("programs = [\"clr\"]\nvariants = [\"volta\", \"c*\"]\nfigures = []\n");
  EXPECT_EQ(names(own), (Words{"volta", "cdp"}));
  ASSERT_EQ(own.programs.size(), 1u);
  EXPECT_EQ(own.variants[1].programs, Words{"clr"});
  EXPECT_TRUE(own.figures.empty());
  EXPECT_TRUE(own.orders.empty());
}

TEST_F(Extends, FiguresLoseWhatIsGone) {
  const Experiment own = extended("programs = [\"clr\"]\nvariants = [\"flat\", \"cdp\"]\n");
  ASSERT_EQ(own.figures.size(), 1u);
  EXPECT_EQ(own.figures[0].variants, Words{"cdp"});
  EXPECT_EQ(own.figures[0].said.at(0).programs, Words{"clr"});
  EXPECT_TRUE(extended("variants = [\"cdp\"]\n").figures.empty()) << "nothing to be against";
}

TEST_F(Extends, AVariantOfTheSameNameTakesOverWhatItNames) {
  const Experiment own = extended("[[variant]]\nname = \"cdp\"\nprograms = [\"bfs\"]\n");
  EXPECT_EQ(names(own), (Words{"flat", "cdp", "volta"}));
  EXPECT_EQ(own.variants[1].programs, Words{"bfs"});
  EXPECT_EQ(own.variants[1].arguments, (Words{"--variant", "cdp", "--threshold", "16"}));
  const Experiment other = extended("[[variant]]\nname = \"cdp\"\narguments = []\n");
  EXPECT_TRUE(other.variants[1].arguments.empty());
}

TEST_F(Extends, AProgramAndAFigureOfTheSameNameToo) {
  const Experiment own = extended(
      "[[program]]\nname = \"bfs\"\nsmall = [\"--size\", 9]\n"
      "[[figure]]\nmetric = \"speedup\"\nvariants = [\"cdp\"]\n");
  EXPECT_EQ(own.programs[0].arguments.at("small"), (Words{"--size", "9"}));
  EXPECT_EQ(own.programs[0].arguments.at("full"), (Words{"--size", "2"}));
  EXPECT_EQ(own.figures[0].variants, Words{"cdp"});
  EXPECT_EQ(own.figures[0].published.at("cdp"), 1.5);
  EXPECT_EQ(own.figures.size(), 2u);
}

TEST_F(Extends, AnotherGpuIsThatOfVariantsThatNameNone) {
  const Experiment own = extended("gpu = \"h200\"\n");
  EXPECT_EQ(own.variants[0].gpu, "h200");
  EXPECT_EQ(own.variants[2].gpu, "v100");
}

TEST_F(Extends, OverSeveralFiles) {
  write("middle", "extends = \"base\"\ntitle = \"Middle\"\nvariants = [\"cdp\"]\n");
  EXPECT_EQ(names(read("extends = \"middle\"\ntitle = \"Own\"\n")), Words{"cdp"});
}

TEST_F(Extends, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(complaint("title = \"T\"\nextends = \"none\"\n").substr(0, 37),
            "own.toml:2:11: there is no experiment");
  EXPECT_EQ(complaint("title = \"T\"\nextends = \"own\"\n"), "own.toml:2:11: own extends itself");
  EXPECT_EQ(complaint("extends = \"base\"\ntitle = \"T\"\nvariants = [\"cpd\"]\n"),
            "own.toml:3:12: 'variants' names 'cpd', which is not inherited; did you mean cdp");
  EXPECT_EQ(
      complaint("extends = \"base\"\ntitle = \"T\"\n[[variant]]\nname = \"x\"\nlike = \"y\"\n"),
      "own.toml:5:8: there is no variant 'y' before this one");
}

TEST_F(Extends, AVariantLikeAnotherAddsToIt) {
  const Experiment own = extended(
      "[[variant]]\nname = \"more\"\nlike = \"cdp\"\nwith = [\"dtbl\"]\n"
      "arguments = [\"--threshold\", 32, \"--child\", 64]\nset = [\"cdp.depth=3\", "
      "\"l1.ways=4\"]\n");
  const Variant& more = own.variants.back();
  EXPECT_EQ(more.arguments, (Words{"--variant", "cdp", "--threshold", "32", "--child", "64"}));
  EXPECT_EQ(more.mechanisms, (Words{"cdp", "dtbl"}));
  EXPECT_EQ(settings(more), (Words{"cdp.depth=3", "l1.ways=4"}));
  EXPECT_EQ(more.programs, (Words{"bfs", "clr"}));
}

TEST_F(Extends, AVaryOfSomeVariantsAddsToThem) {
  const Experiment own = extended(
      "[[vary]]\nvariants = [\"cdp\"]\noption = \"--threshold\"\nvalues = [1, 8]\n"
      "name = \"{variant} t={value}\"\n"
      "[[variant]]\nname = \"last\"\nlike = \"cdp t=8\"\n");
  EXPECT_EQ(names(own), (Words{"flat", "cdp", "volta", "cdp t=1", "cdp t=8", "last"}));
  EXPECT_EQ(own.variants[4].arguments, (Words{"--variant", "cdp", "--threshold", "8"}));
  EXPECT_EQ(own.variants[5].arguments, own.variants[4].arguments);
}

TEST_F(Extends, StarsOfAFigureStandForTheSame) {
  const Experiment own = extended(
      "[[vary]]\nvariants = [\"flat\", \"cdp\"]\nsetting = \"l1.ways\"\nvalues = [4, 8]\n"
      "[[figure]]\nid = \"3\"\nmetric = \"each\"\ntitle = \"E\"\nstatistic = \"totals.cycles\"\n"
      "relation = \"speedup\"\nagainst = \"flat*\"\nvariants = [\"cdp*\"]\n");
  const Figure& figure = own.figures.back();
  EXPECT_EQ(figure.variants, (Words{"cdp", "cdp,l1.ways=4", "cdp,l1.ways=8"}));
  EXPECT_EQ(figure.against_for("cdp"), Words{"flat"});
  EXPECT_EQ(figure.against_for("cdp,l1.ways=8"), Words{"flat,l1.ways=8"});
}

TEST_F(Extends, AStarLeavesOutWhatHasNothingToBeAgainst) {
  const Experiment own = extended(
      "[[vary]]\nvariants = [\"cdp\"]\nsetting = \"l1.ways\"\nvalues = [4]\n"
      "[[figure]]\nid = \"3\"\nmetric = \"each\"\ntitle = \"E\"\nstatistic = \"totals.cycles\"\n"
      "relation = \"speedup\"\nagainst = \"flat*\"\nvariants = [\"cdp*\"]\n");
  EXPECT_EQ(own.figures.back().variants, Words{"cdp"});
}

TEST_F(Extends, ValuesSaidOfProgramsAreOneEach) {
  const Experiment own = extended(
      "[[figure]]\nmetric = \"speedup\"\n"
      "said = [{ variant = \"cdp\", values = { clr = 2, bfs = 1 } }]\n");
  const std::vector<Said>& said = own.figures[0].said;
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].programs, Words{"bfs"});
  EXPECT_EQ(said[0].value, 1);
  EXPECT_EQ(said[1].value, 2);
}

}  // namespace
}  // namespace raddle::experiment
