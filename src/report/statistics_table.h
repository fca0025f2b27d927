// All statistics of a document, for people and for spreadsheets.
#pragma once

#include <string>
#include <vector>

namespace raddle::report {

struct StatisticsView {
  /// Whose statistics: the run's; each kernel's, of all its launches; each launch's, as far as the
  /// document holds them.
  enum class Of { run, kernels, launches };
  Of of = Of::run;
  std::vector<std::string> paths = {};  // only these units and statistics ("sm.l1"); empty: all
  bool all = false;                     // those that are 0 or none, too
  bool colour = false;
};

/// A table, from a statistics document (`raddle run --stats`), with units of a kind merged. Throws
/// Error for other text, for a document without such statistics, and for a path that it has not.
std::string statistics_table(const std::string& json_text, const StatisticsView& view);

/// Comma-separated values: a line for each statistic, "kernel,launch,statistic,value", with nothing
/// for what is none. Nothing is left out.
std::string statistics_csv(const std::string& json_text, const StatisticsView& view);

}  // namespace raddle::report
