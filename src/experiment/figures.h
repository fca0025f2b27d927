// From the statistics of finished runs to the numbers of figures.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace raddle::experiment {

/// The statistics document of each finished run, by (program, variant).
class Statistics {
 public:
  /// `json`: the document that a run wrote. Numbers are kept by their path ("totals.cycles").
  void add(const std::string& program, const std::string& variant, const std::string& json);

  /// By path; null when there is no such run.
  const std::map<std::string, double>* numbers(const std::string& program,
                                               const std::string& variant) const;

 private:
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> runs_;
};

struct TimelineSeries;  // timelines.h

/// One variant's bars in a figure.
struct Series {
  std::string figure;  // id
  std::string metric;
  std::string variant;
  std::map<std::string, double> values;  // by program
  std::optional<double> average;         // over the programs; nothing when there is none
  std::optional<double> median;          // of the same
  // What the paper says: the average; of single programs, the least and the most.
  std::optional<double> published, published_least, published_most;
};

/// Every series of every figure, in the order of the experiment's file. Programs without the runs
/// or numbers that a figure needs are left out of it.
std::vector<Series> make_series(const Experiment& experiment, const Statistics& statistics);

/// What figures take from runs and no run has, each with its place in the experiment's file: names
/// that are probably misspelt. Only of figures that had a run of each variant to look at.
std::vector<std::string> unknown_statistics(const Experiment& experiment,
                                            const Statistics& statistics);

/// What figures relate by cycles although the GPUs have different clocks, a sentence each: their
/// times are what compares.
std::vector<std::string> cycles_of_different_clocks(const Experiment& experiment,
                                                    const Statistics& statistics);

/// {"id", "scale", "results": [{"figure", "metric", "variant", "average", "median", "paper",
/// "paper_least", "paper_most", "values"}], "timelines":
/// [{"figure", "program", "variant", "distance", "samples"}]}
std::string series_json(const Experiment& experiment, const std::string& scale,
                        const std::vector<Series>& series,
                        const std::vector<TimelineSeries>& timelines = {});

/// A table for each figure: programs down, variants across, then our average and median
/// and the paper's average.
/// Variants that do not fit in 80 columns come below.
std::string series_text(const Experiment& experiment, const std::vector<Series>& series);

}  // namespace raddle::experiment
