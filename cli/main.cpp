// The raddle tool. `raddle COMMAND --help` explains each command.
#include <fmt/format.h>

#include "base/error.h"
#include "cc.h"
#include "commands.h"

namespace {
constexpr const char* kAbout =
    "raddle runs CUDA programs on a simulated GPU.\n"
    "Begin with: raddle demo; raddle workloads; raddle run bfs; raddle cc program.cu -o program";
}

int main(int argc, char** argv) {
  using namespace raddle;
  try {
    // A compiler driver reads its arguments as compilers do.
    if (argc > 1 && std::string(argv[1]) == "cc") return run_cc({argv + 2, argv + argc});

    int exit_code = 0;
    CLI::App app{kAbout, "raddle"};
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::help);
    cli::add_run(app, exit_code);
    app.add_subcommand("cc", "Compile CUDA programs with clang, no SDK needed (raddle cc --help)");
    cli::add_inspect(app, exit_code);
    cli::add_gpus(app, exit_code);
    cli::add_workloads(app, exit_code);
    cli::add_reference(app, exit_code);
    cli::add_demo(app, exit_code);
    cli::add_test(app, exit_code);
    CLI11_PARSE(app, argc, argv);
    return exit_code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "raddle: {}\n", error.what());
    return 2;
  }
}
