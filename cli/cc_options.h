// The parsed command line of `raddle cc`: inputs, stages, and options for the device pass, the host
// pass and the linker.
#pragma once

#include <string>
#include <vector>

namespace raddle::cc {

enum class Language { Cuda, Cpp, C, Object };

struct Input {
  std::string path;
  Language language;
};

enum class Stage { Preprocess, Ptx, Object, Program };

struct Options {
  std::vector<Input> inputs;
  std::string output;  // empty: named after the input
  Stage stage = Stage::Program;

  int architecture = 0;   // compute capability * 10, e.g. 75; 0 when none was given
  bool specific = false;  // with features of this architecture only: sm_90a
  std::string optimisation = "-O2";
  bool debug_device = false;
  bool relocatable = false;  // device code refers to other translation units
  bool link_runtime = true;
  bool flush_denormals = false;
  bool precise_division = true;
  bool precise_root = true;
  bool fast_functions = false;  // sinf means __sinf, and so on
  bool contract = true;         // a * b + c may become an fma

  std::vector<std::string> common;  // for every compilation: -I -D -std -W ...
  std::vector<std::string> host;    // for host compilations and the link: -Xcompiler
  std::vector<std::string> linker;  // -L -l -Xlinker and options of objects

  bool help = false;
  bool version = false;
  bool verbose = false;
  bool dry_run = false;
};

/// Throws Error naming an option that is unknown or not supported.
Options parse_options(const std::vector<std::string>& arguments);

/// The text of `raddle cc --help`.
std::string help_text();

}  // namespace raddle::cc
