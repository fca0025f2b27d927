// All statistics of a document, for people and for spreadsheets.
#pragma once

#include <string>
#include <vector>

namespace raddle::report {

struct StatisticsView {
  /// The subject: the run; each kernel, over all its launches; or each launch that the document
  /// has.
  enum class Of { run, kernels, launches };
  Of of = Of::run;
  std::vector<std::string> paths = {};  // only these units and statistics ("sm.l1"); empty: all
  bool all = false;                     // also statistics that are 0 or have no value
  bool colour = false;
};

/// A table, from a statistics document (`raddle run --stats`), with units of a kind merged. Throws
/// Error for other text, for a document without such statistics, and for a path that the document
/// lacks.
std::string statistics_table(const std::string& json_text, const StatisticsView& view);

/// Comma-separated values: a line for each statistic, "kernel,launch,statistic,value". The value is
/// empty if the statistic has none. All statistics are written.
std::string statistics_csv(const std::string& json_text, const StatisticsView& view);

}  // namespace raddle::report
