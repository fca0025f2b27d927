// Compares measurements of the microbenchmarks on each described GPU with published values.
#include <fcntl.h>
#include <fmt/core.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output_file.h"
#include "base/print_error.h"
#include "base/temporary_file.h"
#include "commands.h"
#include "fidelity.h"
#include "fidelity_errors.h"
#include "launch.h"
#include "machine/config.h"
#include "paths.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {

/// A value with a larger error needs a reason, or is wrong.
constexpr double kTolerance = 0.1;

/// A published value, or a source's range; `reason` says why our value is off, if it is.
struct Published {
  std::string measurement;  // its name in workloads/micro: "memory.l2"
  double least = 0, most = 0;
  std::string source, reason;
  std::vector<Published> also;  // values of other sources, which may contradict
};

struct Measured {
  double value = 0;
  std::string unit;
};
using Measurements = std::map<std::string, Measured>;

double number(const toml::node& node, const std::string& where) {
  const std::optional<double> value = node.value<double>();
  if (!value || *value <= 0) fail("{}: should be a positive number", where);
  return *value;
}

/// Reads [least, most], or one number for both.
void read_range(const toml::node& value, const std::string& where, Published& published) {
  if (const toml::array* range = value.as_array()) {
    if (range->size() != 2) fail("{}: a range should be [least, most]", where);
    published.least = number(*range->get(0), where);
    published.most = number(*range->get(1), where);
  } else {
    published.least = published.most = number(value, where);
  }
}

Published read_row(const std::string& measurement, const toml::node& node,
                   const std::string& file) {
  const std::string where = fmt::format("{}:{}: {}", file, node.source().begin.line, measurement);
  const toml::table* row = node.as_table();
  if (row == nullptr || !row->contains("published") || !row->contains("source")) {
    fail("{}: should be {{ published = ..., source = \"...\" }}", where);
  }
  Published published{measurement,
                      0,
                      0,
                      (*row)["source"].value_or(std::string()),
                      (*row)["reason"].value_or(std::string()),
                      {}};
  read_range(*row->get("published"), where, published);
  if (const toml::array* others = (*row)["also"].as_array()) {
    for (const toml::node& other : *others) {
      published.also.push_back(read_row(measurement, other, file));
    }
  }
  return published;
}

using PublishedByGpu = std::vector<std::pair<std::string, std::vector<Published>>>;

/// The contents of workloads/micro/published.toml.
struct PublishedFile {
  PublishedByGpu gpus;  // in the order of the file
  /// Measurements that read back a setting, with this setting: their rows say nothing about the
  /// machine. The other measurements are results of many settings.
  std::map<std::string, std::string> inputs;
};

void read_inputs(const toml::table& table, PublishedFile& all) {
  machine::GpuConfig settings;
  for (const auto& [measurement, setting] : table) {
    const std::string path = setting.value_or(std::string());
    settings.field(path);  // fails if there is none
    all.inputs[std::string(measurement.str())] = path;
  }
}

PublishedFile read_published() {
  const std::string file = (root() / "workloads" / "micro" / "published.toml").string();
  PublishedFile all;
  try {
    const toml::table document = toml::parse_file(file);
    std::vector<const toml::table*> gpus;
    std::map<std::uint32_t, std::pair<std::string, const toml::table*>> by_line;
    for (const auto& [gpu, rows] : document) {
      if (!rows.is_table()) fail("{}: {} should be a table", file, gpu.str());
      if (gpu.str() == "inputs") {
        read_inputs(*rows.as_table(), all);
        continue;
      }
      by_line[rows.source().begin.line] = {std::string(gpu.str()), rows.as_table()};
    }
    for (const auto& [line, gpu] : by_line) {
      std::map<std::uint32_t, Published> rows;
      for (const auto& [measurement, row] : *gpu.second) {
        rows[row.source().begin.line] = read_row(std::string(measurement.str()), row, file);
      }
      all.gpus.emplace_back(gpu.first, std::vector<Published>());
      for (auto& [row_line, row] : rows) all.gpus.back().second.push_back(std::move(row));
    }
  } catch (const toml::parse_error& error) {
    fail("{}:{}: {}", file, error.source().begin.line, error.description());
  }
  return all;
}

/// As long as the object lives, text written to standard output is dropped.
class Silence {
 public:
  Silence() {
    std::fflush(stdout);
    before_ = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  ~Silence() {
    dup2(before_, STDOUT_FILENO);
    close(before_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int before_;
};

Measurements measure(const std::string& gpu, const std::string& group) {
  const TemporaryFile file;
  RunOptions options;
  options.gpu = gpu;
  options.quiet = true;
  run_silently(options, "micro", {"--variant", group, "--json", file.path()});
  Measurements measurements;
  const nlohmann::json document = nlohmann::json::parse(file.content());
  for (const nlohmann::json& result : document.at("results")) {
    measurements[result.at("name").get<std::string>()] = {result.at("value").get<double>(),
                                                          result.at("unit").get<std::string>()};
  }
  return measurements;
}

/// The deviation of `value` from the published value, or from the range: 0 inside it.
double deviation(double value, const Published& published) {
  if (value > published.most) return value / published.most - 1;
  if (value < published.least) return value / published.least - 1;
  return 0;
}

std::string table_row(const Published& published, const Measured& measured,
                      const std::string& kind) {
  const std::string range =
      published.least == published.most
          ? shown_value(published.least)
          : shown_value(published.least) + " to " + shown_value(published.most);
  return fmt::format("| {} | {} | {} | {} | {:+.0f}% | {} | {} | {} |\n", published.measurement,
                     shown_value(measured.value), range, measured.unit,
                     100 * deviation(measured.value, published), kind, published.source,
                     published.reason);
}

constexpr const char* kHead =
    "<!-- Generated by `raddle fidelity --write`; do not edit. -->\n"
    "# Simulated and published values\n\n"
    "What `workloads/micro` measures on each described GPU, and what was published about the "
    "hardware.\n"
    "Cycles are those of the description's SM clock. If a value is off by more than 10%, the "
    "reason is given.\n"
    "An *input* reads back a setting that was taken from a measurement: it shows that the machine "
    "does as its\ndescription says. *Assumed* reads back a setting that no measurement gave. A "
    "*result* follows from many\nsettings. *Also* is what others measured of the same; errors are "
    "summed up without it. Of a range, the error\nis that to its nearer end. Whole kernels are in "
    "[fidelity-kernels.md](fidelity-kernels.md).\n";

struct FidelityOptions {
  std::vector<std::string> gpus;
  std::string group = "all";
  bool write = false, check = false;
  bool kernels = false;
  std::string launches, programs;  // a table of measured launches, and the folder of their programs
  std::vector<std::string> settings;
  std::vector<std::string> native;
  std::vector<std::string> only_kernels;
  unsigned threads = 1;
};

constexpr const char *kInput = "input", *kAssumed = "assumed", *kResult = "result";

class Fidelity {
 public:
  explicit Fidelity(const FidelityOptions& options) : options_(options) {}

  int run() {
    const PublishedFile published = read_published();
    inputs_ = published.inputs;
    for (const auto& [gpu, rows] : published.gpus) {
      const auto& wanted = options_.gpus;
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), gpu) != wanted.end()) {
        add_gpu(gpu, rows);
      }
    }
    if (page_.empty()) fail("raddle fidelity: nothing was published about that GPU");
    const fs::path file = root() / "docs" / "fidelity.md";
    if (options_.check) return check(file);
    if (options_.write) {
      write_file(file.string(), kHead + page_);
      fmt::print("wrote {}\n", file.string());
    } else {
      fmt::print("{}", page_);
    }
    return unexplained_ == 0 ? 0 : 1;
  }

 private:
  bool wanted(const Published& row) const {
    return options_.group == "all" || row.measurement.starts_with(options_.group + ".");
  }

  void add_gpu(const std::string& gpu, const std::vector<Published>& rows) {
    const Measurements measured = measure(gpu, options_.group);
    const auto description = machine::load_gpu(gpu);
    page_ += fmt::format("\n## {}\n\n{}\n\n", gpu, machine::one_line(*description));
    page_ += "| measurement | simulated | published | unit | off by | kind | source | reason |\n";
    page_ += "|---|--:|--:|---|--:|---|---|---|\n";
    std::map<std::string_view, Errors> errors;  // by kind
    for (const Published& row : rows) {
      if (wanted(row)) add_row(gpu, row, measured, *description, errors);
    }
    page_ += "\n" + error_table_head("kind");
    for (const char* kind : {kInput, kAssumed, kResult}) {
      if (errors.count(kind) != 0) page_ += errors[kind].row(kind);
    }
  }

  void add_row(const std::string& gpu, const Published& row, const Measurements& measured,
               machine::GpuConfig& description, std::map<std::string_view, Errors>& errors) {
    const auto found = measured.find(row.measurement);
    if (found == measured.end()) {
      fail("workloads/micro/published.toml: {}: there is no measurement {}", gpu, row.measurement);
    }
    const auto input = inputs_.find(row.measurement);
    const double value = found->second.value;
    const char* kind = kResult;
    std::string shown = kResult;
    if (input != inputs_.end()) {
      const std::string& source = description.field(input->second).source();
      kind = source.starts_with("assumed") ? kAssumed : kInput;
      shown = fmt::format("{}: `{}`", kind, input->second);
    }
    errors[kind].add(value, std::clamp(value, row.least, row.most));
    add_text(table_row(row, found->second, shown));
    for (const Published& other : row.also) add_text(table_row(other, found->second, "also"));
    const double off = deviation(value, row);
    if (std::abs(off) <= kTolerance || !row.reason.empty()) return;
    ++unexplained_;
    print_error("raddle: {}: {} is off by {:+.0f}% without a reason\n", gpu, row.measurement,
                100 * off);
  }

  void add_text(const std::string& row) {
    rows_.push_back(row);
    page_ += row;
  }

  /// Whether the file has every row of the present page.
  int check(const fs::path& file) const {
    std::ifstream in(file);
    const std::string page((std::istreambuf_iterator<char>(in)), {});
    int stale = 0;
    for (const std::string& row : rows_) {
      if (page.find(row) != std::string::npos) continue;
      fmt::print("{} does not have: {}", file.string(), row);
      ++stale;
    }
    if (stale != 0) fmt::print("run: raddle fidelity --write\n");
    return stale == 0 && unexplained_ == 0 ? 0 : 1;
  }

  const FidelityOptions& options_;
  std::map<std::string, std::string> inputs_;  // as in PublishedFile
  std::string page_;                           // without its head
  std::vector<std::string> rows_;              // rows of the page
  int unexplained_ = 0;                        // number of values that are off without a reason
};

constexpr const char* kKernelsHead =
    "<!-- Generated by `raddle fidelity --kernels --write`; do not edit. -->\n"
    "# Simulated and measured kernels\n";

int run_kernels(const FidelityOptions& options) {
  const std::string page = kKernelsHead + kernels_section(options.only_kernels, options.threads);
  if (!options.write) {
    fmt::print("{}", page);
    return 0;
  }
  const std::string file = (root() / "docs" / "fidelity-kernels.md").string();
  write_file(file, page);
  fmt::print("wrote {}\n", file);
  return 0;
}

constexpr const char* kProgramsHead =
    "<!-- Generated by `raddle fidelity --kernels FILE --programs FOLDER --write`; do not edit. "
    "-->\n"
    "# Programs of others, simulated and measured\n\n";

int run_programs(const FidelityOptions& options) {
  if (options.gpus.size() != 1) {
    fail("raddle fidelity --programs: --gpu should name the GPU on which {} was measured",
         options.launches);
  }
  const ProgramsPage page =
      programs_page({options.gpus.front(), options.launches, options.programs, options.only_kernels,
                     options.settings, options.threads});
  if (options.write) {
    const std::string file = (root() / "docs" / "fidelity-programs.md").string();
    write_file(file, kProgramsHead + page.text);
    fmt::print("wrote {}\n", file);
  } else {
    fmt::print("{}", page.text);
  }
  return page.problems == 0 ? 0 : 1;
}

int run_native(const FidelityOptions& options) {
  if (options.gpus.size() != 1) {
    fail("raddle fidelity --native: --gpu should name the description that is nearest");
  }
  fmt::print("{}", native_description(options.gpus.front(), options.native, options.settings,
                                      read_published().inputs));
  return 0;
}

}  // namespace

int run_quietly(const RunOptions& options, const std::string& program,
                const std::vector<std::string>& arguments) {
  const Silence silence;
  return launch(options, program, arguments);
}

void run_silently(const RunOptions& options, const std::string& workload,
                  const std::vector<std::string>& arguments) {
  if (run_quietly(options, workload, arguments) == 0) return;
  std::string command = fmt::format("raddle run --gpu {} {}", options.gpu, workload);
  for (const std::string& argument : arguments) command += " " + argument;
  fail("{} failed; see: {}", workload, command);
}

std::string shown_value(double value) {
  return value >= 100 || value == 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

void add_fidelity(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FidelityOptions>();
  CLI::App* fidelity = app.add_subcommand(
      "fidelity", "Run the microbenchmarks and compare the results with published values");
  fidelity->add_option("--gpu", options->gpus, "Only this GPU (repeatable)")
      ->allow_extra_args(false);
  fidelity->add_option("--group", options->group, "Only these measurements: memory, latency, ...")
      ->capture_default_str();
  CLI::Option* write =
      fidelity->add_flag("--write", options->write, "Rewrite all of docs/fidelity.md");
  fidelity->add_flag("--check", options->check, "Fail if docs/fidelity.md says something else")
      ->excludes(write);
  CLI::Option* kernels =
      fidelity
          ->add_option(
              "--kernels", options->launches,
              "Run whole kernels instead: those of workloads/kernels (minutes); or, with a "
              "FILE of launches that a profiler measured, those of --programs")
          ->expected(0, 1)
          ->type_name("[FILE]");
  fidelity
      ->add_option("--programs", options->programs,
                   "The folder of the programs that FILE names (workloads/public/README.md)")
      ->needs(kernels);
  fidelity
      ->add_option("--kernel", options->only_kernels, "Only this variant or program (repeatable)")
      ->needs(kernels)
      ->excludes(write)
      ->allow_extra_args(false);
  fidelity
      ->add_option("--set", options->settings,
                   "For --programs and --native: change one setting (repeatable)")
      ->excludes(write)
      ->allow_extra_args(false);
  fidelity->add_option("--threads", options->threads, "Host threads of the simulation of kernels")
      ->needs(kernels)
      ->capture_default_str();
  fidelity
      ->add_option(
          "--native", options->native,
          "Print a description of the GPU on which workloads/micro wrote this file (--json; "
          "repeatable: means), made from that of --gpu; takes one to three minutes")
      ->allow_extra_args(false)
      ->excludes(write)
      ->excludes(kernels);
  fidelity->callback([options, kernels, &exit_code] {
    options->kernels = kernels->count() != 0;
    if (options->launches.empty() != options->programs.empty()) {
      fail(
          "raddle fidelity: a FILE of measured launches (--kernels) and a folder of their programs "
          "(--programs) need each other");
    }
    if (!options->settings.empty() && options->programs.empty() && options->native.empty()) {
      fail("raddle fidelity: --set needs --programs or --native");
    }
    if (!options->programs.empty()) {
      exit_code = run_programs(*options);
      return;
    }
    if (options->write && (!options->gpus.empty() || options->group != "all")) {
      fail("raddle fidelity --write: writes all GPUs and groups");
    }
    if (!options->native.empty()) {
      exit_code = run_native(*options);
      return;
    }
    exit_code = options->kernels ? run_kernels(*options) : Fidelity(*options).run();
  });
}

}  // namespace raddle::cli
