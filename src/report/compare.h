// Compares two or more runs: every statistic that differs, the largest ratio first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace raddle::report {

/// A run with its statistics document (`raddle run --stats`).
struct LabelledRun {
  std::string label;
  std::string json;
};

/// One statistic of all runs. Several units of one kind are merged.
struct ComparedValue {
  std::string name;            // "totals.ipc", "kernels.bfs.cycles", "units.sm.slots.memory"
  std::vector<double> values;  // one for each run; 0 where the run lacks it
  /// How far the runs are apart: for counts, the largest |log((v + 1) / (first + 1))|, since small
  /// counts mean little; for totals, the largest |log(v / first)|.
  double distance = 0;
  std::size_t kernel_end = 0;  // in a kernel's statistic: where the kernel's name ends in `name`
  bool differs() const;
};

/// The compared statistics of kernels: only cycles and instructions, or all.
enum class Kernels { sums, statistics };

/// Totals in their order, then kernels and units, the largest distance first. Throws Error naming
/// the run for text that is not a statistics document.
std::vector<ComparedValue> compare(const std::vector<LabelledRun>& runs,
                                   Kernels detail = Kernels::sums);

/// The values that a table shows: only differing ones, all, or only the totals.
enum class Shown { differing, all, totals };

/// The table; ratios are to the first run. When the runs do not fit side by side in `width`
/// characters, further runs follow below, with the names again. A heading says which runs were cut
/// off.
std::string comparison_table(const std::vector<LabelledRun>& runs, Shown shown, bool colour,
                             std::size_t width = 80, Kernels detail = Kernels::sums);

/// {"runs": [labels], "origins": [origin_json() (report/provenance.h) of each], "statistics":
/// [{"name", "values", "ratios"}]}; a ratio to 0 is null.
std::string comparison_json(const std::vector<LabelledRun>& runs, Shown shown,
                            Kernels detail = Kernels::sums);

}  // namespace raddle::report
