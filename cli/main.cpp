// The raddle tool. `raddle COMMAND --help` explains each command.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/memory_limits.h"
#include "base/print_error.h"
#include "cc.h"
#include "commands.h"
#include "help.h"
#include "provenance.h"
#include "suggestions.h"

namespace {
constexpr const char* kAbout =
    "raddle runs CUDA programs on a simulated GPU.\n"
    "To start: raddle demo; raddle workloads; raddle run bfs; raddle cc program.cu -o program";

void refuse_unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (word.starts_with('-') || std::find(known.begin(), known.end(), word) != known.end()) return;
  known.insert(known.end(), {"help", "version"});
  raddle::fail("there is no command '{}'{}; see raddle --help", word,
               raddle::cli::did_you_mean(word, known));
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto all =
      app.get_subcommands([&](const CLI::App* one) { return one->get_name() == name; });
  return all.empty() ? nullptr : all.front();
}

/// The error in a command line that CLI11 refuses.
std::string mistake(const CLI::App& app, const std::string& command,
                    const std::vector<std::string>& words, const CLI::ParseError& error) {
  const CLI::App* of = command.empty() ? &app : find_command(app, command);
  const std::string option = of == nullptr ? "" : raddle::cli::unknown_option(*of, words);
  return option.empty() ? error.what() : option;
}

/// Reads the command line and runs the command; reports an error in the line and returns false.
bool parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help
      app.exit(error);
      return true;
    }
    const std::string command = argv[1][0] == '-' ? "" : argv[1];
    const std::vector<std::string> words(argv + 1, argv + argc);
    raddle::print_error("raddle: {}; see raddle {}{}--help\n", mistake(app, command, words, error),
                        command, command.empty() ? "" : " ");
    return false;
  }
  return true;
}

class FoldedHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return raddle::cli::folded(CLI::Formatter::make_help(app, name, mode));
  }
};

bool is_double_dash(const char* word) { return std::string_view(word) == "--"; }
}  // namespace

namespace {

int run_tool(int argc, char** argv) {
  using namespace raddle;
  try {
    // `raddle help [COMMAND]` is `raddle [COMMAND] --help`.
    std::vector<char*> words(argv, argv + argc);
    if (argc > 1 && std::string_view(argv[1]) == "help") {
      static char help[] = "--help";
      words = {argv[0]};
      if (argc > 2 && std::string_view(argv[2]) != "version") words.push_back(argv[2]);
      words.push_back(help);
      argc = static_cast<int>(words.size());
      argv = words.data();
    }
    if (argc == 2 && std::string_view(argv[1]) == "version") {
      fmt::print("raddle {}\n", cli::version());
      return 0;
    }
    // A compiler driver reads its arguments as compilers do.
    if (argc > 1 && std::string(argv[1]) == "cc") return run_cc({argv + 2, argv + argc});

    // Words after `--` do not belong to raddle.
    char** const dashes = std::find_if(argv, argv + argc, is_double_dash);
    const std::vector<std::string> after_dashes(std::min(dashes + 1, argv + argc), argv + argc);
    argc = static_cast<int>(dashes - argv);

    int exit_code = 0;
    CLI::App app{kAbout, "raddle"};
    app.formatter(std::make_shared<FoldedHelp>());
    app.set_version_flag("--version", "raddle " + cli::version());
    app.require_subcommand(1);
    cli::add_run(app, {argv + std::min(argc, 2), argv + argc}, after_dashes, exit_code);
    cli::add_corun(app, after_dashes, exit_code);
    cli::add_compare(app, after_dashes, exit_code);
    cli::add_stats(app);
    app.add_subcommand("cc", "Compile CUDA programs with clang, no SDK needed (raddle cc --help)");
    cli::add_inspect(app, exit_code);
    cli::add_gpus(app, exit_code);
    cli::add_mechanisms(app);
    cli::add_workloads(app, exit_code);
    cli::add_sweep(app, exit_code);
    cli::add_reproduce(app, exit_code);
    cli::add_reference(app, exit_code);
    cli::add_demo(app, exit_code);
    cli::add_test(app, exit_code);
    cli::add_fidelity(app, exit_code);
    if (argc < 2) {
      raddle::print_error("{}", app.help());
      return 2;
    }
    refuse_unknown_command(app, argv[1]);
    return parse(app, argc, argv) ? exit_code : 2;
  } catch (const std::exception& error) {
    raddle::print_error("raddle: {}\n", raddle::reason(error));
    return 2;
  }
}

/// Checks that standard output was written: the disk may be full.
int with_output_written(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  raddle::print_error("raddle: cannot write standard output: {}\n", std::strerror(errno));
  return exit_code == 0 ? 2 : exit_code;
}

}  // namespace

int main(int argc, char** argv) { return with_output_written(run_tool(argc, argv)); }
