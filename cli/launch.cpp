#include "launch.h"

#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/config.h"
#include "base/error.h"
#include "base/numbered_file.h"
#include "base/temporary_file.h"
#include "cuda/run_register.h"
#include "machine/config.h"
#include "paths.h"
#include "report/profile.h"
#include "report/run_report.h"
#include "terminal.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {

/// What libraddle reads in the started process (src/cuda/options.h).
std::string options_json(const RunOptions& options, const std::string& statistics,
                         const std::string& profile) {
  nlohmann::json json{
      {"gpu", options.gpu},         {"functional", options.functional},
      {"threads", options.threads}, {"keep_going", options.keep_going},
      {"progress", !options.quiet}, {"each_launch", !options.statistics_file.empty()},
      {"with", options.with},       {"stats", statistics},
      {"profile", profile},         {"trace_interval", options.trace_interval}};
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

volatile pid_t g_child = 0;
void pass_on(int signal) { kill(g_child, signal); }

int wait_for(pid_t child) {
  // The terminal sends its signals to both; the program decides what they mean. The others are
  // passed on, so that the program does not outlive us and we take our temporary file away.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  g_child = child;
  std::signal(SIGTERM, pass_on);
  std::signal(SIGHUP, pass_on);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGQUIT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGHUP, SIG_DFL);
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  fmt::print(stderr, "raddle: the program was ended by signal {} ({})\n", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  return 128 + WTERMSIG(status);
}

std::string contents(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Of a program that ended well and has not loaded our libraries.
std::string why_unused(const std::string& program) {
  std::ifstream in(program, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  if (bytes.find("libcudart.so.") == std::string::npos) {
    return "A program built by nvcc must be linked with -cudart shared.";
  }
  return "If it does call CUDA, it found another libcudart before raddle's: through an rpath of "
         "its own (link without -Wl,-rpath,--disable-new-dtags) or LD_PRELOAD.";
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& one) {
    return one == "--help" || one == "-h" || one == "--version";
  });
}

/// The files that the processes of a run have written in place of `file`.
std::vector<std::string> files_of(const std::string& file, unsigned processes) {
  std::vector<std::string> files;
  for (unsigned number = 1; number <= processes; ++number) {
    const std::string one = numbered_file(file, number);
    if (fs::is_regular_file(one) && fs::file_size(one) != 0) files.push_back(one);
  }
  return files;
}

/// Files of further processes beside a temporary one.
void remove_further(const std::string& file, unsigned processes) {
  std::error_code ignored;
  for (unsigned number = 2; number <= processes; ++number) {
    fs::remove(numbered_file(file, number), ignored);
  }
}

/// Shows the files of all processes, each by `table`.
void report(const std::string& file, unsigned processes,
            const std::function<std::string(const std::string& json)>& table) {
  const std::vector<std::string> files = files_of(file, processes);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string json = contents(files[i]);
    const std::string which =
        files.size() == 1
            ? ""
            : fmt::format("Process {} of {}: {}\n", i + 1, files.size(),
                          nlohmann::json::parse(json).value("program", std::string()));
    fmt::print(stderr, "\n{}{}", which, table(json));
  }
}

void name_further(const std::string& what, const std::string& file, unsigned processes) {
  if (processes < 2 || file.empty()) return;
  std::string names;
  for (const std::string& one : files_of(file, processes)) names += " " + one;
  fmt::print(stderr, "raddle: {} processes used the GPU; {} of each:{}\n", processes, what, names);
}

void check_writable(const std::string& file) {
  if (file.empty() || std::ofstream(file)) return;
  fail("cannot write {}: {}", file, std::strerror(errno));
}

}  // namespace

int launch(const RunOptions& options, const std::string& program,
           const std::vector<std::string>& arguments) {
  check_options(options);
  const TemporaryFile notes_file, temporary_statistics, temporary_profile;
  const auto chosen = [](const std::string& file, const TemporaryFile& otherwise) {
    return file.empty() ? otherwise.path() : fs::absolute(file).string();
  };
  const std::string statistics = chosen(options.statistics_file, temporary_statistics);
  const std::string profile =
      options.profile ? chosen(options.profile_file, temporary_profile) : "";
  check_writable(options.statistics_file);
  check_writable(options.trace_file);
  check_writable(options.profile_file);
  const auto bundled = workload_program(program);
  const std::string path = bundled ? bundled->string() : program;
  const bool unasked = options.quiet && options.statistics_file.empty();
  setenv("RADDLE_OPTIONS", options_json(options, unasked ? "" : statistics, profile).c_str(), 1);
  setenv(cuda::kRegisterVariable, notes_file.path().c_str(), 1);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) fail("cannot start a process: {}", std::strerror(errno));
  if (child == 0) become(path, arguments);
  const int exit_code = wait_for(child);
  const cuda::RunNotes notes = cuda::read_register(notes_file.path());
  if (!notes.loaded && exit_code == 0 && !asks_for_help(arguments)) {
    fmt::print(stderr, "raddle: {} made no use of the simulated GPU. {}\n", program,
               why_unused(program));
  }
  const bool colour = wants_colour(STDERR_FILENO);
  if (!options.quiet) {
    report(statistics, notes.processes,
           [&](const std::string& json) { return report::table(json, colour); });
  }
  if (options.profile) {
    report(profile, notes.processes, [&](const std::string& json) {
      return report::profile_table(json, options.profile_lines, colour);
    });
  }
  name_further("statistics", options.statistics_file, notes.processes);
  name_further("profiles", options.profile_file, notes.processes);
  name_further("timelines", options.trace_file, notes.processes);
  remove_further(temporary_statistics.path(), notes.processes);
  remove_further(temporary_profile.path(), notes.processes);
  return notes.errors != 0 && options.error_exit_code != 0 ? options.error_exit_code : exit_code;
}

}  // namespace raddle::cli
