// All data that an experiment's page, tables and files show.
#pragma once

#include <string>
#include <vector>

#include "experiment/agreement.h"
#include "experiment/figures.h"
#include "experiment/timelines.h"

namespace raddle::experiment {

struct Failure {
  std::string program, variant, command;
  int exit_code = 0;
  std::string why;
};

/// The origin of the results.
struct Provenance {
  std::string version;                    // of raddle, with the commit
  std::vector<Maker> makers;              // of the runs, each once
  std::vector<std::string> descriptions;  // of GPUs: name and fingerprint
  std::string date;
  std::string command, host;
};

struct Results {
  std::string scale;
  std::vector<Series> series;
  std::vector<TimelineSeries> timelines;
  std::vector<Comparison> comparisons;
  std::vector<OrderCount> orders;
  std::vector<Failure> failures;
  Provenance provenance;
};

/// {"id", "scale", "version", "makers": [{"commit", "computer", "date"}], "descriptions", "date",
///  "command", "host", "results": [{"figure", "metric", "variant", "average", "median", "count",
///  "programs", "paper", "paper_least", "paper_most", "values"}], "numbers": [{"figure", "metric",
///  "variant", "program", "here", "paper", "words", "same_side"}], "orders": [{"title", "variants",
///  "programs", "pairs", "agreeing"}], "failures": [{"program", "variant", "command", "exit_code",
///  "why"}], "timelines": [{"figure", "program", "variant", "distance", "samples"}]}
std::string results_json(const Experiment& experiment, const Results& results);

/// A line for each number: figure, metric, variant, program (or "average", "median"), here, paper.
std::string results_csv(const Experiment& experiment, const Results& results);

}  // namespace raddle::experiment
