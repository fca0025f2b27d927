// Makes the numbers of figures from the statistics of finished runs.
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
  /// A run from a store: its document, or the numbers of it that were kept.
  void add(const StoredRun& run);

  /// By path; null when there is no such run.
  const std::map<std::string, double>* numbers(const std::string& program,
                                               const std::string& variant) const;

 private:
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> runs_;
};

/// The statistics of the successful runs, which come from `file`. Throws Error naming file, run and
/// member when a document is damaged (report/statistics_document.h).
Statistics statistics_of(const std::vector<StoredRun>& runs, const std::string& file);

/// One variant's bars in a figure.
struct Series {
  std::string figure;  // id
  std::string metric;
  std::string variant;
  std::map<std::string, double> values;  // by program
  std::optional<double> average;         // over the programs; nullopt without any
  std::optional<double> median;          // of the same
  std::size_t programs = 0;              // programs of the figure, with a number or not
  // The paper's numbers: the average; the smallest and largest number of a single program.
  std::optional<double> published, published_least, published_most;
};

/// Whether some programs have no number: our average then covers fewer programs than the paper's.
inline bool is_subset(const Series& series) { return series.values.size() < series.programs; }

/// Every series of every figure, in the order of the experiment's file. A figure leaves out
/// programs whose runs or numbers it lacks.
std::vector<Series> make_series(const Experiment& experiment, const Statistics& statistics);

/// Statistics that figures use and no run has, each with its place in the experiment's file: these
/// names are probably misspelt. Only for figures with at least one run of each variant.
std::vector<std::string> unknown_statistics(const Experiment& experiment,
                                            const Statistics& statistics);

/// A sentence for each figure that relates cycles of GPUs with different clocks: it should compare
/// times.
std::vector<std::string> cycles_of_different_clocks(const Experiment& experiment,
                                                    const Statistics& statistics);

/// A number as tables print it: three digits; "-" for nullopt.
std::string number_text(std::optional<double> value);

/// A table for each figure: programs down, variants across. Below them are our average and median,
/// the number of programs, and the paper's average (with a star if ours covers only some of its
/// programs). Variants that do not fit in 80 columns follow below.
std::string series_text(const Experiment& experiment, const std::vector<Series>& series);

/// For figures with many variants: a line for each variant, with its average, median, smallest and
/// largest number. Empty when there is no such figure.
std::string averages_text(const Experiment& experiment, const std::vector<Series>& series);

}  // namespace raddle::experiment
