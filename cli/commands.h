// The tool's commands. Each adds itself to the command line and does its work when chosen; what the
// process returns is left in `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace raddle::cli {

/// `words`: those of the command line behind the command's name and before a `--`; `after_dashes`: those
/// behind that.
void add_run(CLI::App& app, const std::vector<std::string>& words,
             const std::vector<std::string>& after_dashes, int& exit_code);
void add_compare(CLI::App& app, const std::vector<std::string>& after_dashes, int& exit_code);
/// The same `words` and `after_dashes`.
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
