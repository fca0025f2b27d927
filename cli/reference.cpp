#include <fmt/format.h>

#include <fstream>
#include <functional>

#include "base/error.h"
#include "commands.h"
#include "cuda/coverage.h"
#include "isa/print.h"
#include "paths.h"
#include "report/run_report.h"

namespace raddle::cli {

namespace {

struct Page {
  const char* name;
  std::function<std::string()> make;
};

const std::vector<Page>& pages() {
  static const std::vector<Page> all = {
      {"statistics", report::statistics_reference},
      {"settings", report::settings_reference},
      {"ptx-coverage", isa::coverage_page},
      {"cuda-coverage", cuda::coverage_page},
  };
  return all;
}

/// Rewrites docs/reference/, or with `check` only tells whether it is up to date.
int write_pages(bool check) {
  int stale = 0;
  for (const Page& page : pages()) {
    const auto file = root() / "docs" / "reference" / (std::string(page.name) + ".md");
    const std::string text = page.make();
    std::ifstream in(file);
    const std::string before((std::istreambuf_iterator<char>(in)), {});
    if (before == text) continue;
    if (check) {
      fmt::print("{} is not what the code says; run: raddle reference --write\n", file.string());
      ++stale;
    } else {
      std::ofstream(file) << text;
      fmt::print("wrote {}\n", file.string());
    }
  }
  return stale == 0 ? 0 : 1;
}

}  // namespace

void add_reference(CLI::App& app, int& exit_code) {
  auto name = std::make_shared<std::string>();
  auto write = std::make_shared<bool>(false);
  auto check = std::make_shared<bool>(false);
  CLI::App* reference = app.add_subcommand(
      "reference",
      "Print a generated reference page: statistics, settings, ptx-coverage, cuda-coverage");
  reference->add_option("PAGE", *name, "Which page");
  reference->add_flag("--write", *write, "Rewrite all pages in docs/reference/");
  reference->add_flag("--check", *check, "Fail when a page in docs/reference/ is out of date");
  reference->callback([=, &exit_code] {
    if (*write || *check) {
      exit_code = write_pages(*check);
      return;
    }
    for (const Page& page : pages()) {
      if (*name == page.name) {
        fmt::print("{}", page.make());
        return;
      }
    }
    fail(
        "raddle reference: there is no page '{}'; there are statistics, settings, ptx-coverage and "
        "cuda-coverage",
        *name);
  });
}

}  // namespace raddle::cli
