#include "launch.h"

#include <fmt/format.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/child_process.h"
#include "base/config.h"
#include "base/error.h"
#include "base/lifeline.h"
#include "base/output_file.h"
#include "base/temporary_file.h"
#include "machine/config.h"
#include "paths.h"
#include "report/profile.h"
#include "report/run_report.h"
#include "supervise.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {

/// What libraddle reads in the started process (src/cuda/options.h).
std::string options_json(const RunOptions& options, const std::string& statistics,
                         const std::string& profile) {
  nlohmann::json json{{"gpu", options.gpu},
                      {"functional", options.functional},
                      {"threads", options.threads},
                      {"keep_going", options.keep_going},
                      {"progress", !options.quiet},
                      {"with", options.with},
                      {"stats", statistics},
                      {"profile", profile},
                      {"trace_interval", options.trace_interval}};
  if (!options.trace_file.empty()) json["trace"] = fs::absolute(options.trace_file).string();
  json["set"] = nlohmann::json::object();
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail("--set {}: should be unit.field=value", setting);
    }
    json["set"][setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return json.dump();
}

/// A wrong GPU or setting is told before the program starts, not from inside it.
void check_options(const RunOptions& options) {
  if (options.functional && !options.trace_file.empty()) {
    fail("--trace draws times, and a --functional run has none");
  }
  auto config = machine::load_gpu(options.gpu);
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail("--set {}: should be unit.field=value", setting);
    }
    config->set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  machine::switch_on(*config, options.with);
  config->check();
}

/// Says what to do with a file that cannot be started as it is, or what its name may have meant.
std::string advice(const std::string& program) {
  const fs::path file = program;
  if (fs::is_directory(file)) return " (a folder)";
  if (file.extension() == ".cu") {
    return fmt::format("; compile it first: raddle cc {} -o program", program);
  }
  if (file.extension() == ".ptx") {
    return fmt::format("; PTX has no host program to run; look at it: raddle inspect {}", program);
  }
  if (program.find('/') != std::string::npos) return "";
  if (fs::exists(file)) return fmt::format("; did you mean ./{}?", program);
  const std::vector<std::string> near = near_names(program, workload_names());
  return near.empty() ? " (raddle workloads lists what is bundled)"
                      : fmt::format("; did you mean the workload {}?", near.front());
}

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments) {
  // Host addresses that a program shows to the GPU are then the same in every run.
  personality(ADDR_NO_RANDOMIZE);
  std::string libraries = (build() / "lib").string();
  if (const char* before = std::getenv("LD_LIBRARY_PATH")) libraries += std::string(":") + before;
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  setenv("RADDLE_ROOT", root().c_str(), 1);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(program.c_str(), argv.data());
  const int error = errno;
  fmt::print(stderr, "raddle: cannot start {}: {}{}\n", program, std::strerror(error),
             advice(program));
  _exit(127);
}

/// Of a program that ended well without a statistics file.
std::string why_unused(const std::string& program) {
  std::ifstream in(program, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  if (bytes.find("libcudart.so.") == std::string::npos) {
    return "A program built by nvcc must be linked with -cudart shared.";
  }
  return "If it does call CUDA, it found another libcudart before raddle's: through an rpath of "
         "its "
         "own (link without -Wl,-rpath,--disable-new-dtags) or LD_PRELOAD.";
}

void report(const RunOptions& options, const std::string& json, const std::string& program,
            int exit_code) {
  if (json.empty()) {
    if (exit_code == 0) {
      fmt::print(stderr, "raddle: {} made no use of the simulated GPU. {}\n", program,
                 why_unused(program));
    }
    return;
  }
  if (!options.quiet) fmt::print(stderr, "\n{}", report::table(json, isatty(STDERR_FILENO) != 0));
}

void report_profile(const RunOptions& options, const std::string& json) {
  if (json.empty()) return;
  fmt::print(stderr, "\n{}",
             report::profile_table(json, options.profile_lines, isatty(STDERR_FILENO) != 0));
}

/// Takes the statistics to where they were asked for; says so when there are none to take.
void keep_statistics(const RunOptions& options, const std::string& json) {
  if (options.statistics_file.empty()) return;
  if (!json.empty()) return write_file(options.statistics_file, json);
  fmt::print(stderr, "raddle: there are no statistics: {} is not written\n",
             options.statistics_file);
}

void keep_profile(const RunOptions& options, const std::string& json) {
  if (!options.profile_file.empty() && !json.empty()) write_file(options.profile_file, json);
}

/// Does `write`; true, after saying why, when it fails.
template <class Write>
bool loses(const Write& write) {
  try {
    write();
    return false;
  } catch (const Error& error) {
    fmt::print(stderr, "raddle: {}\n", error.what());
    return true;
  }
}

/// Takes the results of a program that has ended to where they belong. The run's exit code: a
/// program whose results are lost has not succeeded.
int hand_over(const RunOptions& options, const std::string& statistics, const std::string& profile,
              const Lifeline& lifeline, int exit_code) {
  bool lost = !lifeline.failed_outputs().empty();
  lost |= loses([&] { keep_statistics(options, statistics); });
  lost |= loses([&] { keep_profile(options, profile); });
  return lost && exit_code == 0 ? 2 : exit_code;
}

int run_program(const std::string& file, const std::vector<std::string>& arguments,
                const Lifeline& lifeline) {
  const HeldSignals held;
  const pid_t child = fork_child(SIGKILL);
  if (child == 0) {
    held.release();
    become(file, arguments);
  }
  return supervise(child, held, lifeline);
}

}  // namespace

int launch(const RunOptions& options, const std::string& program,
           const std::vector<std::string>& arguments) {
  check_options(options);
  watch_lifeline();  // of another `raddle run`, which runs this one
  for (const std::string* file :
       {&options.statistics_file, &options.trace_file, &options.profile_file}) {
    check_writable(*file);
  }
  const TemporaryFile statistics;
  const TemporaryFile profile;
  const Lifeline lifeline;
  const auto bundled = workload_program(program);
  const std::string path = bundled ? bundled->string() : program;
  const std::string text =
      options_json(options, statistics.path(), options.profile ? profile.path() : "");
  setenv("RADDLE_OPTIONS", text.c_str(), 1);
  setenv(kLifelineVariable, lifeline.text().c_str(), 1);
  std::fflush(nullptr);
  const int exit_code = run_program(path, arguments, lifeline);
  const std::string json = statistics.content();
  report(options, json, program, exit_code);
  if (options.profile) report_profile(options, profile.content());
  return hand_over(options, json, profile.content(), lifeline, exit_code);
}

}  // namespace raddle::cli
