// The tool's commands. Each adds itself to the command line and does its work when chosen; it puts
// the exit code of the process into `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace raddle::cli {

/// `words`: words of the command line behind the command's name and before a `--`; `after_dashes`:
/// words behind the `--`.
void add_run(CLI::App& app, const std::vector<std::string>& words,
             const std::vector<std::string>& after_dashes, int& exit_code);
void add_compare(CLI::App& app, const std::vector<std::string>& after_dashes, int& exit_code);
/// `after_dashes` as above.
void add_corun(CLI::App& app, const std::vector<std::string>& after_dashes, int& exit_code);
void add_stats(CLI::App& app);                      // stats.cpp
void add_demo(CLI::App& app, int& exit_code);       // demo.cpp
void add_inspect(CLI::App& app, int& exit_code);    // inspect.cpp
void add_gpus(CLI::App& app, int& exit_code);       // catalogue.cpp
void add_mechanisms(CLI::App& app);                 // catalogue.cpp
void add_workloads(CLI::App& app, int& exit_code);  // catalogue.cpp
void add_test(CLI::App& app, int& exit_code);       // test.cpp
void add_reference(CLI::App& app, int& exit_code);  // reference.cpp
void add_fidelity(CLI::App& app, int& exit_code);   // fidelity.cpp
void add_sweep(CLI::App& app, int& exit_code);      // sweep.cpp
void add_reproduce(CLI::App& app, int& exit_code);  // sweep.cpp

}  // namespace raddle::cli
