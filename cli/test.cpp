#include <fmt/core.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>

#include "base/child_process.h"
#include "base/error.h"
#include "commands.h"
#include "paths.h"

namespace raddle::cli {

namespace {

/// Reads an attribute of the first element of a JUnit file.
unsigned attribute(const std::string& head, const std::string& name) {
  std::smatch match;
  const bool found = std::regex_search(head, match, std::regex(name + "=\"([0-9]+)\""));
  return found ? static_cast<unsigned>(std::stoul(match[1])) : 0;
}

int run_tests(const std::string& filter, unsigned jobs) {
  const auto results = build() / "test-results.xml";
  std::error_code ignored;
  std::filesystem::remove(results, ignored);  // results of an earlier run do not count
  std::vector<std::string> command = {
      "ctest", "--test-dir", build().string(),     "--output-on-failure", "--timeout",
      "600",   "-j",         std::to_string(jobs), "--output-junit",      results.string()};
  if (!filter.empty()) command.insert(command.end(), {"-R", filter});
  std::fflush(nullptr);
  const int status = wait_for_child(start_child(command, {.death_signal = SIGTERM}));
  std::ifstream in(results);
  std::string head, line;
  for (int i = 0; i < 12 && std::getline(in, line); ++i) head += line + "\n";
  const unsigned all = attribute(head, "tests"), failed = attribute(head, "failures");
  const unsigned skipped = attribute(head, "skipped") + attribute(head, "disabled");
  if (all == 0) fail("no test ran: ctest found none in {}", build().string());
  fmt::print("\n{} passed, {} failed, {} skipped\n", all - failed - skipped, failed, skipped);
  return status == 0 && failed == 0 ? 0 : 1;
}

}  // namespace

void add_test(CLI::App& app, int& exit_code) {
  auto filter = std::make_shared<std::string>();
  auto jobs = std::make_shared<unsigned>(2);
  CLI::App* test = app.add_subcommand("test", "Run the project's tests");
  test->add_option("FILTER", *filter, "Only tests whose name matches this regular expression");
  test->add_option("-j,--jobs", *jobs, "Number of tests at a time")->capture_default_str();
  test->callback([filter, jobs, &exit_code] { exit_code = run_tests(*filter, *jobs); });
}

}  // namespace raddle::cli
