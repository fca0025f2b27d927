#include "launch.h"

#include <fmt/core.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/child_process.h"
#include "base/config.h"
#include "base/document_file.h"
#include "base/error.h"
#include "base/lifeline.h"
#include "base/numbered_file.h"
#include "base/output_file.h"
#include "base/print_error.h"
#include "base/result_pipe.h"
#include "base/temporary_file.h"
#include "cuda/run_register.h"
#include "experiment/fingerprint.h"
#include "left_out.h"
#include "machine/settings.h"
#include "missing_libraries.h"
#include "paths.h"
#include "provenance.h"
#include "report/profile.h"
#include "report/run_report.h"
#include "report/trace_file.h"
#include "supervise.h"
#include "terminal.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {

bool wants_statistics(const RunOptions& options) {
  return !options.quiet || !options.statistics_file.empty();
}

/// The options that libraddle reads in the started process (src/cuda/options.h).
std::string options_json(const RunOptions& options) {
  nlohmann::ordered_json json{{"gpu", options.gpu},
                              {"gpu_named", options.gpu_named},
                              {"lenient", options.lenient},
                              {"functional", options.functional},
                              {"threads", options.threads},
                              {"keep_going", options.keep_going},
                              {"progress", !options.quiet},
                              {"each_launch", !options.statistics_file.empty()},
                              {"with", options.with},
                              {"stats", wants_statistics(options)},
                              {"profile", options.profile},
                              {"trace_interval", options.trace_interval},
                              {"trace_limit", options.trace_limit},
                              {"launches", options.most_launches},
                              {"launch_statistics", options.launch_statistics}};
  json["run"] = nlohmann::ordered_json::parse(provenance_json());
  if (fs::is_regular_file(options.gpu)) {  // the file may change later
    json["run"]["description_file"] = {
        {"path", fs::absolute(options.gpu).string()},
        {"fingerprint", experiment::fingerprint_text(std::filesystem::path(options.gpu))}};
  }
  if (!options.trace_file.empty()) json["trace"] = fs::absolute(options.trace_file).string();
  json["set"] = nlohmann::json::object();
  for (const std::string& setting : options.settings) {
    const auto [path, value] = machine::split_setting(setting);
    json["set"][path] = value;
  }
  return json.dump();
}

/// Reports a wrong GPU or setting before the program starts, not from inside it.
void check_options(const RunOptions& options) {
  if (options.statistics_file.ends_with(".html")) {
    fail("--stats {}: statistics are JSON; --profile=FILE.html writes a page",
         options.statistics_file);
  }
  if (options.trace_file == "-") fail("--trace -: a timeline needs a file, or a pipe with a name");
  if (options.functional && !options.trace_file.empty()) {
    fail("--trace needs timing, which a --functional run does not have");
  }
  machine::change(*machine::load_gpu(options.gpu), options.settings, options.with);
}

/// The path at which execvp() finds it; "": not found.
std::string program_file(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const folders = std::getenv("PATH");
  std::istringstream list(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    const std::string file = (fs::path(folder) / program).string();
    if (access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
  }
  return "";
}

/// Reports results that would overwrite the run's inputs, before the program starts.
void check_inputs_stay(const std::vector<std::string>& outputs, const std::string& program,
                       const std::string& description, const std::vector<std::string>& arguments) {
  std::vector<std::pair<std::string, std::string>> inputs{
      {program_file(program), "the program itself"}, {description, "the description of the GPU"}};
  for (const std::string& argument : arguments) {
    inputs.emplace_back(argument, "an argument of the program");
  }
  for (const std::string& output : outputs) {
    for (const auto& [input, what] : inputs) {
      std::error_code ignored;
      if (!fs::is_regular_file(input, ignored) || !fs::equivalent(output, input, ignored)) continue;
      fail("{} is {}: the results of the run would take its place", output, what);
    }
  }
}

/// Reports results that cannot be written, before the program starts.
void check_outputs(std::vector<std::string> files) {
  std::erase(files, "");
  for (std::size_t i = 0; i < files.size(); ++i) {
    check_writable(files[i]);
    for (std::size_t j = 0; j < i; ++j) {
      std::error_code ignored;
      const bool same = files[i] == files[j] || fs::equivalent(files[i], files[j], ignored);
      // /dev/null may hold any number of results.
      const bool read = fs::canonical(files[i], ignored) != "/dev/null";
      if (same && read) fail("{} cannot hold two of the results", files[i]);
    }
  }
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
  return near.empty() ? " (raddle workloads lists the bundled programs)"
                      : fmt::format("; did you mean the workload {}?", near.front());
}

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments) {
  // Makes host addresses that a program shows to the GPU the same in every run.
  personality(ADDR_NO_RANDOMIZE);
  setenv("LD_LIBRARY_PATH", library_path().c_str(), 1);
  setenv("RADDLE_ROOT", root().c_str(), 1);
  // A GPU's warps are spread over many pages: large pages save a sixth of the time.
  std::string tunables = fmt::format("{}=1", "glibc.malloc.hugetlb");
  if (const char* before = std::getenv("GLIBC_TUNABLES")) tunables += std::string(":") + before;
  setenv("GLIBC_TUNABLES", tunables.c_str(), 1);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(program.c_str(), argv.data());
  const int error = errno;
  print_error("raddle: cannot start {}: {}{}\n", program, std::strerror(error), advice(program));
  _exit(127);
}

/// The content of a file; "" if there is none.
std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Why a program that succeeded has not loaded our libraries.
std::string why_unused(const std::string& program) {
  const std::string bytes = content_of(program);
  if (bytes.find("libcudart.so.") == std::string::npos) {
    return "A program built by nvcc must be linked with -cudart shared: by itself nvcc links a "
           "CUDA "
           "runtime that cannot be replaced.";
  }
  return "If it does call CUDA, it found another libcudart before raddle's: through its "
         "rpath (link without -Wl,-rpath,--disable-new-dtags) or LD_PRELOAD.";
}

/// Whether a file contains the name of an option, in the form that code reading options has.
bool knows(const std::string& bytes, const std::string& name) {
  constexpr std::string_view kBefore("\0-,| ", 5), kBehind("\0=,:| ", 6);
  for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || kBefore.find(bytes[at - 1]) != std::string_view::npos;
    if (begins && (end == bytes.size() || kBehind.find(bytes[end]) != std::string_view::npos)) {
      return true;
    }
  }
  return false;
}

/// Options of ours behind PROGRAM go to the program. This is reported when the program has failed,
/// or cannot know them: it is a CUDA program (not a script or interpreter) without their names.
void tell_options_behind(const std::string& program, const std::string& file,
                         const std::vector<std::string>& arguments, const Ending& ending) {
  std::string bytes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = arguments[i];
    const std::string option = argument.substr(0, argument.find('='));
    if (!is_run_option(option)) continue;
    if (bytes.empty()) bytes = content_of(file);
    const bool cuda = bytes.find("libcudart.so.") != std::string::npos ||
                      bytes.find("libcuda.so.") != std::string::npos;
    const bool failed = ending.exit_code != 0 && ending.exit_code < 128;
    if (!failed && (!cuda || knows(bytes, option.substr(2)))) continue;
    const bool has_value = option == argument && i + 1 < arguments.size();
    if (has_value && !arguments[i + 1].starts_with('-')) argument += " " + arguments[i + 1];
    print_error(
        "raddle: {} stands behind {}, and went to the program: raddle's own options stand before "
        "it (raddle run {} {})\n",
        option, program, argument, program);
    return;
  }
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& one) {
    return one == "--help" || one == "-h" || one == "--version";
  });
}

/// Prints the documents of all processes, each in the form of `table`.
void show(const TemporaryFile& file,
          const std::function<std::string(const std::string& json)>& table) {
  const std::vector<Document> documents = split_documents(file.content());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string& json = documents[i].text;
    const std::string which =
        documents.size() == 1
            ? ""
            : fmt::format("Process {} of {}: {}\n", i + 1, documents.size(),
                          nlohmann::json::parse(json).value("program", std::string()));
    print_error("\n{}{}", which, table(json));
  }
}

/// Reports processes that used the GPU but left no results; true when there are any.
bool tell_missing(const RunOptions& options, const ResultPipe& results, unsigned processes) {
  const bool statistics = wants_statistics(options);
  if (!statistics && !options.profile) return false;
  const TemporaryFile& file = statistics ? results.statistics() : results.profiles();
  const std::size_t left = split_documents(file.content()).size();
  if (left >= processes) return false;
  print_error(
      "raddle: {} used the GPU and left no {}. If nothing above says why, it ended in a way of "
      "which nobody is told before: SIGKILL, a signal's handler that the system takes away "
      "(SA_RESETHAND), _exit() of an interpreter, or a system call without the C library "
      "(assembly)\n",
      processes == 1 ? std::string("the program")
                     : fmt::format("{} of {} processes", processes - left, processes),
      statistics ? "statistics" : "profile");
  return true;
}

void show_results(const RunOptions& options, const ResultPipe& results) {
  const bool colour = wants_colour(STDERR_FILENO);
  if (!options.quiet) {
    show(results.statistics(),
         [&](const std::string& json) { return report::table(json, colour); });
  }
  if (!options.profile) return;
  show(results.profiles(), [&](const std::string& json) {
    return report::profile_table(json, options.profile_lines, colour);
  });
}

/// Runs `write`. When it fails, says why and returns true.
template <class Write>
bool loses(const Write& write) {
  try {
    write();
    return false;
  } catch (const Error& error) {
    print_error("raddle: {}\n", error.what());
    return true;
  }
}

/// The first member in documents of second and further processes, by which is_document_of() knows
/// them.
std::string process_member(unsigned number) { return fmt::format("\"process\": {}", number); }

bool is_document_of(const std::string& path, unsigned process) {
  const std::string head = with_first_member("{\n", process_member(process));
  std::string begin(head.size(), '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in && begin == head;
}

/// Removes the files of an earlier run with more processes: files with higher numbers than
/// `processes` that `is_ours` recognises.
void remove_older(const std::string& file, unsigned processes,
                  bool (*is_ours)(const std::string& path, unsigned process)) {
  if (file.empty() || processes == 0) return;
  for (unsigned number = processes + 1;; ++number) {
    const std::string place = numbered_file(file, number);
    std::error_code ignored;
    if (place == file || !fs::is_regular_file(place, ignored)) return;
    if (!is_ours(place, number) || !fs::remove(place, ignored)) return;
  }
}

/// Writes documents to the requested place: a file for each process, or one after the other through
/// a pipe. Reports when there are none. Returns true when one is lost.
bool keep(const std::string& what, const std::string& file, const TemporaryFile& from,
          Reader reader) {
  if (file.empty()) return false;
  const std::vector<Document> documents = split_documents(from.content());
  if (documents.empty()) {
    print_error("raddle: there are no {}: {} is not written\n", what,
                file.starts_with("/proc/") ? "the file" : file);
  }
  bool lost = false;
  std::string names, all;
  unsigned number = 0;
  if (numbered_file(file, 2) == file) {
    for (const Document& document : documents) all += document.text;
    return !all.empty() && loses([&] { write_file(file, all, reader); });
  }
  const bool page = file.ends_with(".html");
  for (const Document& document : documents) {
    const std::string place = numbered_file(file, ++number);
    const std::string text = page ? report::profile_html(document.text)
                             : number == 1
                                 ? document.text
                                 : with_first_member(document.text, process_member(number));
    lost |= loses([&] { write_file(place, text, reader); });
    names += " " + place;
  }
  remove_older(file, number, is_document_of);
  if (documents.size() > 1) {
    print_error("raddle: {} processes used the GPU; {} of each:{}\n", documents.size(), what,
                names);
  }
  return lost;
}

/// Variables that tell a process its options and where to report. Only the program gets them, since
/// other programs that this process starts do not belong to the run.
using Environment = std::vector<std::pair<std::string, std::string>>;

Environment environment(const RunOptions& options, const TemporaryFile& notes,
                        const ResultPipe& results, const Lifeline& lifeline) {
  return {{"RADDLE_OPTIONS", options_json(options)},
          {cuda::kRegisterVariable, notes.path()},
          {kResultVariable, results.text()},
          {kLifelineVariable, lifeline.text()}};
}

Ending run_program(const std::string& file, const std::vector<std::string>& arguments,
                   const Environment& variables, const Lifeline& lifeline, ResultPipe& results,
                   bool output_to_stderr) {
  const HeldSignals held;
  const pid_t child = fork_child(SIGKILL);
  if (child == 0) {
    held.release();
    if (output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    become(file, arguments);
  }
  results.receive();
  const Ending ending = supervise(child, held, lifeline);
  results.finish();
  return ending;
}

std::string bundled_or_own(const std::string& program) {
  const auto bundled = workload_program(program);
  return bundled ? bundled->string() : program;
}

Ending launch_program(const RunOptions& options, const std::string& program,
                      const std::vector<std::string>& arguments) {
  const TemporaryFile register_file;
  ResultPipe results;
  const Lifeline lifeline;
  const std::string path = bundled_or_own(program);
  const Environment variables = environment(options, register_file, results, lifeline);
  std::fflush(nullptr);
  const Ending ending =
      run_program(path, arguments, variables, lifeline, results, options.output_to_stderr);
  const cuda::RunNotes notes = cuda::read_register(register_file.path());
  if (!notes.loaded && ending.exit_code == 0 && !asks_for_help(arguments)) {
    print_error("raddle: {} did not use the simulated GPU. {}\n", program, why_unused(program));
  }
  bool lost = results.lost_any();
  lost |= !lost && tell_missing(options, results, notes.processes);
  // 127: the loader could not load the program, and has said so.
  if (ending.exit_code == 127 && !notes.loaded) {
    print_error("{}", about_missing_libraries(path));
  }
  show_results(options, results);
  tell_options_behind(program, path, arguments, ending);
  // After a signal to end, this process waits for no reader.
  const Reader reader = ending.signal == 0 ? Reader::may_come : Reader::is_there;
  lost |= keep("statistics", options.statistics_file, results.statistics(), reader);
  lost |= keep("profiles", options.profile_file, results.profiles(), reader);
  remove_older(options.trace_file, notes.processes, report::is_timeline_of);
  if (results.errors() != 0 && options.error_exit_code != 0) return {options.error_exit_code, 0};
  // A program with lost results has not succeeded.
  return lost && ending.exit_code == 0 ? Ending{2, 0} : ending;
}

}  // namespace

int launch(RunOptions options, const std::string& program,
           const std::vector<std::string>& arguments) {
  for (std::string* file : {&options.statistics_file, &options.profile_file}) {
    if (*file != "-") continue;
    *file = "/dev/stdout";
    options.output_to_stderr = true;
  }
  check_options(options);
  if (const std::string told = left_out(options.gpu); !told.empty() && !options.quiet) {
    print_error("raddle: {}\n", told);
  }
  const std::vector<std::string> outputs = {options.statistics_file, options.trace_file,
                                            options.profile_file};
  check_outputs(outputs);
  check_inputs_stay(outputs, bundled_or_own(program), options.gpu, arguments);
  watch_lifeline();  // the lifeline of another `raddle run`, which runs this one
  const Ending ending = launch_program(options, program, arguments);
  if (ending.signal != 0) end_by(ending.signal);
  return ending.exit_code;
}

}  // namespace raddle::cli
