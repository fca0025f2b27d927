// Pages of evidence: numbers in a handwritten text are filled in from results in the tree.
#include "experiment/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "experiment/kept_results.h"

namespace raddle::experiment {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kExperiment = R"(title = "Caching"
source = "A paper"
[[variant]]
name = "plain"
[[variant]]
name = "cached"
[[program]]
name = "p"
workload = "bfs"
small = []
[[program]]
name = "q"
workload = "bfs"
small = []
[[figure]]
id = "11"
metric = "speedup"
title = "Speedup"
statistic = "totals.cycles"
relation = "speedup"
against = "plain"
variants = ["cached"]
published = { cached = 1.5 }
published_most = { cached = 3 }
said = [{ program = "p", variant = "cached", value = 1.75 }, { program = ["p", "q"], words = "faster" }]
[[order]]
title = "Cached first"
statistic = "totals.cycles"
variants = ["cached", "plain"]
)";

/// A tree of its own, whose runs of p and q take 300 and 400 cycles, cached 150 and 320.
class Pages : public testing::Test {
 protected:
  Pages() {
    fs::remove_all(root_);
    for (const char* part : {"experiments", "results"}) fs::create_directories(root_ / part);
    std::ofstream(root_ / "experiments/e.toml") << kExperiment;
    keep({run("p", "plain", 300), run("p", "cached", 150), run("q", "plain", 400),
          run("q", "cached", 320)});
    write("Here", "1");
  }
  ~Pages() override { fs::remove_all(root_); }

  static StoredRun run(const std::string& program, const std::string& variant, int cycles) {
    StoredRun run;
    run.identity = {program, variant + "=1\n", "host 1"};
    run.program = program;
    run.variant = variant;
    run.scale = "small";
    run.seconds = 60;
    run.maker = {"0123456789abcdef", "a processor", "2026-01-31"};
    run.statistics = "{\"totals\": {\"cycles\": " + std::to_string(cycles) + "}}";
    return run;
  }
  void keep(const std::vector<StoredRun>& runs) {
    const Experiment experiment = read_experiment((root_ / "experiments/e.toml").string());
    const std::string text =
        kept_text(experiment, runs, KeptResults((root_ / "none").string()), paths_of(experiment));
    std::ofstream(root_ / "results/e.json") << text;
  }
  /// The hand text, with `own` in one section. The section Here begins in line 3.
  void write(const std::string& section, const std::string& own) {
    std::ofstream out(root_ / "experiments/e.md");
    for (const std::string& heading : HandText::headings()) {
      out << "## " << heading << "\n"
          << (heading == section        ? own
              : heading == "Deviations" ? "- none"
              : heading == "Row"        ? "a | b | c | d"
                                        : "x")
          << "\n";
    }
  }
  std::string page() { return Evidence(root_).page("e").at("docs/evidence/e.md"); }
  std::string here(const std::string& text) {
    write("Here", text);
    const std::string all = page();
    const std::size_t begin = all.find("**Here.** ") + 10;
    return all.substr(begin, all.find('\n', begin) - begin);
  }
  std::string complaint(const std::string& section, const std::string& text) {
    write(section, text);
    try {
      page();
      Evidence(root_).overview();
    } catch (const Error& error) {
      const std::string message = error.what();
      return message.substr(std::min(message.find("e.md"), message.size()));
    }
    return "none";
  }

  const fs::path root_ =
      fs::path(testing::TempDir()) /
      (std::string("pages_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Pages, PlaceholdersAreFilled) {
  // p 2, q 1.25: the average is 1.625.
  EXPECT_EQ(here("{{speedup/cached}} {{speedup/cached .3}} {{speedup/cached +.1}}"),
            "1.62 1.625 +1.6");
  EXPECT_EQ(here("{{speedup/cached/median}} {{speedup/cached/least}} {{speedup/cached/most}}"),
            "1.62 1.25 2.00");
  EXPECT_EQ(here("{{speedup/cached/p}} {{speedup/cached/p/paper}}"), "2.00 1.75");
  EXPECT_EQ(here("{{speedup/cached/paper}} {{speedup/cached/paper_most .0}}"), "1.50 3");
  EXPECT_EQ(here("{{speedup/cached/programs}}, {{order/1}}, {{sides}}"), "2 of 2, 2 of 2, 2 of 2");
  EXPECT_EQ(here("{{run/q/cached/totals.cycles .0}}"), "320");
  EXPECT_EQ(here("{{runs}} {{programs}} {{variants}} {{minutes}} {{commit}} {{date}}"),
            "4 2 2 4 0123456789ab 2026-01-31");
}

TEST_F(Pages, NumbersHaveTheFormatThatIsAsked) {
  EXPECT_EQ(
      here("{{speedup/cached/q gain}} {{speedup/cached/q loss.1}} {{speedup/cached/q percent}}"),
      "25 % -25.0 % 125 %");
}

TEST_F(Pages, NumbersOfOtherExperimentsCanBeNamed) {
  fs::copy(root_ / "experiments/e.toml", root_ / "experiments/other.toml");
  fs::copy(root_ / "results/e.json", root_ / "results/other.json");
  EXPECT_EQ(here("{{other:speedup/cached/p}}"), "2.00");
}

TEST_F(Pages, WhatIsUnknownIsNamedWithFileAndLine) {
  for (const auto& [placeholder, message] :
       {std::pair("{{speedp/cached}}", "there is no figure 'speedp'; did you mean speedup"),
        std::pair("{{speedup/cashed}}",
                  "there is no variant of the figure speedup 'cashed'; did you mean cached"),
        std::pair("{{speedup/cached/r}}", "there is no program 'r'"),
        std::pair("{{speedup/cached/q/paper}}", "there is no number: speedup/cached/q/paper"),
        std::pair("{{run/p/cached/totals.cylces}}", "did you mean totals.cycles"),
        std::pair("{{order/2}}", "there is no order 2: there are 1"),
        std::pair("{{rnus}}", "there is no number 'rnus'; did you mean runs"),
        std::pair("{{nowhere:speedup/cached}}", "there is no experiment 'nowhere'"),
        std::pair("{{speedup/cached", "'{{' without '}}'")}) {
    const std::string told = complaint("Here", std::string("abc ") + placeholder);
    EXPECT_THAT(told, testing::StartsWith("e.md:4:5: ")) << placeholder;
    EXPECT_THAT(told, HasSubstr(message)) << placeholder;
  }
}

TEST_F(Pages, TypedNumbersAreRefused) {
  EXPECT_THAT(complaint("Here", "it is 1.07 times"), testing::StartsWith("e.md:4:7: a number is"));
  EXPECT_THAT(complaint("Here", "it is 13 %"), testing::StartsWith("e.md:4:8: a number is"));
  EXPECT_EQ(complaint("Here", "sections 4.3 and 5.2, Figure 7.1, `x=0.5`, 32 threads, 2015"),
            "none");
}

TEST_F(Pages, EveryNumberOfThePaperIsInTheTable) {
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("| 11 | Speedup: cached | 2 of 2 | 1.625 | 1.625 | 1.500 |"));
  EXPECT_THAT(text, HasSubstr("| 11 | Speedup: cached, the most | 2 of 2 | 2.000 |  | 3.000 |"));
  EXPECT_THAT(text, HasSubstr("| 11 | Speedup: cached | p | 2.000 |  | 1.750 |"));
  EXPECT_THAT(text, HasSubstr("| 11 | Speedup: cached | p, q | 1.250 to 2.000 |  | faster |"));
}

TEST_F(Pages, ThatAreTooLongAreRefused) {
  std::string items;
  for (int n = 0; n < 11; ++n) items += "- one more\n";
  EXPECT_THAT(complaint("Deviations", items), HasSubstr("more than 10 deviations"));
  std::string words;
  for (int n = 0; n < 110; ++n) words += "ten signs ";
  EXPECT_THAT(complaint("Claim", words), HasSubstr("at most 10"));
  EXPECT_THAT(complaint("Row", "a | b"), HasSubstr("a row is: what | the paper | here"));
}

TEST_F(Pages, SectionsAreThoseThatThereAre) {
  write("Here", "x");
  std::ofstream(root_ / "experiments/e.md", std::ios::app) << "## Clam\n";
  try {
    page();
    FAIL() << "was made";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("e.md:15: there is no section 'Clam'; did you mean Claim"));
  }
}

TEST_F(Pages, ARunThatResultsLackIsNamed) {
  keep({run("p", "plain", 300), run("p", "cached", 150), run("q", "plain", 400)});
  try {
    page();
    FAIL() << "was made";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("has no run of q/cached"));
  }
}

}  // namespace
}  // namespace raddle::experiment
