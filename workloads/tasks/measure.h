// Runs of a Comparison, one way or all of them, as often as they are wanted, and what they took.
#pragma once

#include <raddle/report.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <raddle/tasks/compare.cuh>
#include <stdexcept>
#include <string>
#include <vector>

namespace raddle::workloads::narrow {

/// A way, with its name in tables.
struct NamedWay {
  std::string name;
  tasks::Way way;
  tasks::ComparisonOptions options;
};

/// What `--variant all` runs; in every other respect as `given`. `dependent`: tasks wait for others,
/// which batches and fusion have no means for.
inline std::vector<NamedWay> every_way(const tasks::ComparisonOptions& given, bool dependent) {
  using tasks::Way;
  std::vector<NamedWay> all;
  const auto add = [&](const char* name, Way way, auto change) {
    all.push_back({name, way, given});
    change(all.back().options);
  };
  using Options = tasks::ComparisonOptions;
  const auto as_given = [](Options&) {};
  add("tasks, copies", Way::tasks,
      [](Options& o) { o.runtime.transport = tasks::Transport::copies; });
  add("tasks, mapped", Way::tasks,
      [](Options& o) { o.runtime.transport = tasks::Transport::mapped; });
  add("tasks, one copy", Way::tasks, [](Options& o) {
    o.runtime.transport = tasks::Transport::mapped;
    o.merge_copies = true;
  });
  add("tasks, gathered", Way::tasks, [](Options& o) {
    o.runtime.transport = tasks::Transport::mapped;
    o.runtime.gather = true;
  });
  add("tasks, by warps", Way::tasks, [](Options& o) {
    o.runtime.transport = tasks::Transport::mapped;
    o.by_warps = true;
  });
  if (dependent) {
    add("tasks, successors", Way::tasks, [](Options& o) {
      o.runtime.transport = tasks::Transport::mapped;
      o.successors = true;
    });
  }
  add("streams", Way::streams, as_given);
  add("streams, 128", Way::streams, [](Options& o) { o.streams = 128; });
  if (!dependent) {
    add("known", Way::known, as_given);
    add("batches", Way::batches, as_given);
    add("batches, one copy", Way::batches, [](Options& o) { o.merge_copies = true; });
    add("fusion", Way::fusion, [](Options& o) { o.batch = 0; });
    add("fusion, one copy", Way::fusion, [](Options& o) { o.batch = 0, o.merge_copies = true; });
    add("graphs of 64", Way::graphs, [](Options& o) { o.batch = 64; });
  }
  add("graph of all", Way::graphs, [](Options& o) { o.batch = 0; });
  add("threads", Way::threads, as_given);
  return all;
}

/// What main() was told of how to run.
struct Run {
  std::vector<NamedWay> ways;
  unsigned repeat = 1;
  bool checked = true;
  bool regions = false;  // each way once more, with copies before and after the time
  std::string app, json;
  unsigned spawners = 1;
};

/// The times of all runs of each way, as JSON: {"app": ..., "tasks": ..., "checked": ..., "ways":
/// [{"way": ..., "elapsed_us": [...]}, ...]}, in the order of the runs.
class Times {
 public:
  void add(const std::string& way, const std::vector<double>& elapsed_us) {
    text_ += (text_.empty() ? "\n  " : ",\n  ") + ("{\"way\": \"" + way) + "\", \"elapsed_us\": [";
    for (std::size_t i = 0; i < elapsed_us.size(); ++i) {
      text_ += (i == 0 ? "" : ", ") + std::to_string(elapsed_us[i]);
    }
    text_ += "]}";
  }
  void write(const Run& run, std::size_t tasks) const {
    if (run.json.empty()) return;
    std::FILE* const out = std::fopen(run.json.c_str(), "w");
    if (out == nullptr) throw std::runtime_error("cannot write " + run.json);
    std::fprintf(out, "{\"app\": \"%s\", \"tasks\": %zu, \"checked\": %s, \"ways\": [%s\n]}\n",
                 run.app.c_str(), tasks, run.checked ? "true" : "false", text_.c_str());
    const bool failed = std::ferror(out) != 0;
    if (std::fclose(out) != 0 || failed) throw std::runtime_error("cannot write " + run.json);
  }

 private:
  std::string text_;
};

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

inline void tell(const tasks::Counts& counts) {
  std::printf("table full %llu times, ends copied back %llu times, %llu empty updates\n",
              static_cast<unsigned long long>(counts.full),
              static_cast<unsigned long long>(counts.refresh),
              static_cast<unsigned long long>(counts.empty));
}

inline void tell(const NamedWay& way, std::size_t tasks, const tasks::Outcome& outcome) {
  std::printf("%zu tasks in %.1f us: %.0f tasks a second", tasks, outcome.elapsed_us,
              1e6 * static_cast<double>(tasks) / outcome.elapsed_us);
  if (outcome.latency_us != 0) std::printf(", %.1f us from spawn to result", outcome.latency_us);
  std::printf("\n");
  if (way.way == tasks::Way::tasks) tell(outcome.counts);
  raddle::report("elapsed_us", outcome.elapsed_us);
  raddle::report("tasks", static_cast<double>(tasks));
  if (outcome.latency_us != 0) raddle::report("latency_us", outcome.latency_us);
  if (outcome.occupancy == 0) return;
  std::printf("%.1f %% of all warps busy with tasks\n", 100 * outcome.occupancy);
  raddle::report("occupancy", outcome.occupancy);
}

/// Runs all ways, and that Run::repeat times, so that what changes meanwhile changes for all of them;
/// tells the median time of each. `forget` wipes results before each run but the first, `check` compares
/// those of each way's last. True when all were right.
template <class Forget, class Check>
bool measure(tasks::AnyComparison& comparison, const Run& run, Forget forget, Check check) {
  std::vector<std::vector<double>> elapsed(run.ways.size());
  bool right = true;
  for (unsigned i = 0; i < run.repeat; ++i) {
    for (std::size_t w = 0; w < run.ways.size(); ++w) {
      const NamedWay& way = run.ways[w];
      if (i != 0 || w != 0) forget();
      tasks::Outcome outcome = comparison.run(way.way, way.options);
      elapsed[w].push_back(outcome.elapsed_us);
      if (i + 1 != run.repeat) continue;
      outcome.elapsed_us = median(elapsed[w]);
      if (run.ways.size() > 1) std::printf("%-18s ", (way.name + ":").c_str());
      tell(way, comparison.size(), outcome);
      if (run.checked) right &= check();
    }
  }
  for (const NamedWay& way : run.ways) {
    if (!run.regions || way.way == tasks::Way::threads) continue;
    tasks::ComparisonOptions resident = way.options;
    resident.copies_in = resident.copies_out = resident.by_warps = false;
    const double elapsed_us = comparison.run(way.way, resident).elapsed_us;
    std::printf("%-18s without copies in %.1f us\n", (way.name + ":").c_str(), elapsed_us);
    raddle::report("elapsed_us_without_copies", elapsed_us);
  }
  if (!run.checked) std::printf("tasks: results were not compared\n");
  Times times;
  for (std::size_t w = 0; w < run.ways.size(); ++w) times.add(run.ways[w].name, elapsed[w]);
  times.write(run, comparison.size());
  return right;
}

}  // namespace raddle::workloads::narrow
