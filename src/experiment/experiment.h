// An experiment: its programs and variants, and the figures that are made from their statistics.
// Each is one file under experiments/ (docs/experiments.md has the format).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "experiment/formula.h"

namespace raddle::experiment {

/// "unit.field=value" (--set), and its place in the file.
struct Setting {
  std::string text;
  SourcePosition place;
};

/// One way to run programs: their options, and the machine.
struct Variant {
  std::string name;
  std::vector<std::string> arguments;   // appended to the program's
  std::vector<std::string> mechanisms;  // switched on (--with)
  std::vector<Setting> settings;
  std::string gpu;                         // name or file of the description
  SourcePosition place = {};               // in the file
  std::vector<std::string> programs = {};  // the programs that it runs; empty: all
  bool names_gpu = false;                  // false: it has the GPU of its file
};

/// Whether `variant` runs a program of this name.
bool runs_program(const Variant& variant, const std::string& program);

/// One program with one input. The arguments choose the input for each scale.
struct Program {
  std::string name;      // its name in figures, "bfs_citation"
  std::string workload;  // a bundled workload's name, or a path
  std::map<std::string, std::vector<std::string>> arguments;  // by scale
  SourcePosition place = {};                                  // in the file
};

/// How a statistic of a run becomes a number of a figure.
enum class Relation {
  value,       // the statistic itself
  ratio,       // own / other
  speedup,     // other / own
  difference,  // own - other
  reduction,   // (other - own) / other
};

enum class Average { arithmetic, geometric };

/// The paper's statement on single programs: a number, or words.
struct Said {
  std::vector<std::string> programs, variants;
  std::optional<double> value;
  std::string words;
};

/// One figure (or one part of it): a statistic, for some variants, perhaps against another one.
struct Figure {
  std::string id;      // "11"
  std::string metric;  // "speedup_over_flat", unique
  std::string title;
  std::string axis;  // of the chart; empty: made from the relation
  Formula statistic;
  SourcePosition place;  // of `statistic` in the file
  Relation relation = Relation::value;
  /// Variants to compare with; empty when the relation needs none. With several, the one with the
  /// smallest statistic counts, for each program: the best of the earlier approaches.
  std::vector<std::string> against;
  /// If `against` has a '*': its text for each variant ("streams, *", "tasks, *").
  std::map<std::string, std::vector<std::string>> against_of = {};
  double factor = 1;  // the numbers are multiplied by it, 100 for percent
  Average average = Average::arithmetic;
  std::vector<std::string> variants;
  // The paper's numbers by variant: averages; the smallest and largest number of a single program.
  std::map<std::string, double> published, published_least, published_most;
  std::vector<Said> said;
  std::vector<std::string> programs = {};  // the programs that it shows and averages; empty: all

  const std::vector<std::string>& against_for(const std::string& variant) const {
    const auto own = against_of.find(variant);
    return own == against_of.end() ? against : own->second;
  }
  bool shows(const std::string& program) const;
};

/// An order of variants, in which the statistic grows from one to the next. The result is the
/// number of programs with this order.
struct Order {
  std::string title;
  Formula statistic;
  std::vector<std::string> variants;
  SourcePosition place = {};  // of `statistic` in the file
};

/// A level over time, for one program in some variants.
struct TimelineFigure {
  std::string id, title;
  std::string statistic;  // path of a statistic of kind "timeline"
  std::string program;
  double factor = 1;  // samples are multiplied by it
  std::vector<std::string> variants;
  SourcePosition place = {};  // of `statistic` in the file
};

struct Experiment {
  std::string name;  // the file's name without its ending
  std::string title;
  std::string source;   // the paper
  std::string extends;  // the name of another one; empty: none
  std::string gpu = "k20c";
  std::string picture;  // metric of the figure on its page of evidence; empty: the first
  std::vector<std::string> scales;
  std::vector<Program> programs;
  std::vector<Variant> variants;
  std::vector<Figure> figures;
  std::vector<TimelineFigure> timelines;
  std::vector<Order> orders;

  const Variant* variant(const std::string& wanted) const;
  /// The rows of a figure: programs that at least one of its variants runs.
  std::vector<const Program*> programs_of(const Figure& figure) const;
};

/// The experiment with the parts that it inherits from other files in its folder (`extends`).
/// Throws InputError naming file, line and column.
Experiment read_experiment(const std::string& file);

}  // namespace raddle::experiment
