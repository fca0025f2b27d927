// Two or more runs side by side: every statistic that differs, the largest ratio first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace raddle::report {

/// A run, and its statistics document (`raddle run --stats`).
struct LabelledRun {
  std::string label;
  std::string json;
};

/// One statistic of all runs. Units of which there are several are merged.
struct ComparedValue {
  std::string name;            // "totals.ipc", "kernels.bfs.cycles", "units.sm.slots.memory"
  std::vector<double> values;  // of each run; 0 where it has none
  /// How far the runs are apart: the largest |log((v + 1) / (first + 1))| for counts, whose small
  /// values mean little, and |log(v / first)| for totals.
  double distance = 0;
  std::size_t kernel_end = 0;  // of a kernel's statistic: where its name ends in `name`
  bool differs() const;
};

/// What is compared of kernels: cycles and instructions, or all statistics.
enum class Kernels { sums, statistics };

/// Totals in their order, then kernels and units, the farthest apart first. Throws Error naming the
/// run for text that is no statistics document.
std::vector<ComparedValue> compare(const std::vector<LabelledRun>& runs,
                                   Kernels detail = Kernels::sums);

/// Which of them are shown: what differs, that and what is the same, or the totals alone.
enum class Shown { differing, all, totals };

/// The table; ratios are to the first run. Runs that do not fit beside one another in `width`
/// characters come below, with the names again. Above it stands which runs were cut off.
std::string comparison_table(const std::vector<LabelledRun>& runs, Shown shown, bool colour,
                             std::size_t width = 80, Kernels detail = Kernels::sums);

/// {"runs": [labels], "origins": [origin_json() (report/provenance.h) of each], "statistics": [{"name",
/// "values", "ratios"}]}; a ratio to 0 is null.
std::string comparison_json(const std::vector<LabelledRun>& runs, Shown shown,
                            Kernels detail = Kernels::sums);

}  // namespace raddle::report
