// From the statistics of finished runs to the numbers of figures.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/store.h"

namespace raddle::experiment {

/// The statistics document of each finished run, by (program, variant).
class Statistics {
 public:
  /// `json`: the document that a run wrote. Numbers are kept by their path ("totals.cycles").
  void add(const std::string& program, const std::string& variant, const std::string& json);
  /// A run as a store has it: its document, or those of its numbers that were kept.
  void add(const StoredRun& run);

  /// By path; null when there is no such run.
  const std::map<std::string, double>* numbers(const std::string& program,
                                               const std::string& variant) const;

 private:
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> runs_;
};

/// Those of the runs that have ended well, which `file` holds. Throws Error naming file, run and member when
/// a document is damaged (report/statistics_document.h).
Statistics statistics_of(const std::vector<StoredRun>& runs, const std::string& file);

/// One variant's bars in a figure.
struct Series {
  std::string figure;  // id
  std::string metric;
  std::string variant;
  std::map<std::string, double> values;  // by program
  std::optional<double> average;         // over the programs; nothing when there is none
  std::optional<double> median;          // of the same
  std::size_t programs = 0;              // that the figure is of; `values` has those with a number
  // What the paper says: the average; of single programs, the least and the most.
  std::optional<double> published, published_least, published_most;
};

/// Whether some of the programs have no number: the paper's average is then of others.
inline bool is_subset(const Series& series) { return series.values.size() < series.programs; }

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

/// As tables print it: three digits, "-" where there is none.
std::string number_text(std::optional<double> value);

/// A table for each figure: programs down, variants across, then our average and median, of how many
/// programs, and the paper's average (with a star where ours is of some of its programs).
/// Variants that do not fit in 80 columns come below.
std::string series_text(const Experiment& experiment, const std::vector<Series>& series);

/// Of figures with many variants: a line for each, with its average, median, least and most. Empty
/// when there are none.
std::string averages_text(const Experiment& experiment, const std::vector<Series>& series);

}  // namespace raddle::experiment
