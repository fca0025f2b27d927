// Declarations that the parts of `raddle fidelity` share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "launch.h"

namespace raddle::cli {

/// Runs a bundled workload quietly; fails if it does not succeed.
void run_silently(const RunOptions& options, const std::string& workload,
                  const std::vector<std::string>& arguments);

/// The same for any program, which may fail: returns its exit code.
int run_quietly(const RunOptions& options, const std::string& program,
                const std::vector<std::string>& arguments);

/// A number as the page shows it: three digits, or all of an integer.
std::string shown_value(double value);

/// The section on whole kernels, from workloads/kernels/published.toml. `only`: these variants;
/// empty: all.
std::string kernels_section(const std::vector<std::string>& only, unsigned threads);

struct ProgramsOptions {
  std::string gpu;                    // a name or a file
  std::string file;                   // measured launches: measured_launches.h
  std::string folder;                 // the folder with the programs that the file names
  std::vector<std::string> only;      // these programs; empty: all
  std::vector<std::string> settings;  // "unit.field=value"
  unsigned threads = 1;
};

struct ProgramsPage {
  std::string text;
  unsigned problems = 0;  // launches and programs not compared; reported on standard error
};

/// The section on programs of others. Throws Error when no program can be compared.
ProgramsPage programs_page(const ProgramsOptions& options);

/// A description in TOML: the GPU `base` with the means of measured values in place of its own.
/// `files`: output of workloads/micro --json on a real GPU. `stated`: settings known from
/// elsewhere, "unit.field=value". `inputs`: the setting that each measurement reads back. Prints to
/// standard error how many settings remain as in `base`. Takes a minute or two.
std::string native_description(const std::string& base, const std::vector<std::string>& files,
                               const std::vector<std::string>& stated,
                               const std::map<std::string, std::string>& inputs);

}  // namespace raddle::cli
